"""The interface of answerers: an answerer reads a context and proposes a candidate.

Generative ones are asked the same exam question (CAP, App. C). The wording lies in `prompts/`, one
file per wording. A wording in use is not edited: a new one is a new file with the next number, so
that `version` always names the words that were sent.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template
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


_FOLDER = Path(__file__).parent / "prompts"
_WITH_CONTEXT, _WITHOUT_CONTEXT = "exam-passage-1", "exam-1"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to send, and `version`: the wording's file and the start of its SHA-256."""

    text: str
    version: str


def exam_prompt(question: QuestionToAnswer) -> Prompt:
    """The question with its context, if it has one."""
    name = _WITH_CONTEXT if question.context.strip() else _WITHOUT_CONTEXT
    wording = _wording(name)
    text = Template(wording).substitute(question=question.question, context=question.context)
    return Prompt(text, _version(name))


def exam_version() -> str:
    """The versions of all wordings that `exam_prompt` may choose, as part of an answerer's."""
    return "+".join(map(_version, (_WITH_CONTEXT, _WITHOUT_CONTEXT)))


@cache
def _wording(name: str) -> str:
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


@cache
def _version(name: str) -> str:
    return f"{name}:{hashlib.sha256(_wording(name).encode()).hexdigest()[:8]}"
