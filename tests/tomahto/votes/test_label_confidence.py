import pytest

from tests.tomahto.oracles import label_confidence
from tomahto.votes.majority import LOW_CONFIDENCE, adjudication_value, vote_confidence


@pytest.mark.parametrize(
    ("votes", "surplus", "expected"),
    [
        ((2, 0), (0, 1), 2.5 / 4),  # a late vote against the label
        ((2, 0), (1, 0), 3.5 / 4),  # a late vote for it
        ((1, 0), (0, 2), 1.5 / 4),  # outvoted by late ones, and still the item's label
        ((1, 1), (0, 1), 2.5 / 4),  # of a tie the likelier label
        ((0, 0), (0, 1), 1.5 / 2),  # no vote counts yet
    ],
)
def test_surplus_votes_are_evidence_but_make_no_label(
    votes: tuple[int, ...], surplus: tuple[int, ...], expected: float
) -> None:
    """The values that the queue's SQL is compared with are those by hand."""
    assert label_confidence(votes, surplus) == pytest.approx(expected, abs=1e-15)


def test_two_to_one_is_low_confidence_and_three_to_one_is_not() -> None:
    assert vote_confidence((2, 1), 0) < LOW_CONFIDENCE < vote_confidence((3, 1), 0)


@pytest.mark.parametrize(
    ("confidence", "systems", "is_disputed", "expected"),
    [
        (0.75, 1, False, 0.25),
        (0.75, 3, False, 0.75),  # three systems are judged by the label
        (0.75, 0, False, 0.25),  # nobody said whose candidate it is
        (0.75, 2, True, 1.0),  # a flag: at least as doubtful as an even split
        (0.375, 1, True, 0.625),  # doubtful enough without it
    ],
)
def test_value_is_the_number_of_labels_expected_to_be_wrong(
    confidence: float, systems: int, is_disputed: bool, expected: float
) -> None:
    value = adjudication_value(confidence, systems=systems, is_disputed=is_disputed)
    assert value == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("confidence", "systems"), [(1.1, 1), (-0.1, 1), (0.5, -1)])
def test_value_refuses_what_cannot_be(confidence: float, systems: int) -> None:
    with pytest.raises(ValueError, match=f"confidence {confidence} of {systems} systems"):
        adjudication_value(confidence, systems=systems)
