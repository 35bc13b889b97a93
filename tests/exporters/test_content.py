from dataclasses import replace
from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exporters.builders import build_dataset
from tests.exporters.samples import (
    AE_SCHEME,
    CAMPAIGN,
    CAP_CONTENT,
    CONTENT,
    DIFFERENT,
    EQUIVALENT,
    ITEMS,
    RATED_AT,
    RATINGS,
    item,
    rating,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import Guideline, RatingRecord


def test_build_dataset_sorts_and_leaves_out_what_nobody_rated() -> None:
    dataset = build_dataset(CONTENT)
    assert [item.record.id for item in dataset.items] == ["a1", "a2", "b1", "c1", "d1"]
    assert [(vote.item_id, vote.rater) for vote in dataset.ratings] == [
        (vote.item_id, vote.rater) for vote in RATINGS if vote.item_id != "e1"
    ]
    assert [item.f1 for item in dataset.items] == pytest.approx([1 / 2, 1 / 3, 0, 4 / 5, 1])
    assert dataset.counted_ratings == 11


def test_build_dataset_orders_systems_and_times() -> None:
    west = timezone(timedelta(hours=-5))
    votes = [replace(RATINGS[0], rated_at=RATED_AT.astimezone(west)), *RATINGS[1:]]
    dataset = build_dataset(replace(CONTENT, ratings=votes))
    assert dataset.items[0].record.systems == ("bidaf", "xlnet")
    assert dataset.ratings == build_dataset(CONTENT).ratings
    assert str(dataset.ratings[0].rated_at) == "2026-03-01 12:30:00.250000+00:00"


@settings(max_examples=15)
@given(st.randoms())
def test_build_dataset_is_the_same_in_any_order(random: Random) -> None:
    items, ratings = list(CONTENT.items), list(CONTENT.ratings)
    random.shuffle(items)
    random.shuffle(ratings)
    shuffled = replace(CONTENT, items=items, ratings=ratings)
    assert build_dataset(shuffled) == build_dataset(CONTENT)


def test_build_dataset_keeps_documents_where_they_were() -> None:
    kept = {"A": "dev", "B": "dev", "C": "dev"}
    dataset = build_dataset(replace(CONTENT, kept_documents=kept))
    assert {item.record.document: item.split for item in dataset.items} == {**kept, "D": "test"}


def test_flag_questions_are_those_answered_by_yes_and_no_alone() -> None:
    # q3 and q4 were asked once each; `label` is no column; `why` has other answers too.
    assert build_dataset(CONTENT).flag_questions == {"q1", "q2", "q3", "q4"}
    assert build_dataset(CAP_CONTENT).flag_questions == frozenset()
    assert build_dataset(CAP_CONTENT).terms.answer_columns == ("why",)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": "1"}, "version '1' is not three numbers like 1.0.0"),
        ({"created_at": datetime(2026, 1, 1)}, "created_at has no time zone"),  # noqa: DTZ001
        ({"ratings": ()}, "no item has a counted rating: there is nothing to release"),
        (
            {"campaign": replace(CAMPAIGN, question_keys=("q1", "q2", "q3", "q4", "rater"))},
            "a question cannot be called rater",
        ),
        (
            {"campaign": replace(CAMPAIGN, question_keys=("q1", "q2", "q3", "q4", "q1"))},
            "questions repeat: q1, q2, q3, q4, q1",
        ),
        (
            {"campaign": replace(CAMPAIGN, scheme=replace(AE_SCHEME, labels=("same", "other")))},
            "protocol `ae` has no label `equivalent`",
        ),
        (
            {"campaign": replace(CAMPAIGN, guidelines=(Guideline(1, "a"), Guideline(1, "b")))},
            "guideline version 1 occurs 2 times",
        ),
        ({"items": (*ITEMS, ITEMS[0])}, "item 'a1' occurs twice"),
        ({"items": (*ITEMS, item("", "A"))}, "an item has an empty id"),
        (
            {"items": (*ITEMS, item("x", "\ud800"))},
            "item 'x': a text contains half a surrogate pair",
        ),
        (
            {"items": (*ITEMS, replace(ITEMS[0], id="x", references=("a", "b")))},
            "item 'x': 2 references; `ae` rates one",
        ),
        ({"items": ITEMS[1:]}, "rater 'r1' rated item 'a1', which is not there"),
        (
            {"ratings": (*RATINGS, RATINGS[0])},
            "item 'a1' has two ratings of rater 'r1'",
        ),
        (
            {"ratings": (*RATINGS, rating("a2", "r2", {"q9": "yes"}))},
            "item 'a2', rater 'r2': the protocol does not ask q9",
        ),
        (
            {"ratings": (*RATINGS, rating("a2", "\udfff", EQUIVALENT))},
            "item 'a2', rater '\\udfff': a text contains half a surrogate pair",
        ),
        (
            {"ratings": (*RATINGS, replace(rating("a2", "r2", DIFFERENT), seconds=float("nan")))},
            "item 'a2', rater 'r2': nan seconds",
        ),
        (
            {
                "ratings": (
                    *RATINGS,
                    replace(rating("a2", "r2", DIFFERENT), rated_at=datetime(2026, 1, 1)),  # noqa: DTZ001
                )
            },
            "item 'a2', rater 'r2': the time has no time zone",
        ),
    ],
)
def test_build_dataset_says_in_one_line_what_is_wrong(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ReleaseError) as caught:
        build_dataset(replace(CONTENT, **changes))
    assert str(caught.value) == message


def test_build_dataset_refuses_an_answer_that_contradicts_the_label() -> None:
    contrary = RatingRecord("a1", "r2", "exact", {"label": "partial"})
    with pytest.raises(ReleaseError) as caught:
        build_dataset(replace(CAP_CONTENT, ratings=(*CAP_CONTENT.ratings, contrary)))
    assert str(caught.value) == "item 'a1', rater 'r2': label 'exact', answered 'partial'"
