"""Answers with the label or class that people gave them, with scores, and with what CAP's inference
model said of them."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import Source
from tomahto.interchange.reading.row import Row, all_or_none, name_in_error
from tomahto.interchange.reading.rows import at_least_one, json_rows
from tomahto.matching.human_labels import (
    PERHAPS_A_MATCHERS,
    HumanLabelError,
    MatcherVerdicts,
    is_right,
    was_drawn,
)
from tomahto.releases.documents.fact_sentences import counted
from tomahto.releases.formats.cap import CORRECTNESS_LABEL
from tomahto.text.normalisation import plain_name
from tomahto.text.same_question import question_key

LABEL = "label"
_LABEL_NAMES = (LABEL, CORRECTNESS_LABEL)  # the second in lines laid out as CAP-Correctness


def labelled_rows(
    rows: Iterable[Row], needless: Callable[[Row], bool] = lambda _row: False
) -> Iterator[Row]:
    """The rows without those of a release whose label was drawn by lot in a tie, but with those
    that are of use without it, for which it is `needless`.

    How many labels these are is said on stderr once all rows are read.
    """
    drawn = kept = 0
    for row in rows:
        is_drawn = was_drawn(row.values)
        is_kept = is_drawn and needless(row)
        drawn, kept = drawn + is_drawn - is_kept, kept + is_kept
        if is_kept or not is_drawn:
            yield row
    if drawn:
        print(f"{counted(drawn, 'line')} left out: label drawn in a tie", file=sys.stderr)
    if kept:
        print(f"{counted(kept, 'label')} left out: drawn in a tie", file=sys.stderr)


def labelled_lines(
    file: InputFile, needless: Callable[[Row], bool] = lambda _row: False
) -> Iterator[Row]:
    """The `labelled_rows` of JSON lines. Raises InputError for a file without one."""
    return at_least_one(labelled_rows(json_rows(file), needless), file)


class HumanLabels:
    """Reads the labels of one file; `check` once all rows are read.

    Both raise InputError with file, line and field.
    """

    def __init__(self, file: InputFile) -> None:
        self._file, self._verdicts = file, MatcherVerdicts()

    def is_right(self, row: Row) -> bool:
        """Whether the row's label calls its answer right."""
        self._verdicts.add(row.source.line, row.values)
        name = label_name(row)
        return label_of(row, name, row.values.get(name))

    def check(self) -> None:
        """Refuses a file whose labels may be those of a matcher."""
        if self._verdicts.line is not None:
            raise self._file.source(self._verdicts.line).error(PERHAPS_A_MATCHERS, LABEL)


def label_name(row: Row) -> str:
    """The field of the row that has its label."""
    return row.field_of(*_LABEL_NAMES) or LABEL


def label_of(row: Row, field: str, value: object) -> bool:
    """Whether the value of a field, a label, calls an answer right. Raises InputError."""
    try:
        return is_right(value)
    except HumanLabelError as error:
        raise row.error(str(error), field) from error


def labels_of(row: Row, name: str, values: Sequence[object]) -> list[bool]:
    """As `label_of`, of the entries in the list under a name."""
    return [label_of(row, f"{name}[{place}]", value) for place, value in enumerate(values)]


SOURCE, METRIC = "class", "score"
"""The name of the only source and of the only metric in lines that name none."""


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
    first: LabelledScore | None = None
    for row in labelled_lines(InputFile.at(path)):
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
    if row.field_of("class") is None and isinstance(label, str):
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
    part = row.object_by_name(row.required_field(name))
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
        return {METRIC: row.number("score")}
    by_metric = part_of(row, "scores")
    return {name: by_metric.number(name) for name in by_metric.values}


def _is_single(row: Row, one: str, several: str) -> bool:
    """Whether the row has the field for one. It is read where the row has both."""
    return row.field_of(several) is None or row.field_of(one) is not None


def _check_alike(
    row: Row, field: str, given: Mapping[str, object], first: Mapping[str, object], source: Source
) -> None:
    if given.keys() != first.keys():
        names = ", ".join(map(name_in_error, first))
        raise row.error(f"must name what line {source.line} names: {names}", field)


_INFERENCE_NAMES = ("entailment", "neutral", "contradiction")
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
    for row in labelled_lines(InputFile.at(path)):
        label, question = peoples_class(row, classes), question_of(row)
        yield ExplainedAnswer(row.source, label, question, *inferences_of(row))


def inferences_of(row: Row) -> tuple[Inference, Inference]:
    """Those of the row's "explanation", in both directions."""
    explanation = part_of(row, "explanation")
    forward = _inference(part_of(explanation, "forward"))
    return forward, _inference(part_of(explanation, "backward"))


def _inference(row: Row) -> Inference:
    entailment, neutral, contradiction = map(row.share, _INFERENCE_NAMES)
    total = entailment + neutral + contradiction
    if abs(total - 1) > _SLACK:
        raise row.error(f"the three probabilities sum to {total:g}, not to 1", _INFERENCE_NAMES[0])
    return entailment, neutral
