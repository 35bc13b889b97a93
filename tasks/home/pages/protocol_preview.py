"""A protocol's form to be tried before it is chosen: as raters get it, and stored nowhere."""

import json
from typing import NamedTuple

from tasks.protocols.definition import AnnotationProtocol, Answers, Choice, Question

_MOST_OUTCOMES = 32  # a form with more says its label in its first question


class TriedChoice(NamedTuple):
    """An answer to choose; `when` says as JSON after which answers it is offered."""

    choice: Choice
    when: str


class TriedQuestion(NamedTuple):
    """A question of the form; `when` says as JSON after which answers it is asked."""

    question: Question
    when: str
    choices: list[TriedChoice]


class Preview(NamedTuple):
    """A protocol with its questions; `outcomes` are pairs of answers and label title as JSON."""

    protocol: AnnotationProtocol
    questions: list[TriedQuestion]
    outcomes: str


def preview_of(protocol: AnnotationProtocol) -> Preview:
    questions = [
        TriedQuestion(
            each,
            _as_json(each.when),
            [TriedChoice(choice, _as_json(choice.when)) for choice in each.choices],
        )
        for each in protocol.questions
    ]
    outcomes: list[list[object]] = [
        [dict(each.answers), protocol.titles[each.label]]
        for each in protocol.outcomes
        if each.answers
    ]
    few = outcomes if len(outcomes) <= _MOST_OUTCOMES else []
    return Preview(protocol, questions, _as_json(few))


def _as_json(value: Answers | list[list[object]]) -> str:
    return json.dumps(value if isinstance(value, list) else dict(value))
