"""A release as a benchmark: its questions, the right answers known of them, and people's verdicts.

A benchmark is made of the rated items. So its questions are those to which at least one system gave
an answer that somebody had to judge; questions that every system answered word for word as a
reference are not among them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tomahto.lab.judged import answers_of_items
from tomahto.ranking.system_answers import is_right
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem, ReleasedItems
from tomahto.releases.dataset.shared_items import items_of_others
from tomahto.releases.figures.system_table import system_table
from tomahto.releases.records.columns import TableName
from tomahto.releases.records.records import AnswerRecord
from tomahto.releases.stored.manifest import Manifest, read_manifest
from tomahto.releases.stored.reading import StoredRelease, stored_batches
from tomahto.text.normalisation import normalise

EVERYTHING = "*"  # in place of a split: all of them, each question once
_USUAL = "test"


class UnknownSplit(ValueError):
    """The release has no such split; the message names those it has."""


@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """`references` are distinct and not blank. `accepted` are the further candidates that people
    hold right, as they were written. `verdicts` says by a judged candidate's normal form
    (tomahto.text.normalisation) whether people hold it right; a candidate that a tie leaves open is
    not there.
    """

    id: str
    question: str
    context: str
    references: tuple[str, ...]
    accepted: tuple[str, ...]
    verdicts: Mapping[str, bool]


@dataclass(frozen=True)
class Benchmark:
    """The questions of a split by id. `without_references` are left out: nothing can be compared.

    `has_verdicts` is false where the protocol accepts no candidate as an answer.
    """

    digest: str
    split: str
    questions: tuple[BenchmarkQuestion, ...]
    without_references: int
    has_verdicts: bool

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
        raise UnknownSplit(f"there is no split {split!r:.40}; there are {known}")


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

    asked, found = set[str](), set[str]()
    for key, references in rows("items", "question_id", "references"):
        asked.add(key)
        if _texts(references):
            found.add(key)
    others: dict[str, list[str]] = {}  # questions by the items that settle answers to them
    for key, items in rows("answers", "question_id", "items") if manifest.answers else ():
        if key not in asked:
            for item in items:
                others.setdefault(item, []).append(key)
    for item, references in rows("items", "id", "references") if others else ():
        if _texts(references):
            found.update(others.get(item, ()))
    return frozenset(found)


def _columns(
    folder: Path, manifest: Manifest, table: TableName, split: str, names: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    for batch in stored_batches(folder, manifest, table, split, names=names):
        yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)


def benchmark_of(stored: StoredRelease, split: str) -> Benchmark:
    """What the items of the split ask, and the questions of the same texts that they settle answers
    to. Raises UnknownSplit."""
    by_question: dict[str, list[ReleasedItem]] = {}
    items = items_of(stored.dataset, split)
    for item in items:
        by_question.setdefault(item.record.question_id, []).append(item)
    for key, others in items_of_others(items, answers_of(stored.dataset, split)).items():
        by_question.setdefault(key, []).extend(others)
    accepted_labels = frozenset(stored.dataset.terms.accepted_labels)
    asked = [_question(key, by_question[key], accepted_labels) for key in sorted(by_question)]
    questions = tuple(question for question in asked if question.references)
    return Benchmark(
        digest=stored.manifest.digest,
        split=split,
        questions=questions,
        without_references=len(asked) - len(questions),
        has_verdicts=bool(accepted_labels),
    )


def verdicts_on(
    items: Iterable[ReleasedItem], accepted_labels: frozenset[str]
) -> dict[str, bool | None]:
    """By a candidate's normal form: right if any of its items has an accepted label, None if none
    has and a label was drawn in a tie (it accepts nothing), else wrong."""
    labels: dict[str, dict[str, str | None]] = {}
    for item in items:
        of_text = labels.setdefault(normalise(item.record.candidate), {})
        of_text[item.record.id] = None if item.label.source == "tie" else item.label.label
    return {key: is_right(found, found, accepted_labels) for key, found in labels.items()}


def _question(
    key: str, items: Sequence[ReleasedItem], accepted_labels: frozenset[str]
) -> BenchmarkQuestion:
    ordered = sorted(items, key=lambda item: (item.record.reference_index or 0, item.record.id))
    references = _texts(text for item in ordered for text in item.record.references)
    verdicts = verdicts_on(ordered, accepted_labels) if accepted_labels else {}
    known = {normalise(text) for text in references}
    candidates = _texts(item.record.candidate for item in ordered)
    record = ordered[0].record
    return BenchmarkQuestion(
        id=key,
        question=record.question,
        context=record.context,
        references=references,
        accepted=tuple(
            text
            for text in candidates
            if verdicts.get(normalise(text)) and normalise(text) not in known
        ),
        verdicts={key: verdict for key, verdict in verdicts.items() if verdict is not None},
    )


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in dict.fromkeys(texts) if text.strip())


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
