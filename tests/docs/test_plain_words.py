"""Documents have no wording that a native editor would refuse."""

from pathlib import Path

import pytest

from bootstrap.system import ROOT
from tasks.management.plain_words import awkward

PAGES = [
    *sorted(ROOT.glob("*.md")),
    ROOT / "demo" / "README.md",
    ROOT / "tomahto" / "client" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_document_has_no_awkward_words(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = [f"{name(page)}:{line}: {words}" for line, words in awkward(text)]
    assert places == [], "\n".join(places)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("# Votes\n\nWhat one sees varies.", [(3, "What one sees varies.")]),
        ("| page |\n| --- |\n| Who sees votes |", [(3, "Who sees votes |")]),
        ("The list stands\nbeside it; a mail lies there.", [(1, "stands"), (2, "lies")]),
        ("No page is there; it was told anew.", [(1, "is there"), (1, "was told"), (1, "anew")]),
        ("What is an item? No rater stands out. Is there a tie?", []),
        ("`stands` and\n```\nlies\n```\n", []),
    ],
)
def test_awkward_words_are_found_outside_of_code(text: str, places: list[tuple[int, str]]) -> None:
    assert list(awkward(text)) == places
