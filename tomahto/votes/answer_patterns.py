"""Vote patterns of the label and of every question, folded from one count of whole answers.

Who was not asked a question has no vote on it: the value is missing there, as alpha takes missing
values (Krippendorff 2011, section C), and as the public AE files have it ("undefined"; Bulian et
al. 2022). So agreement on a question is agreement among those who were asked it, over the items
where two or more were. For `ae` they had agreed before that the question arises.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.questions import QuestionPart
from tomahto.votes.scheme import LabelScheme

AnsweredLabel = tuple[str, Mapping[str, str]]
"""A rating's label and the answers it follows from, by question."""


@dataclass(frozen=True)
class AnswerPatterns:
    """The vote patterns of the label, and of each part of the form by its key."""

    labels: VotePatterns
    questions: Mapping[str, VotePatterns]


@dataclass(frozen=True)
class AnswerColumns:
    """What of an item's ratings is counted: each label, then each value of each part.

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

    def fold(self, counts: Mapping[Pattern, int]) -> AnswerPatterns:
        """The vote patterns of items, given how many items have which counts."""
        end = len(self.scheme.labels)
        labels = _folded(self.scheme, counts, slice(0, end))
        questions = {}
        for part in self.parts:
            begin, end = end, end + len(part.scheme.labels)
            questions[part.key] = _folded(part.scheme, counts, slice(begin, end))
        return AnswerPatterns(labels, questions)

    def fold_ratings(self, ratings_by_item: Iterable[Iterable[AnsweredLabel]]) -> AnswerPatterns:
        """The vote patterns of items given as their ratings, one inner iterable per item.

        Raises ValueError if a label or an answer is not in its scheme.
        """
        known: dict[tuple[str, ...], Pattern] = {}
        counts: Counter[Pattern] = Counter()
        for ratings in ratings_by_item:
            votes = [self._counts_once(known, *rating) for rating in ratings]
            counts[tuple(map(sum, zip(*votes, strict=True)))] += 1
        return self.fold({pattern: items for pattern, items in counts.items() if pattern})

    def _counts_once(
        self, known: dict[tuple[str, ...], Pattern], label: str, answers: Mapping[str, str]
    ) -> Pattern:
        said = (label, *answers, *answers.values())
        if said not in known:
            known[said] = self.counts_of(label, answers)
        return known[said]


def _counts(scheme: LabelScheme, answer: str | None) -> Pattern:
    if answer is not None and answer not in scheme.index_of:
        raise ValueError(f"{answer!r} is not one of {', '.join(scheme.labels)}")
    return tuple(int(answer == value) for value in scheme.labels)


def _folded(scheme: LabelScheme, counts: Mapping[Pattern, int], columns: slice) -> VotePatterns:
    votes: Counter[Pattern] = Counter()
    for pattern, items in counts.items():
        votes[pattern[columns]] += items
    return VotePatterns(scheme, votes)
