"""The number of times that each pattern of votes occurs: all that agreement needs to know of a
campaign.

The number of patterns depends on the labels and on the ratings per item, not on the number of
items: items with up to four ratings and eight labels make at most 494 patterns. Intervals need to
know as well which patterns occur together, as items of one question are not independent.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from tomahto.estimates.estimate import Drawn
from tomahto.types import Integers
from tomahto.votes.scheme import LabelScheme

Pattern = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class QuestionKinds:
    """Questions whose items have the same patterns are one kind, of which there are `times` (Q,).

    Each item of a question of each kind has an entry: the place of its pattern (E,) and the number
    of the kind (E,), by kind and then by place. Kinds are sorted by the patterns of their items.
    """

    patterns: Integers
    kinds: Integers
    times: Integers

    @classmethod
    def of(cls, patterns: Integers, questions: Integers, times: Integers) -> "QuestionKinds":
        """From the pattern's place and the question's number of every item (I,) both, and how many
        questions there are of each number."""
        width = int(patterns.max(initial=0)) + 1
        questions, patterns = np.divmod(np.sort(questions * width + patterns), width)
        # as texts in the order of their numbers: the first byte has the most weight
        text, size = patterns.astype(">u4").tobytes(), 4
        starts = np.flatnonzero(np.diff(questions, prepend=-1))
        bounds = np.append(starts * size, len(text)).tolist()
        tally: Counter[bytes] = Counter()
        for (begin, end), number in zip(
            pairwise(bounds), times[questions[starts]].tolist(), strict=True
        ):
            tally[text[begin:end]] += number
        kinds = sorted(tally)
        items = [len(kind) // size for kind in kinds]
        return cls(
            np.frombuffer(b"".join(kinds), dtype=">u4").astype(np.int64),
            np.repeat(np.arange(len(kinds)), items),
            np.array([tally[kind] for kind in kinds], dtype=np.int64),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuestionKinds) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("patterns", "kinds", "times")
        )


@dataclass(frozen=True)
class VotePatterns:
    """For each pattern of votes the number of items that have it.

    A pattern says how often each label of the scheme was given to an item, in the order of the
    scheme's labels. Items without a rating are left out. Patterns are kept sorted: two tables of
    the same items are equal, and a seeded bootstrap draws the same from both.

    `questions` says which patterns stand together on the items of a question. It is None where
    nothing is known of questions: then each item stands for itself.

    Raises ValueError if a pattern's length is not the number of labels or a count is negative.
    """

    scheme: LabelScheme
    counts: Mapping[Pattern, int]
    questions: QuestionKinds | None = None

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
        number_of: dict[Pattern, int] = {}
        rows, of_question, times = [], [], []
        for question, (patterns, number) in enumerate(questions):
            places = [number_of.setdefault(pattern, len(number_of)) for pattern in patterns]
            rows += places
            of_question += [question] * len(places)
            times.append(number)
        return cls.of_items(
            scheme,
            list(number_of),
            *(np.array(numbers, dtype=np.int64) for numbers in (rows, of_question, times)),
        )

    @classmethod
    def of_items(
        cls,
        scheme: LabelScheme,
        patterns: Sequence[Pattern],
        rows: Integers,
        questions: Integers,
        times: Integers,
    ) -> "VotePatterns":
        """The patterns of items (I,): the place of each in `patterns`, which may repeat and have
        no vote, the number of its question (I,), and how many questions there are of each number.

        Raises ValueError as the constructor does.
        """
        items = np.bincount(rows, times[questions], len(patterns)).astype(np.int64)
        counts: Counter[Pattern] = Counter()
        for pattern, number in zip(patterns, items.tolist(), strict=True):
            counts[pattern] += number
        made = cls(scheme, counts)
        place_of = {pattern: place for place, pattern in enumerate(made.counts)}
        places = np.array([place_of.get(pattern, -1) for pattern in patterns], dtype=np.int64)[rows]
        is_rated = places >= 0
        kinds = QuestionKinds.of(places[is_rated], questions[is_rated], times)
        return cls(scheme, made.counts, kinds if len(kinds.times) else None)

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
        return int(self.questions.times.sum()) if self.questions else self.items

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
        counts = {each: items for each, items in self.counts.items() if sum(each) > 1}
        if not self.questions or len(counts) == len(self.counts):
            return VotePatterns(self.scheme, counts, self.questions)
        is_kept = np.array([each in counts for each in self.counts])[self.questions.patterns]
        return VotePatterns.of_items(
            self.scheme,
            list(self.counts),
            self.questions.patterns[is_kept],
            self.questions.kinds[is_kept],
            self.questions.times,
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
