"""Counts that the product takes from a database or in numbers, taken from plain lists."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.majority import vote_confidence
from tomahto.votes.patterns import QuestionPattern

AnsweredLabel = tuple[str, Mapping[str, str]]
"""A rating's label and the answers it follows from, by question."""


def fold_ratings(
    columns: AnswerColumns, ratings_by_question: Iterable[Iterable[Iterable[AnsweredLabel]]]
) -> AnswerPatterns:
    """The vote patterns of questions, from the ratings of each of their items."""
    questions: Counter[QuestionPattern] = Counter()
    for items in ratings_by_question:
        votes = ([columns.counts_of(*rating) for rating in item] for item in items)
        questions[tuple(tuple(map(sum, zip(*item, strict=True))) for item in votes)] += 1
    return columns.fold_questions(questions)


def label_confidence(votes: Sequence[int], surplus: Sequence[int]) -> float:
    """The certainty of the label that the votes give an item, by these and by those that came
    late."""
    together = [counted + late for counted, late in zip(votes, surplus, strict=True)]
    first = [place for place, counted in enumerate(votes) if counted == max(votes)]
    return max(vote_confidence(together, place) for place in first)
