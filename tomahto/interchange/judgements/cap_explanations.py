"""Answers with their class and what CAP's inference model said of them."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from tomahto.interchange.judgements.human_labels import labelled_rows
from tomahto.interchange.judgements.labelled_scores import part_of, peoples_class, question_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import Source
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import filled, json_rows

_NAMES = ("entailment", "neutral", "contradiction")
_SLACK = 0.01  # probabilities of half precision do not sum to 1 exactly

Inference = tuple[float, float]
"""The probabilities of entailment and of neutral."""


class ExplainedAnswer(NamedTuple):
    """An answer's class, its question where it has one, and the inference in both directions."""

    source: Source
    label: str
    question: str | None
    forward: Inference
    backward: Inference


def read_explained_answers(path: Path, classes: Collection[str]) -> Iterator[ExplainedAnswer]:
    """Yield JSON lines of {"class" | "label", "explanation"[, "question"]}.

    Further fields are not read. The explanation is as `export_suggestions` and `score_pairs
    --explain` write it. Raises InputError with file, line and field, also for a file without a
    line.
    """
    file = InputFile.at(path)
    for row in filled(file, labelled_rows(json_rows(file))):
        yield ExplainedAnswer(
            row.source,
            peoples_class(row, classes),
            question_of(row),
            *inferences_of(row),
        )


def inferences_of(row: Row) -> tuple[Inference, Inference]:
    """Those of the row's "explanation", in both directions."""
    explanation = part_of(row, "explanation")
    return (
        _inference(part_of(explanation, "forward")),
        _inference(part_of(explanation, "backward")),
    )


def _inference(row: Row) -> Inference:
    entailment, neutral, contradiction = (_share(row, name) for name in _NAMES)
    total = entailment + neutral + contradiction
    if abs(total - 1) > _SLACK:
        raise row.error(f"the three probabilities sum to {total:g}, not to 1", _NAMES[0])
    return entailment, neutral


def _share(row: Row, name: str) -> float:
    return float(row.number(row.required(name), 1) or 0)
