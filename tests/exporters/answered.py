"""The sample release with all answers of its systems."""

from dataclasses import replace

from tests.exporters.samples import CAMPAIGN, CONTENT
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord


def asked(id_: str, document: str, *references: str, question: str = "") -> AnsweredQuestion:
    return AnsweredQuestion(
        id=id_,
        document=document,
        question=question or f"What is {id_}?",
        context=f"A passage of {document}.",
        references=references,
    )


QA = asked("qa", "A", "the city of Paris", "Paris")
QD = asked("qd", "D", "", "Paris")
QE = asked("qe", "E", "=1+1", "the Seine")  # nothing in E was rated
PARIS = "in Paris, France"
ANSWERS = (
    AnswerRecord(QA, "xlnet", PARIS, "rated", ("a2", "a1")),
    AnswerRecord(QA, "bidaf", PARIS, "rated", ("a1", "a2")),
    AnswerRecord(QA, "luke", "Paris!", "exact"),
    AnswerRecord(asked("qb", "B", "two"), "luke", "=2+2", "rated", ("b1",)),
    AnswerRecord(asked("qc", "C", "O notation"), "xlnet", "Big O notation", "rated", ("c1",)),
    AnswerRecord(QD, "bidaf", "", "rated", ("d1",)),
    AnswerRecord(QD, "bidaf", "a\0b\r\nc\u2028“d”", "rated", ("e1",)),  # which nobody rated
    AnswerRecord(QE, "bidaf", "The Seine", "exact"),
    AnswerRecord(QE, "xlnet", "", "not-rated"),
)
ACCEPTING = replace(CAMPAIGN, accepted_labels=("equivalent",))
ANSWERED = replace(CONTENT, campaign=ACCEPTING, answers=ANSWERS)
