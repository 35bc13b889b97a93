"""What the calibration pages show, worked out before a template sees it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.models import Item
from tasks.protocols.definition import AnnotationProtocol
from tasks.rating.shown.reading import shown_references
from tasks.rating.shown.shown_answer import ShownAnswer, shown_answer
from tasks.training.queries import AnswerCheck, Run


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    item: Item
    is_as_expected: bool
    given: ShownAnswer
    expected: ShownAnswer
    explanation: str

    @property
    def references(self) -> Sequence[str]:
        return shown_references(self.item.references)


def shown_verdict(verdict: AnswerCheck, protocol: AnnotationProtocol) -> ShownVerdict:
    return ShownVerdict(
        verdict.item,
        verdict.is_as_expected,
        shown_answer(verdict.given, protocol),
        shown_answer(verdict.expected, protocol),
        verdict.explanation,
    )


def shown_differences(run: Run, protocol: AnnotationProtocol) -> list[ShownVerdict]:
    return [shown_verdict(verdict, protocol) for verdict in run.differences]
