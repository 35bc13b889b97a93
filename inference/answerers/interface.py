"""What every answerer is: something that reads a context and proposes a candidate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class QuestionToAnswer:
    """A question without its references: no answerer may see those. `key` names it to the caller.

    `context` may be empty; an answerer that reads nothing else then has no answer.
    """

    key: str
    question: str
    context: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A candidate; the empty text means that the answerer found none.

    `score` is the answerer's confidence. It orders the answers of one answerer and version and
    is not comparable with that of another.
    """

    key: str
    text: str
    score: float


class Answerer(Protocol):
    """Makes one candidate per question.

    `version` changes whenever the same question could get another answer: it is derived from
    the content (options, weights), never from a date.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        """One answer per question, in order."""
        ...
