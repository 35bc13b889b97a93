"""Answer equivalence: may the candidate stand in place of the reference? (Bulian et al. 2022, §3)

The wording of the four questions and of the note to Q2 is the instrument of that paper (§3.1) and
is quoted from it word for word.
"""

from tasks.protocols.definition import YES_NO, AnnotationProtocol, Answers, Example, Label, Question

_NOT_ALREADY_SETTLED = {"q1": "no", "q2": "no"}


def label_of(answers: Answers) -> str:
    """`equivalent` iff Q1 is no and Q2 is yes (§3.1)."""
    return "equivalent" if answers.get("q2") == "yes" else "not-equivalent"


def reading_of(answers: Answers) -> str:
    """Why an answer is not equivalent, as the charts show it."""
    if answers["q1"] == "yes":
        return "completely-different"
    if answers["q2"] == "yes":
        return "equivalent"
    loses, adds = answers["q3"] == "yes", answers["q4"] == "yes"
    return {
        (True, False): "loses-information",
        (False, True): "adds-information",
        (True, True): "loses-and-adds",
        (False, False): "otherwise-not-equivalent",
    }[loses, adds]


PROTOCOL = AnnotationProtocol(
    name="ae",
    title="Answer equivalence",
    source="Bulian et al. 2022, §3.1",
    questions=(
        Question("q1", "Is the second answer a completely different answer?", YES_NO),
        Question(
            "q2",
            "Would using the second answer in place of the first answer convey at least the same "
            "information to someone asking this question, without leaving out any important "
            "information nor adding any misleading or superfluous information?",
            YES_NO,
            note="Note that either adding important information or removing superfluous or "
            "misleading information in the second answer from the first answer would still convey "
            "at least the same information.",
            when={"q1": "no"},
        ),
        Question(
            "q3",
            "Does the second answer remove important information?",
            YES_NO,
            when=_NOT_ALREADY_SETTLED,
        ),
        Question(
            "q4",
            "Does the second answer add misleading or excessive superfluous information?",
            YES_NO,
            when=_NOT_ALREADY_SETTLED,
        ),
    ),
    labels=(
        Label("equivalent", "Equivalent", 1, "can stand in place of the reference"),
        Label("not-equivalent", "Not equivalent", 0, "cannot stand in place of the reference"),
    ),
    label_of=label_of,
    example=Example(
        question="When was the power station built?",
        context="The spillway was built in 1931, and the power station three years later.",
        reference="1934",
        candidate="three years after the spillway",
    ),
    reading_of=reading_of,
    has_references_together=False,
    reference_title="First answer",
    candidate_title="Second answer",
    correct_labels=frozenset({"equivalent"}),
)
