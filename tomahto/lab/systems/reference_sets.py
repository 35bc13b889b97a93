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
from statistics import fmean
from typing import Literal, NamedTuple

from tomahto.lab.judged import JudgedData
from tomahto.lab.systems.answers import Answer
from tomahto.text.normalisation import bag_overlap, tokens

LeftOut = Literal["other", "new"]


class Overlaps(NamedTuple):
    """Exact match in normal form (0 or 1) and token F1, with the best of the references: of
    several texts the means."""

    em: float
    f1: float


@dataclass(frozen=True)
class ReferenceSets:
    """The references of every question, and the candidates that people accepted."""

    data: JudgedData

    @cached_property
    def references(self) -> Mapping[str, Sequence[str]]:
        """The references of each question that a system answered."""
        questions = (answer.question for answer in self.data.answers)
        return {question.id: question.references for question in questions}

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
        references = self.references[answer.question_id]
        return [
            text
            for text, systems in self.accepted.get(answer.question_id, {}).items()
            if systems - {answer.system}
            and text not in references
            and (left_out == "new" or text not in answer.texts)
        ]

    def overlaps(self, answer: Answer, added: Sequence[str] = ()) -> Overlaps:
        """With the question's references and what was added. Raises ValueError without any."""
        texts = (*self.references[answer.question_id], *added)
        if not texts:
            raise ValueError(f"question {answer.question_id} has no reference")
        compared = [tokens(text) for text in texts]
        given = [tokens(text) for text in answer.texts]
        return Overlaps(
            em=fmean(words in compared for words in given),
            f1=fmean(max(bag_overlap(words, each).f1 for each in compared) for words in given),
        )
