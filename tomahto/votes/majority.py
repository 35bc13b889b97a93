"""The majority label of an item, what happens when there is none, and how sure it is.

Few votes say little, even where all agree. Votes are draws of K labels whose shares p are unknown.
With a symmetric Dirichlet prior, all K of its parameters w / K, the posterior mean of p_k after n_k
of N votes for label k is

    E(p_k) = (n_k + w / K) / (N + w)

(Gelman et al., Bayesian Data Analysis, 3rd edition, section 3.4). The prior weighs as much as w
votes that are shared out evenly. w = 1 is the prior of Perks, "Some observations on inverse
probability including a new indifference rule" (Journal of the Institute of Actuaries 73, 1947):
unlike w = K, the uniform prior of Laplace, it weighs the same whether a protocol has two labels or
eight, so three votes of three are 0.875 and 0.781, not 0.8 and 0.364.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

TIED, UNRATED = -1, -2
"""In arrays of places of majority labels, stand for that of an item that has none."""


@dataclass(frozen=True, slots=True)
class Majority:
    """The label given more often than any other, or the labels that share the first place.

    Exactly one of the two is there: `winner` is None and `tied` holds two or more labels in the
    scheme's order, or `winner` is a label and `tied` is empty.
    """

    winner: str | None
    tied: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.winner is None) != (len(self.tied) > 1) or len(self.tied) == 1:
            raise ValueError(f"neither one winner nor a tie: {self.winner!r}, {self.tied}")


def majority(scheme: LabelScheme, counts: Sequence[int]) -> Majority:
    """The majority of one item's votes, counted in the order of the scheme's labels.

    Raises ValueError if the counts do not fit the scheme or no vote was given.
    """
    if len(counts) != len(scheme.labels):
        raise ValueError(f"{len(counts)} counts for {len(scheme.labels)} labels")
    most = max(counts, default=0)
    if most < 1:
        raise ValueError("an item without votes has no majority")
    first = tuple(
        label for label, count in zip(scheme.labels, counts, strict=True) if count == most
    )
    return Majority(first[0]) if len(first) == 1 else Majority(None, first)


def break_tie(tied: Sequence[str], *, seed: int, key: str) -> str:
    """One of the tied labels, drawn by the seed and the item's key alone.

    The draw is the SHA-256 of both, so it depends neither on the order of items or labels, nor
    on the machine or the version of a random number generator. Each label is equally likely.
    Raises ValueError if fewer than two different labels are tied.
    """
    labels = sorted(set(tied))
    if len(labels) < 2:
        raise ValueError(f"{labels} is not a tie")
    digest = hashlib.sha256(f"{seed}\0{key}".encode()).digest()
    return labels[int.from_bytes(digest) % len(labels)]


def majority_totals(patterns: VotePatterns) -> tuple[dict[str, int], int]:
    """Number of items that each label of the scheme wins outright, and the number of ties."""
    totals = dict.fromkeys(patterns.scheme.labels, 0)
    ties = 0
    for pattern, items in patterns.counts.items():
        winner = majority(patterns.scheme, pattern).winner
        if winner is None:
            ties += items
        else:
            totals[winner] += items
    return totals, ties


PRIOR_VOTES = 1.0


def vote_confidence(votes: Sequence[int], place: int, *, prior_votes: float = PRIOR_VOTES) -> float:
    """Posterior mean of the share of the label at `place`, between 0 and 1.

    `votes` counts one item's votes for each label of the protocol, labels without a vote included.
    `prior_votes` is w above. The values of all places sum to 1.

    Raises ValueError if a count is negative, `prior_votes` is not above 0, or there is no label.
    """
    if not votes or min(votes) < 0:
        raise ValueError(f"{tuple(votes)} are not counts of votes")
    if not prior_votes > 0:
        raise ValueError(f"a prior of {prior_votes} votes is none")
    return (votes[place] + prior_votes / len(votes)) / (sum(votes) + prior_votes)


LOW_CONFIDENCE = 2 / 3
"""Confidence below this is low: all other labels together are more than half as likely."""

EVEN_SPLIT = 0.5
"""The least uncertainty of votes that are evenly split between two labels."""


def adjudication_value(confidence: float, *, systems: int = 1, is_disputed: bool = False) -> float:
    """The number of labels that an expert's look is expected to put right: the larger, the sooner.

    The chance that the label is wrong, once for every system that the label counts for, of an
    item without systems once. Where a person has raised a doubt, be it a rater by a flag or an
    adjudicator by another label, that chance is at least an even one.

    Raises ValueError unless 0 <= confidence <= 1 and systems >= 0.
    """
    if not 0 <= confidence <= 1 or systems < 0:
        raise ValueError(f"confidence {confidence} of {systems} systems")
    uncertainty = max(1 - confidence, EVEN_SPLIT if is_disputed else 0)
    return max(systems, 1) * uncertainty
