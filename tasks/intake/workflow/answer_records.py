"""From what an answerer answers to records that a database can store."""

from tasks.storing.storable import storable
from tomahto.answerers.interface import Answer, Answerer
from tomahto.interchange.reading.records import PredictionRecord, Source


def answer_record(answerer: Answerer, place: int, answer: Answer) -> PredictionRecord:
    """The answer as a prediction of the system that has the answerer's name.

    Its provenance names the answerer's version, which a list of predictions in a file cannot.
    """
    return PredictionRecord(
        Source(answerer.name, place),
        answer.key,
        answer.text,
        score=answer.score,
        alternatives=tuple((storable(text), score) for text, score in answer.alternatives),
        provenance={"version": answerer.version, **storable(dict(answer.provenance))},
    )
