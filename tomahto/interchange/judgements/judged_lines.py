"""Judged answers that are no release, from JSON lines: items with a label and, if given, scores."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import numpy as np

from tomahto.interchange.campaigns.items import item_of
from tomahto.interchange.judgements.evaluation import read_ratings_of_item
from tomahto.interchange.judgements.labels import (
    LABEL,
    HumanLabels,
    label_name,
    labelled_lines,
)
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import DistinctKeys, ItemRow
from tomahto.interchange.reading.row import Row, all_or_none
from tomahto.lab.judged import JudgedData, JudgedItem, Votes
from tomahto.lab.report import MetricScores
from tomahto.matching.human_labels import flag_of
from tomahto.text.same_question import first_spellings
from tomahto.votes.scheme import LabelScheme

GIVEN: Final = "given"  # the version of scores that a file brings along
GIVEN_THRESHOLD: Final = 0.5
_VERDICTS: Final[Mapping[bool, str]] = {True: "correct", False: "incorrect"}


class LabelSet(Protocol):
    """The labels of a protocol, and those under which a candidate is a right answer; none where
    candidates are no answers."""

    @property
    def name(self) -> str: ...

    @property
    def scheme(self) -> LabelScheme: ...

    @property
    def accepted_labels(self) -> tuple[str, ...]: ...


class JudgedLines(NamedTuple):
    """The answers of a file, and the scores it gives them."""

    data: JudgedData
    scores: tuple[MetricScores, ...]


def judged_data_of_lines(
    path: Path, known: Iterable[LabelSet] = (), name: str | None = None
) -> JudgedLines:
    """Read JSON lines of {"question", "references" | "reference", "candidate", "label"[, "id",
    "system" | "systems", "question_id", "document", "context", "split", "scores", "ratings"]}.

    Labels are true or 1, false or 0, "correct" or "incorrect"; or all of the file belong to one of
    the known label sets, the first that has them all. Lines without a question's id are of one
    question if they ask the same, however spelled. "scores" is an object of numbers from 0 to 1 by
    metric. Of id, question_id, document, split, scores and ratings, all lines must have those
    that the first has. "ratings" say of each rating whether it found the candidate right. The
    digest is the SHA-256 of the file. `name` is what errors call it.

    Raises InputError with file, line and field at the first thing that is wrong, and for a file
    without a line.
    """
    file = InputFile.at(path, name)
    human = HumanLabels(file)
    reader = _Reader(known, human)
    for row in labelled_lines(file):
        reader.read(row)
    human.check()
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return reader.lines(Path(file.name).name, digest)


class _Labels(NamedTuple):
    protocol: str
    scheme: LabelScheme
    correct: frozenset[str]


_VERDICT_LABELS: Final = _Labels(
    GIVEN, LabelScheme(tuple(_VERDICTS.values()), (1, 0)), frozenset({_VERDICTS[True]})
)


class _Reader:
    """Takes lines in one after the other; each has to go with those before it."""

    def __init__(self, known: Iterable[LabelSet], human: HumanLabels) -> None:
        self._human = human
        self._fitting = [
            _Labels(each.name, each.scheme, frozenset(each.accepted_labels))
            for each in known
            if each.accepted_labels
        ] + [_VERDICT_LABELS]
        self._ids = DistinctKeys("the id", "id")
        self._questions: dict[str, str] = {}
        self._labels: list[str] = []
        self._scores: dict[str, list[float]] = {}
        self._votes: list[Votes] = []
        self.items: list[ItemRow] = []

    def read(self, row: Row) -> None:
        item = item_of(row)
        self._check_names(item)
        self._labels.append(self._label(row))
        scores, has_ratings = _scores(row), row.field_of("ratings") is not None
        if self.items:
            first = self.items[0].source
            if scores.keys() != self._scores.keys():
                raise row.error(f"must name the metrics of line {first.line}", "scores")
            if has_ratings != bool(self._votes):
                raise row.error(all_or_none(first), "ratings")
        for metric, score in scores.items():
            self._scores.setdefault(metric, []).append(score)
        if has_ratings:
            flags = read_ratings_of_item(row)
            self._votes.append(Votes(sum(flags), len(flags) - sum(flags)))
        self.items.append(item)

    def _check_names(self, item: ItemRow) -> None:
        """All lines name the same things, an item once and a question by one text."""
        if self.items:
            first = self.items[0]
            for field, of_first, of_item in (
                ("id", first.id, item.id),
                ("question_id", first.question_key, item.question_key),
                ("document", first.document, item.document),
                ("split", first.split or None, item.split or None),
            ):
                if (of_first is None) != (of_item is None):
                    raise item.source.error(all_or_none(first.source), field)
        if item.id is not None:
            self._ids.add(item.id, item.source)
        if item.question_key is not None:
            text = self._questions.setdefault(item.question_key, item.question)
            if text != item.question:
                message = "is that of another question on an earlier line"
                raise item.source.error(message, "question_id")

    def _label(self, row: Row) -> str:
        is_right, value = self._human.is_right(row), row.values[label_name(row)]
        is_flag = flag_of(value) is not None
        label = _VERDICTS[is_right] if is_flag else str(value)
        fitting = [
            each
            for each in self._fitting
            if label in each.scheme.labels and (each is _VERDICT_LABELS or not is_flag)
        ]
        if not fitting:
            known = self._fitting[0]
            labels = f"{known.protocol} ({', '.join(known.scheme.labels)})"
            message = f"{value!r:.80} is not a label of {labels}, and all labels of a file must "
            raise row.error(f"{message}be of one protocol", LABEL)
        self._fitting = fitting
        return label

    def lines(self, name: str, digest: str) -> JudgedLines:
        labels = self._fitting[0]
        questions = first_spellings(item.question for item in self.items)
        rows = zip(self.items, questions, self._labels, strict=True)
        # an item without an id goes by its number in the file, a question by its text
        items = tuple(
            JudgedItem(
                id=item.id or str(place),
                question_id=item.question_key or question,
                document=item.document or "",
                question=item.question,
                context=item.context,
                references=item.references,
                candidate=item.candidate,
                systems=item.systems,
                split=item.split,
                label=label,
                is_right=label in labels.correct,
            )
            for place, (item, question, label) in enumerate(rows, 1)
        )
        scores = tuple(
            MetricScores(metric, GIVEN, GIVEN_THRESHOLD, np.array(values, dtype=np.float64))
            for metric, values in self._scores.items()
        )
        data = JudgedData(
            name,
            labels.protocol,
            labels.scheme,
            labels.correct,
            digest,
            items,
            votes=self._votes or None,
        )
        return JudgedLines(data, scores)


def _scores(row: Row) -> dict[str, float]:
    if row.field_of("scores") is None:
        return {}
    scores = row.object_by_name("scores")
    for metric, value in scores.values.items():
        scores.as_number(metric, value)  # not even null
    return {metric: scores.share(metric) for metric in scores.values}
