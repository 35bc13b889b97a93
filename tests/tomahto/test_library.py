"""The package as other programs use it."""

import shutil
import subprocess
import sys
import zipfile
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import tomahto

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]
ROW = {"question": "Where?", "references": ["Paris"], "candidate": "in Paris", "label": "correct"}


def test_score_is_that_of_the_default_matcher() -> None:
    found = tomahto.score("Where is the Louvre?", ["Paris"], "in Paris")
    assert (found.accepted, found.matcher) == (True, "feather")
    assert 0.5 <= found.value <= 1
    assert found.version


def test_the_documented_example_is_what_comes_out() -> None:
    page = (ROOT / "docs" / "library.md").read_text()
    call = next(line for line in page.splitlines() if line.startswith("tomahto.score("))
    value = eval(call, {"tomahto": tomahto}).value  # noqa: S307 - our own page
    assert f"# Score(value={value:.2f}, accepted=True, matcher='feather'" in page


def test_score_takes_the_best_reference_and_any_matcher() -> None:
    found = tomahto.score("Who?", ["Ada", "Ada Lovelace"], "Lovelace", matcher="f1")
    assert (found.value, found.accepted) == (2 / 3, True)


def test_rows_keep_their_fields_and_get_score_and_accepted() -> None:
    rows = [ROW, {**ROW, "candidate": "Rome"}]
    assert tomahto.score_pairs(rows, matcher="em") == [
        {**rows[0], "score": 0.0, "accepted": False},
        {**rows[1], "score": 0.0, "accepted": False},
    ]
    assert "score" not in ROW


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "score": 1}, "row 2, field score: already exists"),
        ({**ROW, "accepted": 1}, "row 2, field accepted: already exists"),
        ({**ROW, "references": "Paris"}, "row 2, field references: must be a list of at least"),
        ({**ROW, "references": []}, "row 2, field references: must be a list of at least"),
        ({**ROW, "references": [1]}, "row 2, field references: must be a text, not 1"),
        ({**ROW, "candidate": None}, "row 2, field candidate: is missing"),
        ({**ROW, "context": 3}, "row 2, field context: must be a text, not 3"),
        ({"references": ["Paris"]}, "row 2, field question: is missing"),
        ({**ROW, "question": 3}, "row 2, field question: must be a text, not 3"),
        ("Paris", "row 2: must be a mapping, not 'Paris'"),
    ],
)
def test_a_wrong_row_is_named_with_its_field(row: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tomahto.score_pairs([ROW, row])


def test_matchers_are_those_that_can_be_used() -> None:
    assert {"em", "f1", "cfmatch", "feather"} <= set(tomahto.matchers())
    with pytest.raises(ValueError, match="no matcher 'none'"):
        tomahto.score("Who?", ["Ada"], "Ada", matcher="none")


def test_the_package_has_what_it_names_and_nothing_else() -> None:
    assert all(getattr(tomahto, name) for name in tomahto.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tomahto.nothing  # noqa: B018 - asking is the test


def test_importing_loads_nothing_heavy() -> None:
    heavy = (
        *("numpy", "pyarrow", "django", "torch", "transformers", "pandas", "celery"),
        "matplotlib",
    )
    code = f"import sys, tomahto; print([name for name in {heavy} if name in sys.modules])"
    printed = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert printed.stdout == "[]\n"


_ALONE = """
import importlib, importlib.util, pkgutil, tomahto
print(tomahto.score("q", ["Paris"], "in Paris").accepted)
print(tomahto.score("q", ["Paris"], "in Paris", matcher="cfmatch").matcher)
others = ("django", "celery", "torch", "matplotlib")
print([name for name in others if importlib.util.find_spec(name)])
for module in pkgutil.walk_packages(tomahto.__path__, "tomahto."):
    importlib.import_module(module.name)
import scipy.special  # they load it only where it is used
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The sources of a wheel."""
    folder = tmp_path / "source"
    shutil.copytree(ROOT / "tomahto", folder / "tomahto")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.mark.representative("the wheel")
def test_a_wheel_works_with_what_it_says_it_needs_and_nothing_else(
    source: Path, tmp_path: Path
) -> None:
    """Of the packages installed here, those that the wheel and its dependencies name are there."""
    build = "from setuptools.build_meta import build_wheel; print(build_wheel('..'))"
    run = partial(subprocess.run, check=True, capture_output=True, text=True)
    name = run([sys.executable, "-c", build], cwd=source).stdout.splitlines()[-1]
    place = tmp_path / "site-packages"
    with zipfile.ZipFile(tmp_path / name) as wheel:
        wheel.extractall(place)
    [made] = metadata.distributions(path=[str(place)])
    for needed in _needed_by(made, {}).values():
        for top in {file.parts[0] for file in needed.files or () if file.parts[0] != ".."}:
            (place / top).symlink_to(str(needed.locate_file(top)))
    alone = f"import sys; sys.path.append({str(place)!r})\n{_ALONE}"
    printed = run([sys.executable, "-I", "-S", "-c", alone], cwd=tmp_path)
    assert printed.stdout == "True\ncfmatch\n[]\n"


def _needed_by(
    package: metadata.Distribution, found: dict[str, metadata.Distribution]
) -> dict[str, metadata.Distribution]:
    """By name all that is installed of what a package requires without any extra."""
    for line in package.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed = metadata.distribution(requirement.name)
            assert needed.version in requirement.specifier
            if needed.name not in found:
                found[needed.name] = needed
                _needed_by(needed, found)
    return found


@pytest.mark.thorough
def test_a_wheel_works_where_nothing_else_is_installed(source: Path, tmp_path: Path) -> None:
    """Built and installed as a user would, into an environment without Django."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(source)], cwd=tmp_path, check=True)
    printed = subprocess.run(
        [python, "-c", _ALONE], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert printed.stdout == "True\ncfmatch\n[]\n"
