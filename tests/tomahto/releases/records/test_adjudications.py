from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.samples import AE_SCHEME, DIFFERING, ITEMS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.intake import adjudicated_labels, take_in_adjudications
from tomahto.releases.records.records import AdjudicationRecord

IDS = {record.id for record in ITEMS}


@given(st.randoms())
def test_take_in_adjudications_sorts_by_item_and_adjudicator(random: Random) -> None:
    shuffled = random.sample(DIFFERING, len(DIFFERING))
    taken = take_in_adjudications(shuffled, AE_SCHEME.labels, IDS)
    assert [(each.item_id, each.adjudicator) for each in taken] == [
        ("a1", "x1"),
        ("a1", "x2"),
        ("b1", "x1"),
        ("b1", "x2"),
        ("d1", "x1"),
        ("e1", "x1"),
    ]


def test_adjudicated_label_is_the_one_that_all_adjudicators_share() -> None:
    taken = take_in_adjudications(DIFFERING, AE_SCHEME.labels, IDS)
    assert adjudicated_labels(taken) == {
        "a1": "not-equivalent",
        "b1": None,
        "d1": "not-equivalent",
        "e1": "equivalent",
    }


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            AdjudicationRecord("a1", "x2", "equivalent"),
            "item 'a1' has two decisions of adjudicator 'x2'",
        ),
        (
            AdjudicationRecord("z1", "x1", "equivalent"),
            "adjudicator 'x1' decided on item 'z1', which is not there",
        ),
        (
            AdjudicationRecord("c1", "x1", "partial"),
            "item 'c1', adjudicator 'x1': label 'partial' is not one of equivalent, not-equivalent",
        ),
        (
            AdjudicationRecord("c1", "x1", "equivalent", first_label="exact"),
            "item 'c1', adjudicator 'x1': label 'exact' is not one of equivalent, not-equivalent",
        ),
        (
            AdjudicationRecord("c1", "\ud800", "equivalent"),
            "item 'c1', adjudicator '\\ud800': a text contains half a surrogate pair",
        ),
    ],
)
def test_take_in_adjudications_says_in_one_line_what_is_wrong(
    record: AdjudicationRecord, message: str
) -> None:
    with pytest.raises(ReleaseError) as caught:
        take_in_adjudications((*DIFFERING, record), AE_SCHEME.labels, IDS)
    assert str(caught.value) == message
