"""An answer as people read it: its label, and the answers behind it."""

from dataclasses import dataclass

from tasks.models import Outcome
from tasks.protocols.definition import AnnotationProtocol


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer in words. `steps` are the answers behind the label, where that says more."""

    label: str
    steps: str


def shown_answer(outcome: Outcome, protocol: AnnotationProtocol) -> ShownAnswer:
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
