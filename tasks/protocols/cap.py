"""The eight ordered classes of answer correctness (CAP §3, Tab. 6).

`equivalent` and `alternative-correct` share a rank; no class has rank 3, so that the step from
a partly right to a wrong answer counts double.
"""

from tasks.protocols.definition import AnnotationProtocol, Example, Label, label_question

_LABELS = (
    Label("exact", "Exact", 7, "the reference answer itself"),
    Label("equivalent", "Equivalent", 6, "the same meaning in other words"),
    Label("alternative-correct", "Alternative correct", 6, "a different answer, also right"),
    Label(
        "overinclusive-valid", "Overinclusive, valid", 5, "right, with more true, relevant content"
    ),
    Label("partial", "Partial", 4, "only part of what is required"),
    Label(
        "overinclusive-invalid",
        "Overinclusive, invalid",
        2,
        "right, with more false or unsupported content",
    ),
    Label("invalid", "Invalid", 1, "wrong"),
    Label("contradictory", "Contradictory", 0, "contradicts the reference or the question"),
)

PROTOCOL = AnnotationProtocol(
    name="cap",
    title="Correctness in eight classes",
    source="CAP §3",
    questions=(label_question("Which class describes the candidate answer best?", _LABELS),),
    labels=_LABELS,
    label_of=lambda answers: answers["label"],
    example=Example(
        question="Who designed the bridge?",
        context="Ana Ruiz and Tom Bell designed the bridge; it was opened in 1902.",
        reference="Ana Ruiz and Tom Bell",
        candidate="Ana Ruiz",
    ),
    level="ordinal",
    correct_labels=frozenset({"exact", "equivalent", "alternative-correct", "overinclusive-valid"}),
)
