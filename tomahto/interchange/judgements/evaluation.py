"""The small tables that `evaluate` measures: CSV of ratings, JSON lines of scores."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from tomahto.interchange.judgements.labels import (
    HumanLabels,
    labelled_rows,
    labels_of,
    peoples_class,
)
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import MAX_CONTEXT, MAX_TEXT, Source
from tomahto.interchange.reading.row import Row, all_or_none, name_in_error
from tomahto.interchange.reading.rows import csv_rows, json_lines
from tomahto.lab.judged import Unit
from tomahto.matching.scores import RankedAnswers
from tomahto.scoring.metric_vs_human import JudgedRow
from tomahto.text.same_question import question_key

Fold = Literal["calibration", "test"]

_UNIT_COLUMNS = ("unit", "rater", "value")
_PLACES = (("question",), ("system", "systems"), ("split",))
"""Fields that say where a row belongs, each by all its names."""


class UnitRating(NamedTuple):
    """The value that a rater gave to a unit, as written."""

    source: Source
    unit: str
    rater: str
    value: str


class ClassScore(NamedTuple):
    """A metric's score of an answer and the class that people gave it."""

    label: str
    score: float


class QuestionCandidates(NamedTuple):
    """The candidates of a question: nonconformity, admission by labels and by a matcher.

    The lists are of equal length; `approximate` is None where the matcher says nothing. `fold` and
    `texts` are None where nobody asked for them.
    """

    source: Source
    fold: Fold | None
    scores: list[float]
    admissible: list[bool]
    approximate: list[bool] | None
    texts: RankedAnswers | None = None


def read_unit_ratings(path: Path) -> Iterator[UnitRating]:
    """Yield the rows of a CSV file with the columns unit, rater and value.

    Raises InputError with file, line and field.
    """
    columns = [(name,) for name in _UNIT_COLUMNS]
    for row in csv_rows(InputFile.at(path), {}, columns):
        yield UnitRating(row.source, *(row.text(name) for name in _UNIT_COLUMNS))


def read_class_scores(path: Path, classes: Collection[str]) -> Iterator[ClassScore]:
    """Yield JSON lines of {"class" | "label", "score"}; the class is one of `classes`.

    Raises InputError with file, line and field, also for a file without a line.
    """
    for row in labelled_rows(json_lines(path)):
        yield ClassScore(peoples_class(row, classes), row.number("score"))


def read_ratings_of_item(row: Row) -> list[bool]:
    """Whether each of the row's "ratings" found it right. Raises InputError, also for none."""
    flags = labels_of(row, "ratings", row.array("ratings"))
    if not flags:
        raise row.error("is empty", "ratings")
    return flags


def read_judged_rows(path: Path, unit: Unit = "items") -> dict[str, list[JudgedRow]]:
    """By metric the JSON lines of {"score" or "scores", "label"[, "question", "system" | "systems",
    "split"]}.

    With the unit ratings a line has "ratings", a list of such labels, each of which makes a row.
    "scores" are those of several metrics by name, the same in all lines; a "score" is that of the
    metric "". Labels are as `HumanLabels` reads them. What the first line names of question, system
    and split, all must name. Raises InputError with file, line and field, also for a file without a
    line.
    """
    first: Row | None = None
    by_metric: dict[str, list[JudgedRow]] = {}
    labels = HumanLabels(InputFile.at(path))
    for row in labelled_rows(json_lines(path)):
        first = first or row
        for names in _PLACES:
            is_named, other = row.field_of(*names), first.field_of(*names)
            if (is_named is None) != (other is None):
                raise row.error(all_or_none(first.source), is_named or other or names[0])
        given = [labels.is_right(row)] if unit == "items" else read_ratings_of_item(row)
        asked = row.optional_name("question", limit=MAX_TEXT)  # may be given as its text
        question = None if asked is None else question_key(asked)
        split, systems = row.optional_name("split"), _systems(row)
        scores = _metric_scores(row)
        _check_metrics(row, scores, by_metric or scores, first)
        for metric, score in scores.items():
            rows = (JudgedRow(score, label, question, systems, split) for label in given)
            by_metric.setdefault(metric, []).extend(rows)
    labels.check()
    return by_metric


def _systems(row: Row) -> tuple[str, ...] | None:
    """All that gave the answer: the lines of a release list them."""
    if row.field_of("systems") is not None:
        return tuple(row.names("systems"))
    system = row.optional_name("system")
    return None if system is None else (system,)


def _metric_scores(row: Row) -> dict[str, float]:
    if row.field_of("scores") is None:
        return {"": row.number("score")}
    if row.field_of("score"):
        raise row.error("must not be given together with scores", "score")
    scores = row.object_by_name("scores").values
    if not scores or "" in scores:
        raise row.error("must map names of metrics to scores", "scores")
    return {
        metric: float(row.as_number(f"scores.{name_in_error(metric)}", score))
        for metric, score in scores.items()
    }


def _check_metrics(
    row: Row, scores: Mapping[str, float], expected: Mapping[str, object], first: Row
) -> None:
    """All lines must score by the same metrics."""
    for metric in (*expected, *scores):
        if (metric in scores) != (metric in expected):
            field = f"scores.{name_in_error(metric)}" if metric else "score"
            raise row.error(all_or_none(first.source), field)


def read_candidates(
    path: Path, *, with_folds: bool = True, with_texts: bool = False
) -> Iterator[QuestionCandidates]:
    """Yield JSON lines of {"scores", "admissible", "fold"[, "approximate"]}.

    Either all calibration lines have `approximate` or none; without folds, all lines. Texts are
    {"question", "references", "answers"[, "context"]}. Raises InputError with file, line and
    field, also for a file without a line.
    """
    first: QuestionCandidates | None = None
    for row in json_lines(path):
        candidates = _candidates(row, with_folds=with_folds, with_texts=with_texts)
        if candidates.fold != "test":
            first = first or candidates
            if (candidates.approximate is None) != (first.approximate is None):
                lines = "calibration lines" if with_folds else "lines"
                message = f"all {lines} must have it or none, as line {first.source.line}"
                raise row.error(message, "approximate")
        yield candidates


def _candidates(row: Row, *, with_folds: bool, with_texts: bool) -> QuestionCandidates:
    scores = [
        float(row.as_number(f"scores[{place}]", value))
        for place, value in enumerate(row.array("scores"))
    ]
    has_approximate = row.field_of("approximate") is not None
    return QuestionCandidates(
        row.source,
        _fold(row) if with_folds else None,
        scores,
        _flags(row, "admissible", len(scores)),
        _flags(row, "approximate", len(scores)) if has_approximate else None,
        _ranked_answers(row, len(scores)) if with_texts else None,
    )


def _ranked_answers(row: Row, length: int) -> RankedAnswers:
    _as_many(row, "answers", length)
    answers = tuple(row.texts_or_empty("answers"))
    question, context = row.text("question"), row.optional_text("context", limit=MAX_CONTEXT)
    return RankedAnswers(question, context, tuple(row.texts("references")), answers)


def _fold(row: Row) -> Fold:
    match row.text("fold"):
        case "calibration":
            return "calibration"
        case "test":
            return "test"
        case other:
            raise row.error(f"{other!r:.80} is not calibration or test", "fold")


def _flags(row: Row, name: str, length: int) -> list[bool]:
    return labels_of(row, name, _as_many(row, name, length))


def _as_many(row: Row, name: str, length: int) -> list[object]:
    """The list under `name`, which must be as long as that of the scores."""
    values = row.array(name)
    if len(values) != length:
        raise row.error(f"has {len(values):,} entries for {length:,} scores", name)
    return values
