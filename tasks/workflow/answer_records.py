"""From what an answerer answers to records that a database can store."""

from typing import Any

from inference.answerers.interface import Answer, Answerer
from tasks.importers.records import PredictionRecord, Source

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def answer_record(answerer: Answerer, place: int, answer: Answer) -> PredictionRecord:
    """The answer as a prediction of the system that has the answerer's name.

    Its provenance names the answerer's version, which a list of predictions in a file cannot.
    """
    return PredictionRecord(
        Source(answerer.name, place),
        answer.key,
        answer.text,
        score=answer.score,
        alternatives=tuple((_storable(text), score) for text, score in answer.alternatives),
        provenance={"version": answerer.version, **_storable(dict(answer.provenance))},
    )


def _storable(value: Any) -> Any:
    """The JSON value with U+FFFD for what PostgreSQL's jsonb refuses: NUL and half pairs."""
    match value:
        case str():
            text = value.replace("\0", _REPLACEMENT)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_storable(key): _storable(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_storable(inner) for inner in value]
        case _:
            return value
