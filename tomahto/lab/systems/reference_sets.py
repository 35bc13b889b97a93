"""What an answer may be compared with: its question's references, and candidates that people
accepted for other systems.

An answer's references grow by the candidates to the same question that are right to people and that
some other system gave. What people said of the answer itself must not make it right. There are two
ways to leave it out:

- "other": candidates that are word for word the answer itself are left out, whoever gave them.
- "new": the answer's system is left out, as if nobody had judged it yet. A candidate that is word
  for word the answer is in if another system gave it, too: for a new system it would be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from tomahto.lab.judged import JudgedData
from tomahto.lab.systems.answers import Answer

LeftOut = Literal["other", "new"]


class Overlaps(NamedTuple):
    """Exact match in normal form (0 or 1) and token F1, with the best of the references
    (tomahto.scoring.squad_v1): of several texts the means."""

    em: float
    f1: float


@dataclass(frozen=True)
class ReferenceSets:
    """The candidates that people accepted, and what answers gain if they become references."""

    data: JudgedData

    @cached_property
    def accepted(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """By question, the accepted candidates and the systems that gave them."""
        found: dict[str, dict[str, frozenset[str]]] = {}
        for item in self.data.items:
            for system, question in self.data.answered(item) if item.is_right else ():
                texts = found.setdefault(question, {})
                texts[item.candidate] = texts.get(item.candidate, frozenset()) | {system}
        return found

    def added(self, answer: Answer, left_out: LeftOut) -> Sequence[str]:
        """The candidates that the answer's references grow by; none that is a reference already."""
        return [
            text
            for text, systems in self.accepted.get(answer.question_id, {}).items()
            if systems - {answer.system}
            and text not in answer.references
            and (left_out == "new" or text not in answer.texts)
        ]

    def overlaps(self, answer: Answer, added: Sequence[str] = ()) -> Overlaps:
        """With the question's references and what was added."""
        found = answer.earned(added)
        return Overlaps(
            em=answer.of_texts([each.exact_match for each in found]),
            f1=answer.of_texts([each.f1 for each in found]),
        )
