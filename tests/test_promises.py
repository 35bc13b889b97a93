"""Pages name tests that there are; links, paths and indexes of all pages hold."""

import ast
import itertools
import re
from functools import cache
from pathlib import Path

import pytest

from bootstrap.system import ROOT

PAGE = ROOT / "docs" / "promises.md"
_TEST = re.compile(r"`(?P<file>tests/[\w/]+\.py)(?:::(?P<name>test_\w+))?`")
_REPRESENTATIVE = re.compile(r"pytest\.mark\.representative\(\"(?P<kind>[^\"]+)\"\)")
_LINK = re.compile(r"\]\((?P<path>[\w./-]+\.md)?(?:#(?P<anchor>[\w-]+))?\)")
_PATH = re.compile(
    r"`(?P<path>(?:annotation_site|bootstrap|exporters|static|tasks|templates|tests|tomahto)/[\w./-]+)`"
)
_PLACEHOLDER = re.compile(r"/(FEATURE|NAME|CODE)(?![A-Z])")
_HEADING = re.compile(r"^#+ (?P<text>.+)$", re.MULTILINE)
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(PAGE.parent.rglob("*.md"))]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """As GitHub makes them of headings: lower case, blanks as hyphens, no punctuation."""
    headings = (match["text"] for match in _HEADING.finditer(page.read_text(encoding="utf-8")))
    return frozenset(re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings)


@cache
def functions_of(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def named_in(page: Path) -> list[tuple[str, str]]:
    found = _TEST.finditer(page.read_text(encoding="utf-8"))
    return [(match["file"], match["name"] or "") for match in found]


def test_every_promise_names_tests_that_there_are() -> None:
    named = named_in(PAGE)
    assert len(named) > 60
    assert [
        f"{file}::{name}"
        for file, name in named
        if not (ROOT / file).is_file() or (name and name not in functions_of(file))
    ] == []


def test_every_row_of_the_tables_names_a_test_or_a_command() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith("| ---")]
    heads = [row for row in rows if re.match(r"\| (?:Promise|Measurement) ", row)]
    assert len(heads) == 5
    tested = [row for row in rows if row not in heads]
    assert [row for row in tested if not re.search(r"`tests/|`./run benchmark", row)] == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    found = list(_LINK.finditer(page.read_text(encoding="utf-8")))
    targets = [(page.parent / (match["path"] or page.name), match["anchor"]) for match in found]
    assert [
        f"{target}#{anchor}"
        for target, anchor in targets
        if not target.is_file() or (anchor and anchor not in anchors_of(target))
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_paths_that_pages_name_are_there(page: Path) -> None:
    named = {match["path"] for match in _PATH.finditer(page.read_text(encoding="utf-8"))}
    real = {path for path in named if not _PLACEHOLDER.search(path)}
    assert {path for path in real if not (ROOT / path).exists()} == set()


def test_slow_kinds_are_listed_with_the_test_that_stands_for_them() -> None:
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| slow kind | test | why this one |") + 2
    rows = itertools.takewhile(lambda line: line.startswith("| "), lines[start:])
    listed = sorted(tuple(row.strip("| ").split(" | ")[:2]) for row in rows)
    marked = sorted(
        (match["kind"], f"`{file.relative_to(ROOT)}`")
        for file in (ROOT / "tests").rglob("test_*.py")
        for match in _REPRESENTATIVE.finditer(file.read_text(encoding="utf-8"))
    )
    assert listed == marked


def test_every_page_is_linked_from_the_readme_or_another_page() -> None:
    linked = {
        (page.parent / match["path"]).resolve()
        for page in PAGES
        for match in _LINK.finditer(page.read_text(encoding="utf-8"))
        if match["path"]
    }
    assert [_name(page) for page in PAGES if page not in linked and page.parent != ROOT] == []


def test_words_of_the_glossary_stand_in_order_and_once() -> None:
    lines = (PAGE.parent / "glossary.md").read_text(encoding="utf-8").splitlines()
    words = [line.split(" | ")[0].removeprefix("| ") for line in lines if line.startswith("| ")]
    assert words[2:] == sorted(set(words[2:]), key=str.casefold)
