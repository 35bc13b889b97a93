import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tomahto.votes.majority import vote_confidence

counts = st.lists(st.integers(0, 50), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("votes", "place", "expected"),
    [
        ((3, 0), 0, 3.5 / 4),  # (3 + 1/2) / (3 + 1)
        ((3, 0), 1, 0.5 / 4),
        ((1, 0), 0, 1.5 / 2),
        ((1, 1), 0, 1.5 / 3),  # a tie of two labels: a half, whatever the prior
        ((0, 0, 0, 0), 2, 1 / 4),  # nothing was said: the prior's share
        ((0, 0, 3, 0, 0, 0, 0, 0), 2, 3.125 / 4),  # (3 + 1/8) / (3 + 1)
    ],
)
def test_vote_confidence_is_the_posterior_mean(
    votes: tuple[int, ...], place: int, expected: float
) -> None:
    assert vote_confidence(votes, place) == pytest.approx(expected, abs=1e-15)


def test_vote_confidence_with_a_vote_for_each_label_is_the_rule_of_succession() -> None:
    # Laplace: (successes + 1) / (trials + 2)
    assert vote_confidence((7, 2), 0, prior_votes=2) == pytest.approx(8 / 11, abs=1e-15)


@given(counts)
def test_vote_confidence_of_all_labels_sums_to_one(votes: list[int]) -> None:
    assert sum(vote_confidence(votes, place) for place in range(len(votes))) == pytest.approx(1)


@given(counts, st.integers(1, 7))
def test_vote_confidence_rises_with_a_vote_for_the_label_and_falls_with_one_against(
    votes: list[int], other: int
) -> None:
    assume(other < len(votes))
    now = vote_confidence(votes, 0)
    against = [count + (place == other) for place, count in enumerate(votes)]
    assert vote_confidence(against, 0) < now < vote_confidence([votes[0] + 1, *votes[1:]], 0)


@pytest.mark.parametrize(
    ("votes", "prior", "message"),
    [
        ((), 1.0, r"\(\) are not counts of votes"),
        ((1, -1), 1.0, r"\(1, -1\) are not counts of votes"),
        ((1, 1), 0.0, r"a prior of 0.0 votes is none"),
        ((1, 1), float("nan"), r"a prior of nan votes is none"),
    ],
)
def test_vote_confidence_refuses_what_is_no_count(
    votes: tuple[int, ...], prior: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        vote_confidence(votes, 0, prior_votes=prior)
