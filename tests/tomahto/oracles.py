"""Counts that the product takes from a database or in numbers, taken from plain lists."""

from collections.abc import Iterable, Mapping, Sequence

from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.majority import vote_confidence
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

AnsweredLabel = tuple[str, Mapping[str, str]]
"""A rating's label and the answers it follows from, by question."""


def fold_ratings(
    columns: AnswerColumns, ratings_by_question: Iterable[Iterable[Iterable[AnsweredLabel]]]
) -> AnswerPatterns:
    """The vote patterns of questions, from the ratings of each of their items."""
    questions = [
        [
            tuple(map(sum, zip(*(columns.counts_of(*vote) for vote in item), strict=True)))
            for item in items
        ]
        for items in ratings_by_question
    ]

    def folded(scheme: LabelScheme, begin: int) -> VotePatterns:
        end = begin + len(scheme.labels)
        rated = ([item[begin:end] for item in items if item] for items in questions)
        return VotePatterns.of_questions(scheme, ((items, 1) for items in rated))

    begin, parts = len(columns.scheme.labels), {}
    for part in columns.parts:
        parts[part.key] = folded(part.scheme, begin)
        begin += len(part.scheme.labels)
    return AnswerPatterns(folded(columns.scheme, 0), parts)


def label_confidence(votes: Sequence[int], surplus: Sequence[int]) -> float:
    """The certainty of the label that the votes give an item, by these and by those that came
    late."""
    together = [counted + late for counted, late in zip(votes, surplus, strict=True)]
    first = [place for place, counted in enumerate(votes) if counted == max(votes)]
    return max(vote_confidence(together, place) for place in first)
