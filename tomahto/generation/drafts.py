"""Results of generation: drafts for people to look at, and faults for people to know of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Draft:
    """A generated text that nobody has approved.

    `target` is what it was asked to be: a class, a cell `SUBJECT/TYPE`, or `RULE/LABEL`.
    `question_key` names the question it belongs to, where that is the campaign's.
    """

    target: str
    question: str
    reference: str
    candidate: str
    provenance: Mapping[str, Any]
    question_key: str = ""
    question_type: str = ""
    texts: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """A reply, or a part of one, that makes no draft. The raw reply is in the provenance.

    `texts` is how many of those that were asked for are lost with it.
    """

    target: str
    reason: str
    provenance: Mapping[str, Any] = field(default_factory=dict)
    question_key: str = ""
    texts: int = 1
