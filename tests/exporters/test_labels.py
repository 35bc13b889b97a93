import pytest

from exporters.errors import ReleaseError
from exporters.labels import ItemLabel, label_item, label_items
from exporters.records import RatingRecord
from tests.exporters.samples import AE_SCHEME, RATINGS


def test_label_items_takes_the_majority_of_counted_ratings() -> None:
    # b1 is a tie. The SHA-256 of "13\0b1" ends in 84, an even byte: the first label in order.
    labels = label_items(AE_SCHEME, RATINGS, seed=13)
    assert labels == {
        "a1": ItemLabel("equivalent", (2, 1)),
        "a2": ItemLabel("not-equivalent", (0, 1)),
        "b1": ItemLabel("equivalent", (1, 1), ("equivalent", "not-equivalent")),
        "c1": ItemLabel("equivalent", (1, 0)),
        "d1": ItemLabel("not-equivalent", (0, 4)),
    }


def test_item_label_counts_its_ratings_and_tells_a_tie() -> None:
    tied = ItemLabel("equivalent", (2, 2), ("equivalent", "not-equivalent"))
    assert (tied.tie, tied.ratings) == (True, 4)
    assert ItemLabel("equivalent", (2, 1)).tie is False


def test_label_item_draws_ties_evenly_and_the_same_again() -> None:
    drawn = [label_item(AE_SCHEME, f"i{n}", (1, 1), seed=4).label for n in range(400)]
    again = [label_item(AE_SCHEME, f"i{n}", (1, 1), seed=4).label for n in range(400)]
    other = [label_item(AE_SCHEME, f"i{n}", (1, 1), seed=5).label for n in range(400)]
    assert drawn == again
    assert drawn != other
    assert 160 < drawn.count("equivalent") < 240  # 200 ± 4 standard deviations


def test_label_items_refuses_a_label_of_another_protocol() -> None:
    stray = RatingRecord("a1", "r9", "partial", {})
    with pytest.raises(ReleaseError) as caught:
        label_items(AE_SCHEME, [*RATINGS, stray], seed=13)
    assert str(caught.value) == (
        "item 'a1', rater 'r9': label 'partial' is not one of equivalent, not-equivalent"
    )
