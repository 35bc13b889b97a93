"""The page of promises names tests that there are, and links between the pages lead somewhere."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from bootstrap.places import ROOT

PAGE = ROOT / "docs" / "promises.md"
_TEST = re.compile(r"`(?P<file>tests/[\w/]+\.py)(?:::(?P<name>test_\w+))?`")
_LINK = re.compile(r"\]\((?P<path>[\w./-]+\.md)(?:#[\w-]+)?\)")


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
    heads = [row for row in rows if row.startswith("| What ")]
    assert len(heads) == 4
    assert [row for row in rows if not re.search(r"`tests/|`./run benchmark|^\| What ", row)] == []


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(PAGE.parent.glob("*.md"))])
def test_links_between_the_pages_lead_somewhere(page: Path) -> None:
    links = [match["path"] for match in _LINK.finditer(page.read_text(encoding="utf-8"))]
    assert [link for link in links if not (page.parent / link).is_file()] == []
