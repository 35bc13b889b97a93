"""The tables that every release shows for its own data, after those of Bulian et al. (2022)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from exporters.dataset import Dataset, ReleasedItem
from exporters.records import RatingRecord
from measures.scheme import LabelScheme

_BINS = 10


def release_statistics(dataset: Dataset) -> dict[str, Any]:
    """All tables as one JSON object; everything is a number of things, never a share.

    - `sizes` (Tab. 2): in all and of each split
    - `ratings_per_item` (§3.5): items by their number of counted ratings, likewise
    - `sizes_by_system` (Tab. 10): an item of several systems counts for each, so the sum over
      systems can be above the total
    - `labels_by_system` (Tab. 11): candidates, items and counted ratings by label. A candidate
      takes the highest-ranking label of its items (of equal ranks the one named first), since one
      reference it matches is enough
    - `labels_by_question_type` (CAP Tab. 15): items by label, for each kind of question named
    - `f1_histogram` (Fig. 1): items by token F1 and label, in ten bins; the last includes 1
    """
    scheme, groups = dataset.terms.scheme, dataset.items_by_split
    return {
        "sizes": _whole_and_splits(dataset, _sizes),
        "ratings_per_item": {
            "total": _ratings_per_item(dataset.items),
            "splits": {split: _ratings_per_item(items) for split, items in groups.items()},
        },
        "sizes_by_system": {
            system: _system_sizes(items) for system, items in _by_system(dataset.items).items()
        },
        "labels_by_system": {
            system: _system_labels(scheme, items)
            for system, items in _by_system(dataset.items).items()
        },
        "labels_by_question_type": {
            kind: _label_counts(scheme, [item.label.label for item in items])
            for kind, items in _by_question_type(dataset.items).items()
        },
        "f1_histogram": _f1_histogram(scheme, dataset.items),
    }


def _whole_and_splits(
    dataset: Dataset,
    count: Callable[[Sequence[ReleasedItem], Sequence[RatingRecord]], dict[str, int]],
) -> dict[str, Any]:
    return {
        "total": count(dataset.items, dataset.ratings),
        "splits": {
            split: count(items, dataset.ratings_by_split[split])
            for split, items in dataset.items_by_split.items()
        },
    }


def _sizes(items: Sequence[ReleasedItem], ratings: Sequence[RatingRecord]) -> dict[str, int]:
    counted = sum(item.label.ratings for item in items)
    return {
        "documents": len({item.record.document for item in items}),
        "questions": len({item.record.question_id for item in items}),
        "candidates": len({_candidate(item) for item in items}),
        "items": len(items),
        "ratings": counted,
        "surplus_ratings": len(ratings) - counted,
        "ties": sum(item.label.tie for item in items),
    }


def _candidate(item: ReleasedItem) -> tuple[str, str]:
    return item.record.question_id, item.record.candidate


def _ratings_per_item(items: Iterable[ReleasedItem]) -> dict[str, int]:
    counts = Counter(item.label.ratings for item in items)
    return {str(ratings): counts[ratings] for ratings in sorted(counts)}


def _by_system(items: Iterable[ReleasedItem]) -> Mapping[str, list[ReleasedItem]]:
    groups: dict[str, list[ReleasedItem]] = {}
    for item in items:
        for system in item.record.systems:
            groups.setdefault(system, []).append(item)
    return dict(sorted(groups.items()))


def _by_question_type(items: Iterable[ReleasedItem]) -> Mapping[str, list[ReleasedItem]]:
    groups: dict[str, list[ReleasedItem]] = {}
    for item in items:
        if item.record.question_type:
            groups.setdefault(item.record.question_type, []).append(item)
    return dict(sorted(groups.items()))


def _system_sizes(items: Sequence[ReleasedItem]) -> dict[str, int]:
    return {
        "candidates": len({_candidate(item) for item in items}),
        "items": len(items),
        "ratings": sum(item.label.ratings for item in items),
    }


def _system_labels(scheme: LabelScheme, items: Sequence[ReleasedItem]) -> dict[str, Any]:
    votes = [sum(column) for column in zip(*(item.label.votes for item in items), strict=True)]
    return {
        "candidates": _label_counts(scheme, _candidate_labels(scheme, items)),
        "items": _label_counts(scheme, [item.label.label for item in items]),
        "ratings": dict(zip(scheme.labels, votes, strict=True)),
    }


def _candidate_labels(scheme: LabelScheme, items: Iterable[ReleasedItem]) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for item in items:
        groups.setdefault(_candidate(item), []).append(item.label.label)

    def place(label: str) -> tuple[float, int]:
        return scheme.rank_of[label], -scheme.index_of[label]

    return [max(labels, key=place) for labels in groups.values()]


def _label_counts(scheme: LabelScheme, labels: Iterable[str]) -> dict[str, int]:
    counts = Counter(labels)
    return {label: counts[label] for label in scheme.labels}


def _f1_histogram(scheme: LabelScheme, items: Iterable[ReleasedItem]) -> dict[str, Any]:
    bars = {label: [0] * _BINS for label in scheme.labels}
    undefined = 0
    for item in items:
        if item.f1 is None:
            undefined += 1
        else:
            bars[item.label.label][_bin(item.f1)] += 1
    edges = [edge / _BINS for edge in range(_BINS + 1)]
    return {"edges": edges, "labels": bars, "without_references": undefined}


def _bin(f1: float) -> int:
    # A quotient of small integers can come out one rounding error below its edge.
    return min(int(f1 * _BINS + 1e-9), _BINS - 1)
