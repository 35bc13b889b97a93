"""Questions with their answers, to train a reader on, and the folds they are split into."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tomahto.answerers.interface import QuestionToAnswer
from tomahto.estimates.bootstrap import numbered
from tomahto.text.same_question import question_form

SplitBy = Literal["question", "document"]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question whose answers are known; without references it has none.

    `starts` are the characters where the references begin in the context, one each, None where a
    file does not say. A question without a document is one of its own.
    """

    key: str
    question: str
    context: str
    references: tuple[str, ...]
    starts: tuple[int | None, ...]
    document: str | None = None

    @property
    def to_answer(self) -> QuestionToAnswer:
        """The part of it that its answerer may see."""
        return QuestionToAnswer(self.key, self.question, self.context)

    def place(self) -> tuple[int, int] | None:
        """First character and end of an answer in the context.

        That of the first reference with a place, otherwise the first occurrence of the first
        reference that occurs; None where none does.
        """
        for reference, start in zip(self.references, self.starts, strict=True):
            if start is not None:
                return start, start + len(reference)
        for reference in self.references:
            if (found := self.context.find(reference)) >= 0:
                return found, found + len(reference)
        return None


def assign_folds(
    questions: Sequence[LabelledQuestion], *, folds: int, by: SplitBy, seed: int
) -> list[int]:
    """The fold (from 0) of each question, drawn at random (Bulian et al. 2022, §3.2).

    Questions that belong together share a fold: by question those that are the same
    however spelled, by document those of a document. Folds differ by at most one such group.
    Raises ValueError for fewer than two folds, or fewer groups than folds.
    """
    group = numbered([_group(question, by) for question in questions])
    groups = len(set(group.tolist()))
    if not 2 <= folds <= groups:
        raise ValueError(f"{folds} folds of {groups} {by}s: take 2 or more, but no more")
    fold_of: list[int] = (np.random.default_rng(seed).permutation(groups) % folds)[group].tolist()
    return fold_of


def _group(question: LabelledQuestion, by: SplitBy) -> tuple[str, str]:
    if by == "question":
        return "question", question_form(question.question)
    if question.document is None:
        return "own", question.key
    return "document", question.document
