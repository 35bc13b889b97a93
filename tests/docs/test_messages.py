"""Every command that a message, an error or a page of ours prints can be typed as it stands."""

import re
import tomllib
from pathlib import Path

import pytest

from bootstrap.system import ROOT
from tests.docs.commands import ANY, commands_in, fault_of, texts_of
from tests.docs.pages import PAGES

pytestmark = pytest.mark.slow

ROOMS = ("annotation_site", "benchmarks", "bootstrap", "demo", "examples", "exporters", "tasks")
SOURCES = [
    *(ROOT / name for name in ("run", "test", "manage.py")),
    *(path for room in (*ROOMS, "tomahto") for path in sorted((ROOT / room).rglob("*.py"))),
    *sorted((ROOT / "templates").rglob("*.html")),
    *sorted((ROOT / "tomahto").rglob("*.toml")),
]
EXTRA = re.compile(
    r"extra `(\w+)`|the extra (\w+)(?= are\b|$)|extras\s+((?:`\w+`[,\s]*(?:and\s+)?)+)"
    r"|pip install ['\"]?[\w.]*\[([\w,]+)\]"
)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_command_that_is_printed_can_be_typed() -> None:
    found = [
        (place(source), words)
        for source in SOURCES
        for text in texts_of(source)
        for words in commands_in(text)
    ]
    assert len(found) > 80
    faults = [(source, " ".join(words), fault_of(words)) for source, words in found]
    assert [one for one in faults if one[-1]] == []


def test_no_message_leaves_out_where_a_command_is_started() -> None:
    """`manage.py` is on nobody's path, and has an environment of its own."""
    messages = [
        (place(source), text)
        for source in SOURCES
        for text in texts_of(source, with_docstrings=False)
    ]
    assert [one for one in messages if re.search(r"`(?:manage\.py|python) ", one[1])] == []


def test_every_extra_that_is_named_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [
        (place(source), name)
        for source in (*SOURCES, *PAGES)
        for text in texts_of(source)
        for found in EXTRA.finditer(text)
        for name in re.findall(r"\w+", " ".join(filter(None, found.groups())))
        if name not in {"and", ANY}
    ]
    assert {"baselines", "neural", "s3", "sentry"} <= {name for _, name in named}
    known = project["optional-dependencies"]
    assert [(source, name) for source, name in named if name not in known] == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("run `manage.py migrate` first", [""]),
        ("run `manage.py migrat` first", ["there is no command migrat"]),
        ("call `./run --models manage train_bem FILE --test F`, or ./run", [""]),
        ("call `./run --model manage train_bem FILE`", ["./run has no option --model"]),
        ("`./run serve`", ["./run cannot do serve"]),
        ("start ./run manage worker", ["there is no command worker"]),
        ("`./run python -m nothing_of_this_name`", ["there is no module nothing_of_this_name"]),
        ("`./run benchmark nothing`", ["./run cannot do benchmark nothing"]),
        ("`./test tests/gone`", ["there is no tests/gone"]),
        ("what train_bem FILE --tests writes", ["Error: unrecognized arguments: --tests"]),
        ("needs train_bem --test, which judges", [""]),
        ("`evaluate report SOURCE [NAME=FILE …] [--seed N]`", [""]),
        ("`evaluate report SOURCE --seed half`", ["'half' is not a whole number"]),
        ("<code>./run manage verify_release {{ folder }}</code>", [""]),
        ("manage.py generate SLUG --kind candidates|rules", [""]),
        ("manage.py generate SLUG --kind texts", ["invalid choice: 'texts'"]),
    ],
)
def test_what_cannot_be_typed_is_found(text: str, faults: list[str]) -> None:
    found = [fault_of(words) for words in commands_in(text)]
    assert len(found) == len(faults)
    for said, fault in zip(found, faults, strict=True):
        assert (fault in said) if fault else said == ""
