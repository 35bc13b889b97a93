"""Correct or not, and by which rules of answer correctness (CFMatch Tab. 1).

Two rules settle the label and so go with one label only: what is irrelevant or inaccurate "should
be incorrect", another possible answer "is correct but not in the reference list". The other five
can speak for an answer or against it.
"""

from collections.abc import Mapping

from tasks.protocols.definition import AnnotationProtocol, Answers, Choice, Example, Label, Question

_RULES = (
    ("aliasing", "Entity aliasing", "another name of the same entity"),
    ("numerical", "Numerical information", "numbers, dates, units, their precision"),
    ("fewer-details", "Fewer details", "says less than the reference"),
    ("more-details", "More details", "says more than the reference"),
    ("semantic", "Semantic equivalence", "the same meaning in other words"),
    ("irrelevant", "Irrelevant or inaccurate", "information that is beside the point or false"),
    ("other-answers", "Other possible answers", "right, though it is not the reference"),
)

_SETTLED: Mapping[str, Answers] = {
    "irrelevant": {"label": "incorrect"},
    "other-answers": {"label": "correct"},
}

PROTOCOL = AnnotationProtocol(
    name="rules",
    title="Correctness and its rules",
    source="CFMatch Tab. 1",
    questions=(
        Question(
            "label",
            "Is the candidate answer correct?",
            (Choice("correct", "Correct", "y"), Choice("incorrect", "Incorrect", "n")),
        ),
        Question(
            "rules",
            "Which rules decide it? One or more.",
            tuple(
                Choice(value, title, str(place), meaning, _SETTLED.get(value, {}))
                for place, (value, title, meaning) in enumerate(_RULES, start=1)
            ),
            multiple=True,
        ),
    ),
    labels=(
        Label("correct", "Correct", 1, "answers the question as the reference does"),
        Label("incorrect", "Incorrect", 0, "does not answer the question"),
    ),
    label_of=lambda answers: answers["label"],
    example=Example(
        question="How long is the river?",
        context="The river is 103 kilometres long and rises in the northern hills.",
        reference="103 kilometres",
        candidate="about 100 km",
    ),
    correct_labels=frozenset({"correct"}),
)
