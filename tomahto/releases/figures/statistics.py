"""The tables that every release shows for its own data, after those of Bulian et al. (2022)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeVar

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.labels import LABEL_SOURCES
from tomahto.releases.dataset.released_items import ReleasedItems
from tomahto.releases.figures.readings import READINGS, readings
from tomahto.releases.figures.system_table import system_table
from tomahto.releases.records.adjudications import adjudicated_labels
from tomahto.releases.records.records import SETTLED, AnswerRecord, ItemRecord
from tomahto.scoring.f1_histogram import f1_histogram
from tomahto.votes.scheme import LabelScheme

T = TypeVar("T")


def release_statistics(dataset: Dataset) -> dict[str, Any]:
    """All tables as one JSON object; everything but accuracies is a number of things.

    - `sizes` (Tab. 2): in all and of each split
    - `ratings_per_item` (§3.5): items by their number of counted ratings, likewise
    - `sizes_by_system` (Tab. 10): an item of several systems counts for each, so the sum over
      systems can be above the total
    - `labels_by_system` (Tab. 11): candidates, items and counted ratings by label. A candidate
      takes the highest-ranking label of its items (of equal ranks the one named first), since one
      reference it matches is enough
    - `labels_by_question_type` (CAP Tab. 15): items by label, for each kind of question named
    - `f1_histogram`: items by token F1 and label, in ten bins; the last includes 1
    - `f1_readings` (Fig. 1), of answer equivalence: the same by reading
      (tomahto.releases.figures.readings)
    - `label_sources`: items by where their label comes from
    - `adjudication`: adjudicators' decisions, items with any, and those whose adjudicators differ

    and where systems' answers are here

    - `answers`: answers by how they were settled, in all and of each split
    - `systems`: the systems, best first, with estimates of their accuracy
      (tomahto.releases.figures.system_table)
    """
    scheme, groups = dataset.terms.scheme, dataset.items_by_split
    by_system = dataset.items.grouped(attrgetter("systems"))
    return {
        "sizes": {
            "total": _sizes(dataset.items, len(dataset.ratings)),
            "splits": {
                split: _sizes(items, len(dataset.ratings_by_split[split]))
                for split, items in groups.items()
            },
        },
        "ratings_per_item": _whole_and_splits(dataset.items, groups, _ratings_per_item),
        "sizes_by_system": {system: _system_sizes(items) for system, items in by_system.items()},
        "labels_by_system": {
            system: _system_labels(scheme, items) for system, items in by_system.items()
        },
        "labels_by_question_type": {
            kind: items.label_counts(scheme)
            for kind, items in dataset.items.grouped(_question_type).items()
        },
        "f1_histogram": f1_histogram(
            scheme.labels,
            zip(dataset.items.labels.each("label"), dataset.items.each_f1(), strict=True),
        ),
        **_f1_readings(dataset),
        "label_sources": _label_sources(dataset.items),
        "adjudication": _adjudication(dataset),
        **(_answers(dataset) if dataset.answers else {}),
    }


def _whole_and_splits(
    whole: T, splits: Mapping[str, T], count: Callable[[T], dict[str, int]]
) -> dict[str, Any]:
    return {
        "total": count(whole),
        "splits": {split: count(part) for split, part in splits.items()},
    }


def _sizes(items: ReleasedItems, ratings: int) -> dict[str, int]:
    """`ratings` are all of the items, counted or not."""
    sizes = _system_sizes(items)
    return {
        "documents": len({record.document for record in items.records}),
        "questions": len({record.question_id for record in items.records}),
        **sizes,
        "surplus_ratings": ratings - sizes["ratings"],
        "ties": sum(count for outcome, count in items.labels.outcome_counts() if outcome.tie),
    }


def _candidate(record: ItemRecord) -> tuple[str, str]:
    return record.question_id, record.candidate


def _ratings_per_item(items: ReleasedItems) -> dict[str, int]:
    counts: Counter[int] = Counter()
    for outcome, count in items.labels.outcome_counts():
        counts[outcome.ratings] += count
    return {str(ratings): counts[ratings] for ratings in sorted(counts)}


def _question_type(item: ItemRecord) -> tuple[str, ...]:
    return (item.question_type,) if item.question_type else ()


def _system_sizes(items: ReleasedItems) -> dict[str, int]:
    counts = items.labels.outcome_counts()
    return {
        "candidates": len(set(map(_candidate, items.records))),
        "items": len(items),
        "ratings": sum(outcome.ratings * count for outcome, count in counts),
    }


def _system_labels(scheme: LabelScheme, items: ReleasedItems) -> dict[str, Any]:
    counts = items.labels.outcome_counts()
    votes = [
        sum(outcome.votes[place] * count for outcome, count in counts)
        for place in range(len(scheme.labels))
    ]
    return {
        "candidates": _label_counts(scheme, _candidate_labels(scheme, items)),
        "items": items.label_counts(scheme),
        "ratings": dict(zip(scheme.labels, votes, strict=True)),
    }


def _candidate_labels(scheme: LabelScheme, items: ReleasedItems) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for record, label in zip(items.records, items.labels.each("label"), strict=True):
        groups.setdefault(_candidate(record), []).append(label)

    def place(label: str) -> tuple[float, int]:
        return scheme.rank_of[label], -scheme.index_of[label]

    return [max(labels, key=place) for labels in groups.values()]


def _label_counts(scheme: LabelScheme, labels: Iterable[str]) -> dict[str, int]:
    counts = Counter(labels)
    return {label: counts[label] for label in scheme.labels}


def _label_sources(items: ReleasedItems) -> dict[str, int]:
    counts = Counter(items.labels.each_source())
    return {source: counts[source] for source in LABEL_SOURCES}


def _f1_readings(dataset: Dataset) -> dict[str, Any]:
    found = list(readings(dataset))
    return {"f1_readings": f1_histogram(READINGS, found)} if found else {}


def _answers(dataset: Dataset) -> dict[str, Any]:
    return {
        "answers": _whole_and_splits(dataset.answers, dataset.answers_by_split, _settled),
        "systems": system_table(dataset),
    }


def _settled(answers: Iterable[AnswerRecord]) -> dict[str, int]:
    counts = Counter(answer.settled for answer in answers)
    return {settled: counts[settled] for settled in SETTLED}


def _adjudication(dataset: Dataset) -> dict[str, int]:
    shared = adjudicated_labels(dataset.adjudications).values()
    return {
        "decisions": len(dataset.adjudications),
        "items": len(shared),
        "differing": sum(label is None for label in shared),
    }
