"""What the calibration pages show, worked out before a template sees it."""

from dataclasses import dataclass

from tasks.models import Assignment, Item, Membership, Outcome
from tasks.protocols.definition import AnnotationProtocol
from tasks.queries.calibration import Run, Verdict
from tasks.views.rating_page import Filling, Notice, RatingPage


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer in words. `steps` are the answers behind the label, where that says more."""

    label: str
    steps: str


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    item: Item
    is_as_expected: bool
    given: ShownAnswer
    expected: ShownAnswer
    explanation: str


def form_page(
    membership: Membership, item: Item, filling: Filling, notice: Notice | None = None
) -> RatingPage:
    """The rating page of an item that nobody is assigned to: the assignment is never stored."""
    return RatingPage(Assignment(item=item, rater=membership), filling, notice)


def shown_verdict(verdict: Verdict, protocol: AnnotationProtocol) -> ShownVerdict:
    return ShownVerdict(
        verdict.item,
        verdict.is_as_expected,
        _shown(verdict.given, protocol),
        _shown(verdict.expected, protocol),
        verdict.explanation,
    )


def shown_differences(run: Run, protocol: AnnotationProtocol) -> list[ShownVerdict]:
    return [shown_verdict(verdict, protocol) for verdict in run.differences]


def _shown(outcome: Outcome, protocol: AnnotationProtocol) -> ShownAnswer:
    label = next(each.title for each in protocol.labels if each.value == outcome.label)
    if len(protocol.questions) == 1:
        return ShownAnswer(label, "")
    steps = []
    for number, question in enumerate(protocol.questions, start=1):
        chosen = outcome.answers.get(question.key, "").split("+")
        titles = [choice.title for choice in question.choices if choice.value in chosen]
        if titles:
            steps.append(f"{number} {', '.join(titles)}")
    return ShownAnswer(label, " · ".join(steps))
