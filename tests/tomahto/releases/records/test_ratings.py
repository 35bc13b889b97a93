from dataclasses import replace
from datetime import timedelta, timezone
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.samples import AE_SCHEME, CAMPAIGN, EQUIVALENT, RATED_AT, RATINGS, rating
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.ratings import Ratings, take_in_ratings
from tomahto.releases.records.records import RatingRecord
from tomahto.votes.remarks import REMARKS

KEYS = CAMPAIGN.question_keys
LATEST = RATED_AT.replace(year=9999)
EARLIEST = RATED_AT.replace(year=1)

records = st.builds(
    RatingRecord,
    item_id=st.sampled_from(["a", "b", "é"]) | st.text(max_size=3),
    rater=st.sampled_from(["r", "s"]),
    label=st.sampled_from(AE_SCHEME.labels),
    answers=st.dictionaries(st.sampled_from(KEYS), st.text(max_size=2).filter(str.isprintable)),
    counted=st.booleans(),
    seconds=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    rated_at=st.none() | st.sampled_from([RATED_AT, EARLIEST, LATEST]),
    guideline_version=st.none() | st.integers(0, 9),
    suggestion_shown=st.none() | st.booleans(),
    wording=st.sampled_from(["", "de-1", "pt-br-2"]),
)


def taken(ratings: list[RatingRecord]) -> Ratings:
    return take_in_ratings(ratings, AE_SCHEME.labels, KEYS)


@given(st.lists(records, unique_by=lambda each: (each.item_id, each.rater)), st.randoms())
def test_take_in_ratings_keeps_every_record_in_order(
    ratings: list[RatingRecord], random: Random
) -> None:
    expected = sorted(ratings, key=lambda each: (each.item_id, each.rater))
    random.shuffle(ratings)
    found = taken(ratings)
    assert list(found) == expected
    assert [found[place] for place in range(len(found))] == expected
    assert found == taken(expected)
    assert take_in_ratings(found, AE_SCHEME.labels, KEYS) is found


def test_ratings_take_37_bytes_and_4_for_each_remark() -> None:
    assert taken(list(RATINGS)).rows.itemsize == 37 + 4 * len(REMARKS)


def test_ratings_that_differ_are_not_equal() -> None:
    ratings = taken(list(RATINGS))
    assert ratings != taken([replace(RATINGS[0], counted=False), *RATINGS[1:]])
    assert ratings != ratings[1:]
    assert ratings != list(RATINGS)


def test_ratings_have_their_times_in_utc() -> None:
    west = RATED_AT.astimezone(timezone(timedelta(hours=-5)))
    (found,) = taken([replace(RATINGS[0], rated_at=west)])
    assert str(found.rated_at) == "2026-03-01 12:30:00.250000+00:00"


def test_ratings_of_items_forget_the_others() -> None:
    ratings = taken(list(RATINGS))
    assert ratings.item_ids == ("a1", "a2", "b1", "c1", "d1", "e1")
    assert ratings.have_votes().tolist() == [True, True, True, True, True, False]
    kept = ratings.of_items(np.array([False, True, False, True, False, False]))
    assert kept.item_ids == ("a2", "c1")
    assert [(each.item_id, each.rater) for each in kept] == [
        ("a2", "r1"),
        ("c1", "r2"),
        ("c1", "r3"),
    ]
    assert kept.counted_votes().tolist() == [[0, 1], [1, 0]]


def test_counted_rows_leave_out_surplus_ratings_and_who_gave_no_other() -> None:
    rows = taken([rating("a", "r", EQUIVALENT), rating("a", "s", EQUIVALENT, counted=False)])
    counted = rows.counted_rows()
    assert (counted.rater_names, counted.n, counted.labels.tolist()) == (("r",), 1, [0])


@pytest.mark.parametrize(
    ("stray", "message"),
    [
        (
            RatingRecord("a1", "r9", "partial", {}),
            "item 'a1', rater 'r9': label 'partial' is not one of equivalent, not-equivalent",
        ),
        (rating("a1", "r3", EQUIVALENT), "item 'a1' has two ratings of rater 'r3'"),
    ],
)
def test_take_in_ratings_says_in_one_line_what_is_wrong(stray: RatingRecord, message: str) -> None:
    with pytest.raises(ReleaseError) as caught:
        taken([*RATINGS, stray])
    assert str(caught.value) == message
