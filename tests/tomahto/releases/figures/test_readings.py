from collections import Counter
from dataclasses import replace

import pytest

from tests.exporters.builders import build_dataset
from tests.exporters.samples import CAP_CONTENT, CONTENT, DIFFERENT, EQUIVALENT, LESS, item, rating
from tomahto.releases.figures.statistics import readings, release_statistics
from tomahto.releases.records.records import AdjudicationRecord


@pytest.mark.parametrize(
    ("votes", "reading"),
    [
        ([EQUIVALENT], "equivalent"),
        ([LESS], "removes-or-adds"),
        ([DIFFERENT], "completely-different"),
        ([EQUIVALENT, DIFFERENT, DIFFERENT], "completely-different"),
        ([EQUIVALENT, LESS, DIFFERENT], "removes-or-adds"),  # half of those against it
        ([LESS, DIFFERENT, DIFFERENT], "completely-different"),
        ([EQUIVALENT, EQUIVALENT, DIFFERENT], "equivalent"),
    ],
)
def test_most_of_those_who_find_it_not_equivalent_say_what_it_is(
    votes: list[dict[str, str]], reading: str
) -> None:
    items = (
        item("x", "A", reference="in Paris", candidate="Paris"),
        item("y", "B", question="other"),
    )
    ratings = [rating("x", f"r{place}", answers) for place, answers in enumerate(votes)]
    surplus = [rating("x", f"s{place}", DIFFERENT, counted=False) for place in range(4)]
    content = replace(
        CONTENT, items=items, ratings=[*ratings, *surplus, rating("y", "r1", EQUIVALENT)]
    )
    found = list(readings(build_dataset(content)))
    assert found == [(reading, 2 / 3), ("equivalent", 0.0)]


def test_a_rating_without_an_answer_leaves_all_open() -> None:
    content = replace(CONTENT, ratings=[*CONTENT.ratings, rating("e1", "r9", {})])
    assert list(readings(build_dataset(content))) == []
    assert "f1_readings" not in release_statistics(build_dataset(content))


def test_readings_are_of_answer_equivalence() -> None:
    assert "f1_readings" not in release_statistics(build_dataset(CAP_CONTENT))
    found = Counter(reading for reading, _f1 in readings(build_dataset(CONTENT)))
    assert found == {"equivalent": 3, "completely-different": 2}


@pytest.mark.parametrize(
    ("votes", "found"),
    [
        ([EQUIVALENT, EQUIVALENT], []),
        ([EQUIVALENT, EQUIVALENT, DIFFERENT], [("completely-different", 2 / 3)]),
        ([EQUIVALENT, EQUIVALENT, LESS], [("removes-or-adds", 2 / 3)]),
    ],
)
def test_an_item_that_only_adjudicators_find_not_equivalent_has_no_reading(
    votes: list[dict[str, str]], found: list[tuple[str, float]]
) -> None:
    items = (
        item("x", "A", reference="in Paris", candidate="Paris"),
        item("y", "B", question="other"),
    )
    content = replace(
        CONTENT,
        items=items,
        ratings=[
            *(rating("x", f"r{place}", answers) for place, answers in enumerate(votes)),
            rating("y", "r1", EQUIVALENT),
        ],
        adjudications=[AdjudicationRecord("x", "x1", "not-equivalent")],
        labels="adjudicated",
    )
    assert list(readings(build_dataset(content))) == [*found, ("equivalent", 0.0)]
