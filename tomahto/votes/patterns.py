"""The number of times that each pattern of votes occurs: all that agreement needs to know of a
campaign.

The number of patterns depends on the labels and on the ratings per item, not on the number of
items: items with up to four ratings and eight labels make at most 494 patterns. Intervals need to
know as well which patterns occur together, as items of one question are not independent.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from tomahto.estimates.estimate import Drawn
from tomahto.votes.scheme import LabelScheme

Pattern = tuple[int, ...]
QuestionPattern = tuple[Pattern, ...]
"""The patterns of a question's items."""


@dataclass(frozen=True)
class VotePatterns:
    """For each pattern of votes the number of items that have it.

    A pattern says how often each label of the scheme was given to an item, in the order of the
    scheme's labels. Items without a rating are left out. Patterns are kept sorted: two tables of
    the same items are equal, and a seeded bootstrap draws the same from both.

    `questions` says how many questions have which patterns on their items. It is empty where
    nothing is known of questions: then each item stands for itself.

    Raises ValueError if a pattern's length is not the number of labels or a count is negative.
    """

    scheme: LabelScheme
    counts: Mapping[Pattern, int]
    questions: Mapping[QuestionPattern, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        labels = len(self.scheme.labels)
        for pattern, items in self.counts.items():
            if len(pattern) != labels:
                raise ValueError(f"pattern {pattern} has {len(pattern)} counts for {labels} labels")
            if any(count < 0 for count in pattern):
                raise ValueError(f"pattern {pattern} counts a label less than 0 times")
            if items < 0:
                raise ValueError(f"pattern {pattern} occurs {items} times")
        counts = {key: items for key, items in sorted(self.counts.items()) if items and any(key)}
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "questions", dict(sorted(self.questions.items())))

    @classmethod
    def from_votes(cls, scheme: LabelScheme, votes: Iterable[Iterable[str]]) -> "VotePatterns":
        """The patterns of items given as their labels, one inner iterable per item.

        Raises ValueError if a label is not in the scheme.
        """
        return cls(scheme, Counter(_pattern(scheme, labels) for labels in votes))

    @classmethod
    def from_votes_of_questions(
        cls, scheme: LabelScheme, votes: Iterable[tuple[Hashable, Iterable[str]]]
    ) -> "VotePatterns":
        """As `from_votes`, each item as its question and its labels."""
        questions: dict[Hashable, list[Pattern]] = {}
        for question, labels in votes:
            questions.setdefault(question, []).append(_pattern(scheme, labels))
        return cls.of_questions(scheme, ((patterns, 1) for patterns in questions.values()))

    @classmethod
    def of_questions(
        cls, scheme: LabelScheme, questions: Iterable[tuple[Iterable[Pattern], int]]
    ) -> "VotePatterns":
        """The patterns of items, from those of a question's items and how many questions have them.

        Raises ValueError as the constructor does.
        """
        counts: Counter[Pattern] = Counter()
        together: Counter[QuestionPattern] = Counter()
        for patterns, times in questions:
            rated = tuple(sorted(filter(any, patterns)))
            together[rated] += times
            for pattern in rated:
                counts[pattern] += times
        del together[()]
        return cls(scheme, counts, together)

    @property
    def items(self) -> int:
        """Number of items with at least one rating."""
        return sum(self.counts.values())

    @property
    def drawn(self) -> Drawn:
        """The clusters that intervals draw: questions with all their items, if they are known."""
        return "questions" if self.questions else "items"

    @property
    def clusters(self) -> int:
        """Number of what is drawn."""
        return sum(self.questions.values()) if self.questions else self.items

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

    def without_questions(self) -> "VotePatterns":
        """The same, and each item stands for itself."""
        return VotePatterns(self.scheme, self.counts)

    def pairable(self) -> "VotePatterns":
        """The patterns of the items with at least two ratings; only these can agree or not."""
        if not self.questions:
            counts = {each: items for each, items in self.counts.items() if sum(each) > 1}
            return VotePatterns(self.scheme, counts)
        return VotePatterns.of_questions(
            self.scheme,
            (
                ((pattern for pattern in patterns if sum(pattern) > 1), times)
                for patterns, times in self.questions.items()
            ),
        )


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
        scheme.places(votes.values())
        for first, second in combinations(sorted(votes), 2):
            counts.setdefault((first, second), Counter())[votes[first], votes[second]] += 1
    return [PairTable(raters, dict(counts[raters])) for raters in sorted(counts)]


def _pattern(scheme: LabelScheme, labels: Iterable[str]) -> Pattern:
    counts = Counter(scheme.places(labels))
    return tuple(counts[place] for place in range(len(scheme.labels)))
