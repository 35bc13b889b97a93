"""The answers that a system weighed for each question: SQuAD's n-best files, and JSON lines.

The first answer of a question is the candidate, the others are its alternatives.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from math import isfinite
from typing import Final

from tomahto.interchange.reading.records import PredictionRecord
from tomahto.interchange.reading.row import Row, name_in_error
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.reading.strict_json import open_document
from tomahto.interchange.table import FileToRead, ImportFormat

_SCORES: Final = (
    ("score",),
    ("start_logit", "end_logit"),
    ("start_log_prob", "end_log_prob"),
    ("probability",),
)
"""The values that order the answers of a file, the best known first: several fields are summed.
Probabilities are the last choice, as they are of one question's list and hardly comparable between
questions."""


def _squad(file: FileToRead) -> Iterator[PredictionRecord]:
    """The `nbest_predictions.json` that BERT's and transformers' SQuAD scripts write: one object
    {question id: [{"text", "start_logit", "end_logit", "probability"}, …]}."""

    def rows() -> Generator[tuple[str, Row]]:
        with open_document(file.file, file.max_document_bytes) as document:
            for key in document.members():
                yield (
                    name_in_error(key),
                    Row(document.source, {"id": key, name_in_error(key): document.value()}),
                )
            document.finish()

    return _predictions(rows())


def _lines(file: FileToRead) -> Iterator[PredictionRecord]:
    """JSON lines of `id` (or `qid`) and `answers`, a list of {"text", "score"}."""
    return _predictions(("answers", row) for row in json_rows(file.file))


def _predictions(rows: Generator[tuple[str, Row]]) -> Iterator[PredictionRecord]:
    """Of rows with the field that holds the answers. All answers of a file are scored alike, as
    the first one is, or their scores could not be compared."""
    names: Sequence[str] = ()
    with closing(rows):  # and with them the file, also where an answer is refused
        for field, row in rows:
            answers: dict[str, float] = {}
            for answer in row.rows(field):
                names = names or _score_names(answer)
                text = answer.text_or_empty("text")
                answers.setdefault(text, _score(answer, names))
            if not answers:
                raise row.error("has no answer", field)
            (candidate, score), *others = answers.items()
            others.sort(key=lambda other: -other[1])
            yield PredictionRecord(
                row.source, row.name("id", "qid"), candidate, score, tuple(others)
            )


def _score(answer: Row, names: Sequence[str]) -> float:
    score = sum(answer.number(name) for name in names)
    if not isfinite(score):
        raise answer.error("is out of range once added up with the others", names[-1])
    return score


def _score_names(answer: Row) -> Sequence[str]:
    for names in _SCORES:
        if all(answer.field_of(name) for name in names):
            return names
    choices = ", ".join(" and ".join(names) for names in _SCORES[1:])
    raise answer.error(f"is missing, and so are {choices}", "score")


FORMATS: Final = (
    ImportFormat(
        name="squad-nbest",
        title="SQuAD n-best",
        place=4,
        pattern=re.compile(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\['),
        readers={"predictions": _squad},
    ),
    ImportFormat(
        name="nbest",
        title="JSON lines (n-best)",
        place=5,
        line_fields=frozenset({"answers"}),
        readers={"predictions": _lines},
    ),
)
