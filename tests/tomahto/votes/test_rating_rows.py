import numpy as np
import pytest

from tomahto.votes.rating_rows import RatingRows

LABELS = ("yes", "no")


def test_rating_rows_number_items_by_appearance_and_raters_by_name() -> None:
    rows = RatingRows.of([("q7", "bo", "no"), ("q2", "al", "yes"), ("q7", "al", "no")], LABELS)
    assert (rows.items.tolist(), rows.raters.tolist(), rows.labels.tolist()) == (
        [0, 1, 0],
        [1, 0, 0],
        [1, 0, 1],
    )
    assert (rows.rater_names, rows.label_names, rows.n) == (("al", "bo"), LABELS, 3)
    assert rows.counts.tolist() == [[0, 2], [1, 0]]


def test_rating_rows_name_an_unknown_label() -> None:
    with pytest.raises(ValueError, match="label 'maybe' is not one of yes, no"):
        RatingRows.of([("q7", "bo", "maybe")], LABELS)


@pytest.mark.parametrize(
    ("items", "raters", "labels", "message"),
    [
        ([], [], [], "there is no rating"),
        ([0, 1], [0], [0, 1], "differ in number"),
        ([0], [2], [0], "a rater is numbered outside 0 to 1"),
        ([0], [0], [-1], "a label is numbered outside 0 to 1"),
        ([0, 2], [0, 1], [0, 0], "items are not numbered from 0 without a gap"),
        ([0, -1], [0, 1], [0, 0], "items are not numbered from 0 without a gap"),
    ],
)
def test_rating_rows_refuse_numbers_without_a_name(
    items: list[int], raters: list[int], labels: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        RatingRows(np.array(items), np.array(raters), np.array(labels), ("al", "bo"), LABELS)


def test_rating_rows_refuse_names_that_repeat() -> None:
    one = np.array([0])
    with pytest.raises(ValueError, match="rater names repeat"):
        RatingRows(one, one, one, ("al", "al"), LABELS)
