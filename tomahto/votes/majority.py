"""The majority label of an item, and what happens when there is none."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme


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
