from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.exporters.answered import ANSWERED, asked
from tests.exporters.builders import build_dataset
from tests.exporters.samples import (
    CAP_CONTENT,
    CONTENT,
    DIFFERENT,
    DIFFERING,
    EQUIVALENT,
    ITEMS,
    item,
    rating,
)
from tomahto.releases.figures.statistics import release_statistics
from tomahto.releases.records.records import AnswerRecord


@pytest.fixture(scope="module")
def statistics() -> dict[str, Any]:
    kept = {"A": "test", "B": "test", "C": "dev", "D": "dev"}
    return release_statistics(build_dataset(replace(CONTENT, kept_documents=kept)))


def test_sizes_are_counted_in_all_and_by_split(statistics: dict[str, Any]) -> None:
    # dev: c1 with one rating and a surplus one, d1 with four. test: a1 three, a2 one, b1 two.
    assert statistics["sizes"] == {
        "total": {
            "documents": 4,
            "questions": 4,
            "candidates": 4,  # a1 and a2 are one candidate with two references
            "items": 5,
            "ratings": 11,
            "surplus_ratings": 1,
            "ties": 1,
        },
        "splits": {
            "dev": {
                "documents": 2,
                "questions": 2,
                "candidates": 2,
                "items": 2,
                "ratings": 5,
                "surplus_ratings": 1,
                "ties": 0,
            },
            "test": {
                "documents": 2,
                "questions": 2,
                "candidates": 2,
                "items": 3,
                "ratings": 6,
                "surplus_ratings": 0,
                "ties": 1,
            },
        },
    }


def test_ratings_per_item_are_counted_in_all_and_by_split(statistics: dict[str, Any]) -> None:
    assert statistics["ratings_per_item"] == {
        "total": {"1": 2, "2": 1, "3": 1, "4": 1},
        "splits": {"dev": {"1": 1, "4": 1}, "test": {"1": 1, "2": 1, "3": 1}},
    }


def test_sizes_by_system_count_a_shared_item_for_each(statistics: dict[str, Any]) -> None:
    assert statistics["sizes_by_system"] == {
        "bidaf": {"candidates": 2, "items": 3, "ratings": 8},  # a1 3, a2 1, d1 4
        "luke": {"candidates": 1, "items": 1, "ratings": 2},  # b1
        "xlnet": {"candidates": 2, "items": 3, "ratings": 5},  # a1 3, a2 1, c1 1
    }


def test_labels_by_system_count_candidates_items_and_ratings(statistics: dict[str, Any]) -> None:
    # The candidate of a1 (equivalent) and a2 (not) is equivalent: one of its references fits.
    # b1 is a tie.
    assert statistics["labels_by_system"] == {
        "bidaf": {
            "candidates": {"equivalent": 1, "not-equivalent": 1},
            "items": {"equivalent": 1, "not-equivalent": 2},
            "ratings": {"equivalent": 2, "not-equivalent": 6},
        },
        "luke": {
            "candidates": {"equivalent": 0, "not-equivalent": 0},
            "items": {"equivalent": 0, "not-equivalent": 0},
            "ratings": {"equivalent": 1, "not-equivalent": 1},
        },
        "xlnet": {
            "candidates": {"equivalent": 2, "not-equivalent": 0},
            "items": {"equivalent": 2, "not-equivalent": 1},
            "ratings": {"equivalent": 3, "not-equivalent": 2},
        },
    }
    assert statistics["open_by_system"] == {
        "bidaf": {"candidates": 0, "items": 0},
        "luke": {"candidates": 1, "items": 1},
        "xlnet": {"candidates": 0, "items": 0},
    }


def test_candidates_are_decided_as_in_the_table_of_systems() -> None:
    """A candidate for every way in which people can have judged it beside two references."""
    items, ratings, answers = [], [], []
    references = ("Paris", "Lutetia")
    for number, votes in enumerate(product(("", "e", "n", "en"), repeat=2)):
        question, document = f"q{number}", f"D{number}"
        ids = tuple(f"{question}-{place}" for place in range(2))
        for id_, reference, given in zip(ids, references, votes, strict=True):
            items.append(item(id_, document, question=question, reference=reference))
            ratings += [rating(id_, v, EQUIVALENT if v == "e" else DIFFERENT) for v in given]
        asks = asked(question, document, *references)
        answers.append(AnswerRecord(asks, "bidaf", "Rome", "rated", ids))
    content = replace(ANSWERED, items=items, ratings=ratings, answers=answers)
    statistics = release_statistics(build_dataset(content))
    # Of nine with both items rated five have a yes, one has two noes, and a tie leaves three open;
    # six more have one item rated.
    [system] = statistics["systems"]
    assert system["judged_candidates"] == 6
    assert system["accuracy"]["candidates"]["value"] == pytest.approx(5 / 6)
    assert statistics["labels_by_system"]["bidaf"] == {
        "candidates": {"equivalent": 5, "not-equivalent": 1},
        "items": {"equivalent": 8, "not-equivalent": 8},
        "ratings": {"equivalent": 16, "not-equivalent": 16},
    }
    assert statistics["open_by_system"] == {"bidaf": {"candidates": 9, "items": 8}}


def test_f1_histogram_has_ten_bins_by_label(statistics: dict[str, Any]) -> None:
    # equivalent: a1 at 1/2, b1 at 0, c1 at 4/5; not equivalent: a2 at 1/3, d1 at 1.
    assert statistics["f1_histogram"] == {
        "edges": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
        "labels": {
            "equivalent": [1, 0, 0, 0, 0, 1, 0, 0, 1, 0],
            "not-equivalent": [0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
        },
        "without_references": 0,
    }


@pytest.mark.parametrize(
    ("candidate", "reference", "place"),
    [
        # F1 = 2 * shared / (tokens of both), exactly on an edge however it is rounded.
        ("b c d", "b x y z u v w", 2),  # 2/10
        ("b c d e", "b c d x y z", 6),  # 6/10
        ("b c d e f g h", "b c d e f g h x y z u v w", 7),  # 14/20
    ],
)
def test_f1_histogram_puts_an_edge_into_the_bin_it_begins(
    candidate: str, reference: str, place: int
) -> None:
    items = (*ITEMS, item("x", "A", candidate=candidate, reference=reference))
    votes = (*CONTENT.ratings, rating("x", "r1", {"q1": "yes"}))
    before = release_statistics(build_dataset(CONTENT))["f1_histogram"]["labels"]
    after = release_statistics(build_dataset(replace(CONTENT, items=items, ratings=votes)))
    bars = after["f1_histogram"]["labels"]["not-equivalent"]
    grown = [new - old for old, new in zip(before["not-equivalent"], bars, strict=True)]
    assert grown == [int(bin_ == place) for bin_ in range(10)]


def test_f1_histogram_counts_items_without_references_apart() -> None:
    items = [replace(CAP_CONTENT.items[0], references=()), *CAP_CONTENT.items[1:]]
    dataset = build_dataset(replace(CAP_CONTENT, items=items))
    assert dataset.items[0].f1 is None
    assert release_statistics(dataset)["f1_histogram"]["without_references"] == 1


def test_labels_by_question_type_leave_out_ties_and_questions_without_a_type() -> None:
    kinds = {"a1": "long", "a2": "long", "b1": "long", "d1": "blank"}
    items = [replace(each, question_type=kinds.get(each.id, "")) for each in ITEMS]
    dataset = build_dataset(replace(CONTENT, items=items))
    statistics = release_statistics(dataset)
    assert statistics["labels_by_question_type"] == {
        "blank": {"equivalent": 0, "not-equivalent": 1},
        "long": {"equivalent": 1, "not-equivalent": 1},
    }
    assert statistics["open_by_question_type"] == {"blank": 0, "long": 1}


def test_label_sources_and_adjudication_are_counted() -> None:
    content = replace(CONTENT, adjudications=DIFFERING, labels="adjudicated")
    statistics = release_statistics(build_dataset(content))
    # a1 and d1 are adjudicated; on b1 the adjudicators differ, and its votes are a tie.
    assert statistics["label_sources"] == {
        "majority": 2,
        "tie": 1,
        "adjudicated": 2,
        "dawid-skene": 0,
    }
    assert statistics["adjudication"] == {"decisions": 5, "items": 3, "differing": 1}
