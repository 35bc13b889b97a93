"""Vote patterns of the label and of every question, folded from one count of whole answers.

Who was not asked a question has no vote on it: the value is missing there, as alpha takes missing
values (Krippendorff 2011, section C), and as the public AE files have it ("undefined"; Bulian et
al. 2022). So agreement on a question is agreement among those who were asked it, over the items
where two or more were. For `ae` they had agreed before that the question arises.

All is counted from votes as arrays, so that millions of them take seconds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from tomahto.types import Integers
from tomahto.votes.patterns import PairTable, Pattern, QuestionKinds, VotePatterns
from tomahto.votes.scheme import LabelScheme, QuestionPart

_BITS = 62  # of a whole number


@dataclass(frozen=True)
class AnswerPatterns:
    """The vote patterns of the label, and of each part of the form by its key."""

    labels: VotePatterns
    questions: Mapping[str, VotePatterns]

    def without_questions(self) -> "AnswerPatterns":
        """The same, and nothing is known of the questions that items belong to."""
        return AnswerPatterns(
            self.labels.without_questions(),
            {key: votes.without_questions() for key, votes in self.questions.items()},
        )


@dataclass(frozen=True)
class AnswerColumns:
    """The counted parts of an item's ratings: each label, then each value of each part.

    An item's counts in these columns are all that agreement needs to know of it, and there are
    fewer different ones than there are combinations of complete answers.
    """

    scheme: LabelScheme
    parts: tuple[QuestionPart, ...]

    def counts_of(self, label: str, answers: Mapping[str, str]) -> Pattern:
        """The counts of one rating: 1 for its label, and for its answer to each part asked.

        Raises ValueError if the label or an answer is not in its scheme.
        """
        counts = _counts(self.scheme, label)
        for part in self.parts:
            counts += _counts(part.scheme, part.answer_in(answers))
        return counts

    def folded(self, counts: Sequence[Pattern], questions: QuestionKinds) -> AnswerPatterns:
        """The vote patterns of the items of kinds of question, whose patterns are places in
        `counts`."""
        schemes = [self.scheme, *(part.scheme for part in self.parts)]
        ends = list(accumulate(len(scheme.labels) for scheme in schemes))
        labels, *of_parts = (
            VotePatterns.of_items(
                scheme,
                [pattern[end - len(scheme.labels) : end] for pattern in counts],
                questions.patterns,
                questions.kinds,
                questions.times,
            )
            for scheme, end in zip(schemes, ends, strict=True)
        )
        keys = [part.key for part in self.parts]
        return AnswerPatterns(labels, dict(zip(keys, of_parts, strict=True)))


def _counts(scheme: LabelScheme, answer: str | None) -> Pattern:
    if answer is not None and answer not in scheme.index_of:
        raise ValueError(f"{answer!r} is not one of {', '.join(scheme.labels)}")
    return tuple(int(answer == value) for value in scheme.labels)


@dataclass(frozen=True, eq=False)
class Ballots:
    """Votes one by one as arrays (N,): the number of the item, of its question and of the rater of
    each, and its outcome, by its place among all that a rating may say.

    `counts` are those of a vote of each outcome in some columns, `labels` the outcomes' labels.
    Votes stand in any order, `by_item` puts those of an item together.
    """

    items: Integers
    questions: Integers
    raters: Integers
    outcomes: Integers
    counts: Sequence[Pattern]
    labels: Sequence[str]

    def by_item(self) -> "Ballots":
        if (np.diff(self.items) >= 0).all():
            return self
        order = np.argsort(self.items, kind="stable")
        return replace(
            self,
            items=self.items[order],
            questions=self.questions[order],
            raters=self.raters[order],
            outcomes=self.outcomes[order],
        )

    def patterns(self, columns: AnswerColumns) -> AnswerPatterns:
        """The vote patterns in the columns that the `counts` are of, of votes by item."""
        if not len(self.items):
            return columns.folded([], QuestionKinds.of(self.items, self.items, self.items))
        kind_of, kinds = _kinds(self._starts, self.outcomes, len(self.labels))
        asked, questions = np.unique(self.questions[self._starts], return_inverse=True)
        together = QuestionKinds.of(kind_of, questions, np.ones_like(asked))
        counts = kinds @ np.array(self.counts, dtype=np.int64)
        return columns.folded(list(map(tuple, counts.tolist())), together)

    def pair_tables(self, names: Mapping[int, str]) -> list[PairTable]:
        """Of votes by item, one table for every two raters who share an item, sorted by the raters'
        `names`."""
        numbers = sorted(names)
        votes = [(names[number], label) for number in numbers for label in self.labels]
        raters = np.searchsorted(np.array(numbers, dtype=np.int64), self.raters)
        codes = raters * len(self.labels) + self.outcomes
        tables: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
        for pairs in _pairs(self._starts, codes, len(votes)):
            for pair, items in zip(*_tally(pairs, len(votes) ** 2), strict=True):
                # in order by name, whatever the order of the numbers
                (rater, label), (other, other_label) = sorted(
                    (votes[pair // len(votes)], votes[pair % len(votes)])
                )
                tables.setdefault((rater, other), Counter())[label, other_label] += items
        return [PairTable(pair, dict(tables[pair])) for pair in sorted(tables)]

    @cached_property
    def _starts(self) -> Integers:
        """The place of the first vote of each item (I,)."""
        return np.flatnonzero(np.diff(self.items, prepend=-1))


def patterns_of_labels(
    scheme: LabelScheme, items: Integers, questions: Integers, labels: Integers
) -> VotePatterns:
    """From the number of each vote's item and of its question and the place of its label, (N,) all
    three, in any order."""
    counts = [_counts(scheme, label) for label in scheme.labels]
    votes = Ballots(items, questions, labels, labels, counts, scheme.labels)  # whoever gave them
    return votes.by_item().patterns(AnswerColumns(scheme, ())).labels


def _kinds(starts: Integers, codes: Integers, width: int) -> tuple[Integers, Integers]:
    """Groups in which each of `width` codes occurs equally often are one kind: the kind of each
    group (G,), and how often each code occurs in one of each kind (K, W).

    A group's counts are the bits of as few whole numbers as hold them.
    """
    sizes = np.diff(starts, append=len(codes))
    bits = int(sizes.max(initial=1)).bit_length()
    kind_of, firsts = np.zeros(len(starts), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for first in range(0, width, _BITS // bits):
        units = np.zeros(width, dtype=np.int64)
        some = units[first : first + _BITS // bits]
        some[:] = 1 << bits * np.arange(len(some))
        packed, words = np.unique(np.add.reduceat(units[codes], starts), return_inverse=True)
        together = kind_of * len(packed) + words
        _, firsts, kind_of = np.unique(together, return_index=True, return_inverse=True)
    is_first = np.zeros(len(starts), dtype=bool)
    is_first[firsts] = True
    chosen = np.repeat(is_first, sizes)
    cells = np.repeat(kind_of[is_first], sizes[is_first]) * width + codes[chosen]
    counts = np.bincount(cells, minlength=len(firsts) * width)
    return kind_of, counts.reshape(len(firsts), width)


def _pairs(starts: Integers, codes: Integers, size: int) -> Iterator[Integers]:
    """Every two codes of a group as one number, the lower one first: those of votes that stand 1
    apart, then 2 apart and so on."""
    sizes = np.diff(starts, append=len(codes))
    groups = np.repeat(np.arange(len(starts)), sizes)
    for apart in range(1, int(sizes.max(initial=0))):
        is_long = sizes[groups] > apart
        codes, groups = codes[is_long], groups[is_long]
        is_same = groups[apart:] == groups[:-apart]
        one, other = codes[:-apart][is_same], codes[apart:][is_same]
        yield np.minimum(one, other) * size + np.maximum(one, other)


def _tally(numbers: Integers, size: int) -> tuple[list[int], list[int]]:
    """The different numbers below `size`, and how often each occurs."""
    if size > len(numbers):  # what a table of all would be mostly empty for
        known, times = np.unique(numbers, return_counts=True)
    else:
        table = np.bincount(numbers)
        known = np.flatnonzero(table)
        times = table[known]
    return known.tolist(), times.tolist()
