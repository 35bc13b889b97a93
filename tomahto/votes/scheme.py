"""The labels and the questions of a protocol, as far as statistics need to know them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class LabelScheme:
    """Labels of a protocol in display order, each with its rank.

    Labels of equal rank are different labels at the same place of the order (CAP Tab. 6:
    `equivalent` and `alternative-correct`). A nominal scheme still carries ranks; they are then
    used by weighted statistics only. `level` is the level of measurement at which the
    protocol's agreement is reported.

    Raises ValueError if labels repeat or labels and ranks differ in number.
    """

    labels: tuple[str, ...]
    ranks: tuple[float, ...]
    level: Level = "nominal"

    def __post_init__(self) -> None:
        if len(set(self.labels)) != len(self.labels):
            raise ValueError(f"labels repeat: {self.labels}")
        if len(self.labels) != len(self.ranks):
            raise ValueError(f"{len(self.labels)} labels but {len(self.ranks)} ranks")

    @cached_property
    def rank_of(self) -> Mapping[str, float]:
        return dict(zip(self.labels, self.ranks, strict=True))

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        return {label: index for index, label in enumerate(self.labels)}

    def places(self, labels: Iterable[str]) -> list[int]:
        """The places of these labels in the scheme. Raises ValueError for another."""
        given = list(labels)
        if strangers := [label for label in given if label not in self.index_of]:
            raise ValueError(f"label {strangers[0]!r} is not one of {', '.join(self.labels)}")
        return [self.index_of[label] for label in given]


CHOSEN, NOT_CHOSEN = "chosen", "not-chosen"


@dataclass(frozen=True)
class QuestionScheme:
    """A question and the values it may be answered with, in the order of its form.

    Where `is_multiple`, an answer is one or more of the values, joined by `+`.

    Raises ValueError if values repeat.
    """

    key: str
    values: tuple[str, ...]
    is_multiple: bool = False

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values):
            raise ValueError(f"question {self.key!r}: values repeat: {self.values}")

    def permits(self, answer: str) -> bool:
        """Whether the answer is one of the values, or several of them where that may be."""
        chosen = answer.split("+") if self.is_multiple else [answer]
        return len(set(chosen)) == len(chosen) and set(chosen) <= set(self.values)


@dataclass(frozen=True)
class QuestionPart:
    """A part on which two raters can agree: a question, or one value of a question with several.

    Whether a value was chosen among several is a decision of its own, so its raters agree where
    all or none of them chose it, whatever else they chose. `key` is `q1` for a question and
    `rules.aliasing` for a value.
    """

    question: str
    scheme: LabelScheme
    value: str | None = None

    @cached_property
    def key(self) -> str:
        return self.question if self.value is None else f"{self.question}.{self.value}"

    def answer_in(self, answers: Mapping[str, str]) -> str | None:
        """The rater's answer here; None if they were not asked."""
        answer = answers.get(self.question)
        if answer is None or self.value is None:
            return answer
        return CHOSEN if self.value in answer.split("+") else NOT_CHOSEN


def question_parts(questions: Iterable[QuestionScheme]) -> tuple[QuestionPart, ...]:
    """The parts of all questions but `label`, whose answer is the label itself."""
    choice = LabelScheme((CHOSEN, NOT_CHOSEN), (0, 1))
    parts: list[QuestionPart] = []
    for question in questions:
        if question.key == "label":
            continue
        if question.is_multiple:
            parts += [QuestionPart(question.key, choice, value) for value in question.values]
        else:
            scheme = LabelScheme(question.values, tuple(range(len(question.values))))
            parts.append(QuestionPart(question.key, scheme))
    return tuple(parts)
