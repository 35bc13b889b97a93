"""The interface of answerers: an answerer reads a context and proposes a candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class QuestionToAnswer:
    """A question without its references: no answerer may see those. `key` names it to the caller.

    `context` may be empty; an answerer that reads nothing else then has no answer.
    """

    key: str
    question: str
    context: str


class ScoredText(NamedTuple):
    """An answer that might have been given instead."""

    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A candidate; the empty text means that the answerer found none.

    `score` is the answerer's confidence, None where it has none. It orders the answers of one
    answerer and version and is not comparable with that of another. `alternatives` are the next
    best answers, best first, without this one. `provenance` says how a text came about (model,
    prompt version, parameters, raw reply); it holds JSON values only.
    """

    key: str
    text: str
    score: float | None
    alternatives: tuple[ScoredText, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Failure:
    """A question the answerer could not deal with. The reason is for people to read.

    The other questions of the batch are answered all the same.
    """

    key: str
    reason: str


class Answerer(Protocol):
    """Makes one candidate per question.

    `version` changes whenever the same question could get another answer: it is derived from
    the content (options, weights), never from a date.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def answer(self, questions: Sequence[QuestionToAnswer]) -> Sequence[Answer | Failure]:
        """One answer or failure per question, in order.

        Raises only what concerns all questions: a model that cannot be loaded, an endpoint that
        refuses the key.
        """
        ...
