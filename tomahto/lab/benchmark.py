"""A release as a benchmark: its questions, the right answers known of them, and people's verdicts.

A benchmark is made of the rated items. So its questions are those to which at least one system gave
an answer that somebody had to judge; questions that every system answered word for word as a
reference are not among them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tomahto.lab.judged import answers_of_items
from tomahto.ranking.system_answers import is_right
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import (
    ReleasedItem,
    ReleasedItems,
    items_of_others,
    known_references,
)
from tomahto.releases.figures.statistics import system_table
from tomahto.releases.files.table_files import parquet_batches
from tomahto.releases.records.columns import TableName, arrow_schema
from tomahto.releases.records.records import AnswerRecord
from tomahto.releases.stored.manifest import Manifest, read_manifest
from tomahto.releases.stored.reading import StoredRelease, refusing_damage, stored_columns
from tomahto.text.normalisation import ExactRule, is_empty, normalise

EVERYTHING = "*"  # in place of a split: all of them, each question once
_USUAL = "test"
_ROWS = 10_000  # of a file that are read at once


class UnknownSplit(ValueError):
    """The release has no such split; the message names those it has."""


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """`references` are all that the release knows, rated or not, distinct and not blank. `accepted`
    are the further candidates that people hold right. `verdicts` says by a rated candidate whether
    people hold it right; None where that is open.
    """

    id: str
    question: str
    context: str
    references: tuple[str, ...]
    accepted: tuple[str, ...]
    verdicts: Mapping[str, bool | None]


@dataclass(frozen=True)
class Benchmark:
    """The questions of a split by id. `without_references` are left out: nothing can be compared.

    `has_verdicts` is false where the protocol accepts no candidate as an answer. By `exact_rule`
    an answer says the same as a reference, or as a candidate that people judged.
    """

    digest: str
    split: str
    questions: tuple[BenchmarkQuestion, ...]
    without_references: int
    has_verdicts: bool
    exact_rule: ExactRule

    @cached_property
    def ids(self) -> frozenset[str]:
        return frozenset(question.id for question in self.questions)


def usual_split(splits: Sequence[str]) -> str:
    """`test` if there is one, else everything."""
    return _USUAL if _USUAL in splits else EVERYTHING


def items_of(dataset: Dataset, split: str) -> ReleasedItems:
    """Raises UnknownSplit."""
    require_split(split, dataset.splits)
    return dataset.items if split == EVERYTHING else dataset.items_by_split[split]


def answers_of(dataset: Dataset, split: str) -> Sequence[AnswerRecord]:
    """The systems' answers in a split. Raises UnknownSplit."""
    require_split(split, dataset.splits)
    return dataset.answers if split == EVERYTHING else dataset.answers_by_split[split]


def require_split(split: str, splits: Sequence[str]) -> None:
    """Raises UnknownSplit."""
    if split != EVERYTHING and split not in splits:
        known = ", ".join((*splits, EVERYTHING))
        raise UnknownSplit(f"no split {split!r:.40}; the splits are {known}")


def question_ids(folder: Path, split: str) -> frozenset[str]:
    """The ids of `benchmark_of`, without reading what else the release holds.

    Raises UnknownSplit, and ReleaseError if the folder does not hold a release.
    """
    manifest = read_manifest(folder)
    splits = manifest.terms.spec.names
    require_split(split, splits)
    chosen = splits if split == EVERYTHING else (split,)

    def rows(table: TableName, *names: str) -> Iterator[tuple[Any, ...]]:
        for each in chosen:
            yield from _columns(folder, manifest, table, each, names)

    rated, asked, found = set[str](), set[str](), set[str]()
    unrated = sorted(manifest.optional_columns & {"unrated_references"})
    for item, key, *references in rows("items", "id", "question_id", "references", *unrated):
        rated.add(item)
        asked.add(key)
        if any(map(_has_text, references)):
            found.add(key)
    names = ("question_id", "references", "items")
    for key, references, items in rows("answers", *names) if manifest.answers else ():
        if (key in asked or not rated.isdisjoint(items)) and _has_text(references):
            found.add(key)
    return frozenset(found)


def _columns(
    folder: Path, manifest: Manifest, table: TableName, split: str, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    schema = arrow_schema(stored_columns(manifest, table), manifest.terms.scheme.labels)
    place = f"{table}/{split}.parquet"
    with refusing_damage(place):
        path = str(folder / place)
        for batch in parquet_batches(path, schema, columns=list(names), size=_ROWS):
            yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)


def benchmark_of(stored: StoredRelease, split: str) -> Benchmark:
    """The questions of the split's items, and the questions of the same texts that they settle
    answers to. Raises UnknownSplit."""
    by_question: dict[str, list[ReleasedItem]] = {}
    items, answers = items_of(stored.dataset, split), answers_of(stored.dataset, split)
    for item in items:
        by_question.setdefault(item.record.question_id, []).append(item)
    for key, others in items_of_others(items, answers).items():
        by_question.setdefault(key, []).extend(others)
    given: dict[str, list[AnswerRecord]] = {}
    for answer in answers:
        given.setdefault(answer.question.id, []).append(answer)
    accepted_labels = frozenset(stored.dataset.terms.accepted_labels)
    asked = [
        _question(key, by_question[key], given.get(key, ()), accepted_labels)
        for key in sorted(by_question)
    ]
    questions = tuple(question for question in asked if question.references)
    return Benchmark(
        digest=stored.manifest.digest,
        split=split,
        questions=questions,
        without_references=len(asked) - len(questions),
        has_verdicts=bool(accepted_labels),
        exact_rule=stored.dataset.terms.exact_rule,
    )


def _question(
    key: str,
    items: Sequence[ReleasedItem],
    answers: Sequence[AnswerRecord],
    accepted_labels: frozenset[str],
) -> BenchmarkQuestion:
    ordered = sorted(items, key=lambda item: (item.record.reference_index or 0, item.record.id))
    references = known_references(ordered, answers[0].question if answers else None)
    rated = {answer.candidate for answer in answers if answer.settled == "rated"}
    verdicts = _verdicts(ordered, references, rated, accepted_labels) if accepted_labels else {}
    known = {normalise(text) for text in references}
    record = ordered[0].record
    return BenchmarkQuestion(
        id=key,
        question=record.question,
        context=record.context,
        references=references,
        accepted=tuple(
            text for text, verdict in verdicts.items() if verdict and normalise(text) not in known
        ),
        verdicts=verdicts,
    )


def _verdicts(
    items: Iterable[ReleasedItem],
    references: Collection[str],
    rated: Collection[str],
    accepted_labels: frozenset[str],
) -> dict[str, bool | None]:
    """By candidate: right if any of its items has an accepted label. None, which is open, if none
    has and a label was drawn in a tie (it accepts nothing) or an item is not rated: the release has
    it neither as a `rated` answer nor beside all `references`. Else wrong."""
    by_candidate: dict[str, list[ReleasedItem]] = {}
    for item in items:
        if not is_empty(item.record.candidate):
            by_candidate.setdefault(item.record.candidate, []).append(item)
    verdicts = {}
    for candidate, of_text in by_candidate.items():
        compared = {text for item in of_text for text in item.record.references}
        labels = {item.record.id: item.label.settled for item in of_text}
        is_whole = candidate in rated or compared.issuperset(references)
        verdict = is_right(labels, labels, accepted_labels)
        verdicts[candidate] = verdict if verdict or is_whole else None
    return verdicts


def _has_text(references: Iterable[str]) -> bool:
    return not all(map(is_empty, references))


def benchmark_systems(stored: StoredRelease, split: str) -> list[dict[str, Any]]:
    """The systems whose answers are in the benchmark, as people judged these: the figures of the
    release's own table of systems, over the answers of the split. They stand beside the
    leaderboard, not in it: their answers made the benchmark.

    Of a release that does not have all answers, over those that its items tell of. Raises
    UnknownSplit.
    """
    dataset, items = stored.dataset, items_of(stored.dataset, split)
    if not dataset.answers:
        return system_table(dataset, answers_of_items(item.record for item in items))
    if split == EVERYTHING:
        return system_table(dataset)
    return system_table(dataset, dataset.answers_by_split[split])
