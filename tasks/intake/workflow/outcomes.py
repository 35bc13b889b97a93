"""Which outcome of a protocol an answer from a file stands for."""

from tasks.protocols.definition import AnnotationProtocol, AnswersError, Outcome
from tomahto.interchange.reading.records import GivenAnswer, Source


def outcome_of(
    protocol: AnnotationProtocol, given: GivenAnswer, source: Source, *, label_field: str = "label"
) -> Outcome:
    """From the answers if there are any, else from the bare label; if both, they must agree.

    A label is bare also where a question asks for it, if no other is answered.
    Raises InputError naming the field that is wrong; `label_field` is where the label stands.
    """
    answers = {key: value for key, value in given.answers.items() if value is not None}
    try:
        if not answers or answers == {"label": given.label}:
            return protocol.outcome_of_label(given.label or "")
        outcome = protocol.outcome(answers)
    except AnswersError as error:
        field = error.question if answers else label_field
        raise source.error(error.message, field) from error
    if given.label is not None and given.label != outcome.label:
        raise source.error(
            f"{given.label!r} does not match the answers, which mean {outcome.label!r}",
            label_field,
        )
    return outcome
