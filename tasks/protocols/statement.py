"""Is a generated declarative sentence faithful to question and answer? (CAP App. B.5, Tab. 10)"""

from tasks.protocols.definition import AnnotationProtocol, Example, Label, label_question

_LABELS = (
    Label("correct", "Correct", 3, "says exactly what question and answer say, and reads well"),
    Label("syntactic", "Syntactic error", 2, "the meaning is right, the sentence is not"),
    Label("semantic", "Semantic error", 1, "a good sentence whose meaning is off"),
    Label("wrong", "Wrong", 0, "neither the meaning nor the sentence is right"),
)

PROTOCOL = AnnotationProtocol(
    name="statement",
    title="Statement validation",
    source="CAP App. B.5",
    questions=(label_question("Does the statement say what question and answer say?", _LABELS),),
    labels=_LABELS,
    label_of=lambda answers: answers["label"],
    example=Example(
        question="Who designed the bridge?",
        context="",
        reference="Ana Ruiz",
        candidate="The bridge was designed from Ana Ruiz.",
    ),
    rates_answers=False,
    reference_title="Answer",
    candidate_title="Statement",
    correct_labels=frozenset({"correct"}),
)
