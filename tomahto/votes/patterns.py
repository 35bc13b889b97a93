"""How often each pattern of votes occurs: all that agreement needs to know of a campaign.

The number of patterns depends on the labels and on the ratings per item, not on the number of
items: items with up to four ratings and eight labels make at most 494 patterns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from tomahto.votes.scheme import LabelScheme

Pattern = tuple[int, ...]


@dataclass(frozen=True)
class VotePatterns:
    """For each pattern of votes the number of items that have it.

    A pattern says how often each label of the scheme was given to an item, in the order of the
    scheme's labels. Items without a rating are left out. Patterns are kept sorted: two tables of
    the same items are equal, and a seeded bootstrap draws the same from both.

    Raises ValueError if a pattern's length is not the number of labels or a count is negative.
    """

    scheme: LabelScheme
    counts: Mapping[Pattern, int]

    def __post_init__(self) -> None:
        for pattern, items in self.counts.items():
            self._check(pattern, items)
        occurring = {
            pattern: self.counts[pattern]
            for pattern in sorted(self.counts)
            if self.counts[pattern] and any(pattern)
        }
        object.__setattr__(self, "counts", occurring)

    def _check(self, pattern: Pattern, items: int) -> None:
        labels = len(self.scheme.labels)
        if len(pattern) != labels:
            raise ValueError(f"pattern {pattern} has {len(pattern)} counts for {labels} labels")
        if any(count < 0 for count in pattern):
            raise ValueError(f"pattern {pattern} counts a label less than 0 times")
        if items < 0:
            raise ValueError(f"pattern {pattern} occurs {items} times")

    @classmethod
    def from_votes(cls, scheme: LabelScheme, votes: Iterable[Iterable[str]]) -> "VotePatterns":
        """The patterns of items given as their labels, one inner iterable per item.

        Raises ValueError if a label is not in the scheme.
        """
        return cls(scheme, Counter(_pattern(scheme, labels) for labels in votes))

    @property
    def items(self) -> int:
        """Number of items with at least one rating."""
        return sum(self.counts.values())

    @property
    def ratings(self) -> int:
        """Number of ratings."""
        return sum(sum(pattern) * items for pattern, items in self.counts.items())

    def ratings_per_item(self) -> dict[int, int]:
        """Number of items by how many ratings they have, fewest ratings first."""
        items_by_ratings: Counter[int] = Counter()
        for pattern, items in self.counts.items():
            items_by_ratings[sum(pattern)] += items
        return dict(sorted(items_by_ratings.items()))

    def label_totals(self) -> dict[str, int]:
        """Number of ratings that gave each label of the scheme, zeros included."""
        totals = dict.fromkeys(self.scheme.labels, 0)
        for pattern, items in self.counts.items():
            for label, count in zip(self.scheme.labels, pattern, strict=True):
                totals[label] += count * items
        return totals

    def pairable(self) -> "VotePatterns":
        """The patterns of the items with at least two ratings; only these can agree or not."""
        counts = {pattern: items for pattern, items in self.counts.items() if sum(pattern) > 1}
        return VotePatterns(self.scheme, counts)


@dataclass(frozen=True)
class PairTable:
    """Confusion of two raters: how often they gave which labels to the items they share.

    `counts[a, b]` is the number of items that the first rater labelled `a` and the second `b`.

    Raises ValueError if the raters are not two in sorted order or a count is negative.
    """

    raters: tuple[str, str]
    counts: Mapping[tuple[str, str], int]

    def __post_init__(self) -> None:
        first, second = self.raters
        if first >= second:
            raise ValueError(f"raters {self.raters} are not two names in sorted order")
        for labels, items in self.counts.items():
            if items < 0:
                raise ValueError(f"raters {self.raters}: labels {labels} occur {items} times")

    @property
    def items(self) -> int:
        """Number of items that both raters rated."""
        return sum(self.counts.values())


def pair_tables_from_votes(
    scheme: LabelScheme, votes_by_item: Iterable[Mapping[str, str]]
) -> list[PairTable]:
    """One table for every two raters who share an item, sorted by the raters' names.

    `votes_by_item` holds one mapping from rater to label per item.
    Raises ValueError if a label is not in the scheme.
    """
    counts: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    for votes in votes_by_item:
        for label in votes.values():
            _check_label(scheme, label)
        for first, second in combinations(sorted(votes), 2):
            counts.setdefault((first, second), Counter())[votes[first], votes[second]] += 1
    return [PairTable(raters, dict(counts[raters])) for raters in sorted(counts)]


def _pattern(scheme: LabelScheme, labels: Iterable[str]) -> Pattern:
    counts = [0] * len(scheme.labels)
    for label in labels:
        _check_label(scheme, label)
        counts[scheme.index_of[label]] += 1
    return tuple(counts)


def _check_label(scheme: LabelScheme, label: str) -> None:
    if label not in scheme.index_of:
        raise ValueError(f"label {label!r} is not one of {', '.join(scheme.labels)}")
