"""Answers with their class and score, each perhaps by several sources and several metrics."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tomahto.interchange.judgements.human_labels import labelled_rows
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import Source
from tomahto.interchange.reading.row import Row, all_or_none, shown
from tomahto.interchange.reading.rows import at_least_one, json_rows
from tomahto.text.plain_name import plain_name
from tomahto.text.same_question import question_key

SOURCE, METRIC = "class", "score"
"""What the only source and the only metric are called in lines that name none."""


class LabelledScore(NamedTuple):
    """An answer: its class by source, its score by metric, and its question where it has one."""

    source: Source
    classes: Mapping[str, str]
    scores: Mapping[str, float]
    question: str | None


def read_labelled_scores(path: Path, classes: Collection[str]) -> Iterator[LabelledScore]:
    """Yield JSON lines of {"class" | "label" | "classes", "score" | "scores"[, "question"]}.

    "classes" holds a class by source, "scores" a number by metric; all lines have the same ones.
    Every class is one of `classes`. Raises InputError with file, line and field, also for a file
    without a line.
    """
    file, first = InputFile.at(path), None
    for row in at_least_one(labelled_rows(json_rows(file)), file):
        given = LabelledScore(row.source, _classes(row, classes), _scores(row), question_of(row))
        first = first or given
        _check_alike(row, "classes", given.classes, first.classes, first.source)
        _check_alike(row, "scores", given.scores, first.scores, first.source)
        yield given


def question_of(row: Row) -> str | None:
    """The question's id or text, however long; None where there is none."""
    value = row.values.get("question")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return plain_name(str(value)) or None


def questions_of(asked: Sequence[tuple[Source, str | None]]) -> list[str] | None:
    """The question of every line, in one spelling; None if no line names one.

    Raises InputError, naming the line, if only some do.
    """
    first, is_named = asked[0][0], asked[0][1] is not None
    for source, question in asked:
        if (question is not None) != is_named:
            raise source.error(all_or_none(first), "question")
    questions = [question_key(question) for _, question in asked if question is not None]
    return questions if is_named else None


def peoples_class(row: Row, classes: Collection[str]) -> str:
    """The class under `class`, or under `label` as the items of a release have it.

    Raises InputError if it is not one of `classes`, or if both are and differ.
    """
    label = row.values.get("label")
    if row.name_of("class") is None and isinstance(label, str):
        return class_of(row, "label", classes)
    found = class_of(row, "class", classes)
    if label in list(classes) and label != found:
        raise row.error("differs from label: keep the one that people gave", "class")
    return found


def class_of(row: Row, name: str, classes: Collection[str]) -> str:
    """The class under a name. Raises InputError if it is not one of `classes`."""
    label = row.text(name)
    if label not in classes:
        raise row.error(f"{label!r:.80} is not one of {', '.join(classes)}", name)
    return label


def part_of(row: Row, name: str) -> Row:
    """The object under a name, which must be there and not be empty."""
    part = row.object_by_name(row.required(name))
    if not part.values:
        raise row.error("is empty", name)
    return part


def _classes(row: Row, classes: Collection[str]) -> dict[str, str]:
    if _is_single(row, "class", "classes"):
        return {SOURCE: peoples_class(row, classes)}
    by_source = part_of(row, "classes")
    return {name: class_of(by_source, name, classes) for name in by_source.values}


def _scores(row: Row) -> dict[str, float]:
    if _is_single(row, "score", "scores"):
        return {METRIC: row.required_number("score")}
    by_metric = part_of(row, "scores")
    return {name: by_metric.required_number(name) for name in by_metric.values}


def _is_single(row: Row, one: str, several: str) -> bool:
    """Whether the row has the field for one. It is read where the row has both."""
    return row.name_of(several) is None or row.name_of(one) is not None


def _check_alike(
    row: Row, field: str, given: Mapping[str, object], first: Mapping[str, object], source: Source
) -> None:
    if given.keys() != first.keys():
        names = ", ".join(map(shown, first))
        raise row.error(f"must name what line {source.line} names: {names}", field)
