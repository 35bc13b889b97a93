"""The prompt of generative models: the same exam question for every model (CAP, App. C).

The wording lies in `prompts/`, one file per wording. A wording in use is not edited: a new one is a
new file with the next number, so that `version` always names the words that were sent.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from tomahto.answerers.interface import QuestionToAnswer

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
