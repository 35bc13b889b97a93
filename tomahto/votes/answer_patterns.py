"""Vote patterns of the label and of every question, folded from one count of whole answers.

Who was not asked a question has no vote on it: the value is missing there, as alpha takes missing
values (Krippendorff 2011, section C), and as the public AE files have it ("undefined"; Bulian et
al. 2022). So agreement on a question is agreement among those who were asked it, over the items
where two or more were. For `ae` they had agreed before that the question arises.

Confusion between raters is counted from votes that are numbers. A vote's number says who voted and
how: the rater's times the number of outcomes, plus the outcome's. Numbers keep millions of votes
small, and two votes are one pair of numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from tomahto.types import Integers
from tomahto.votes.patterns import PairTable, Pattern, QuestionPattern, VotePatterns
from tomahto.votes.scheme import LabelScheme, QuestionPart


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

    def fold_questions(self, questions: Mapping[QuestionPattern, int]) -> AnswerPatterns:
        """The vote patterns of items, given how many questions have which counts on their items, in
        any order."""

        def folded(scheme: LabelScheme, first: int) -> VotePatterns:
            columns = slice(first, first + len(scheme.labels))
            return VotePatterns.of_questions(
                scheme,
                (
                    ((pattern[columns] for pattern in patterns), times)
                    for patterns, times in questions.items()
                ),
            )

        schemes = [self.scheme, *(part.scheme for part in self.parts)]
        firsts = accumulate((len(scheme.labels) for scheme in schemes), initial=0)
        labels, *of_parts = map(folded, schemes, firsts)
        keys = [part.key for part in self.parts]
        return AnswerPatterns(labels, dict(zip(keys, of_parts, strict=True)))


def _counts(scheme: LabelScheme, answer: str | None) -> Pattern:
    if answer is not None and answer not in scheme.index_of:
        raise ValueError(f"{answer!r} is not one of {', '.join(scheme.labels)}")
    return tuple(int(answer == value) for value in scheme.labels)


END = -1
"""Stands between the votes of two items."""


def pair_tables_from_codes(
    votes: Integers, raters: Mapping[int, str], labels: Sequence[str]
) -> list[PairTable]:
    """One table for every two raters who share an item, sorted by the raters' names.

    `votes` (N,) holds the numbers of all votes item by item, with `END` between two items.
    `raters` names the raters by their numbers, `labels` is the label of each outcome.
    """
    tables: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
    for lower, higher, items in _counted_pairs(votes):
        # in order by name, whatever the order of the numbers
        (rater, label), (other, other_label) = sorted(
            (raters[code // len(labels)], labels[code % len(labels)]) for code in (lower, higher)
        )
        table = tables.setdefault((rater, other), {})
        table[label, other_label] = table.get((label, other_label), 0) + items
    return [PairTable(pair, tables[pair]) for pair in sorted(tables)]


def _counted_pairs(votes: Integers) -> Iterator[tuple[int, int, int]]:
    """Every two votes that an item has, the lower first, and the number of such items."""
    is_vote = votes != END
    items = np.cumsum(~is_vote)[is_vote]
    codes, places = np.unique(votes[is_vote], return_inverse=True)
    pairs = np.concatenate([places[:0], *_pairs(items, places, len(codes))])
    for pair, count in zip(*np.unique(pairs, return_counts=True), strict=True):
        yield int(codes[pair // len(codes)]), int(codes[pair % len(codes)]), int(count)


def _pairs(items: Integers, places: Integers, size: int) -> Iterator[Integers]:
    """The pairs of votes that stand 1 apart, 2 apart and so on, while items are that long."""
    for apart in range(1, len(items)):
        is_same = items[apart:] == items[:-apart]
        if not is_same.any():
            return
        one, other = places[:-apart][is_same], places[apart:][is_same]
        yield np.minimum(one, other) * size + np.maximum(one, other)
