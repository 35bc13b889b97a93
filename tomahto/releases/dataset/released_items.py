"""The items of a release: their records, what the release adds to each in arrays of numbers, and
what they are to the questions of answers.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.dataset.labels import ItemLabel, ItemLabels
from tomahto.releases.records.items import Items
from tomahto.releases.records.ratings import Columns
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord, ItemRecord
from tomahto.text.normalisation import best_overlap, is_empty
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item with all that the release adds to it.

    `f1` is the token F1 of the candidate against the best of its references, None without any.
    """

    record: ItemRecord
    splits: tuple[str, ...]
    label: ItemLabel
    f1: float | None

    @property
    def split(self) -> str:
        """The split, or several joined by plus signs, which no name of a split has."""
        return "+".join(self.splits)


@dataclass(frozen=True, eq=False, slots=True)
class ReleasedItems(Columns[ReleasedItem]):
    """N items by id. Taken one by one they are ReleasedItem, which would take 300 bytes more each.

    `places` (N,) numbers the splits of an item by their place in `split_sets`; `f1` (N,) is NaN
    without a reference.
    """

    records: Items
    labels: ItemLabels
    split_sets: tuple[tuple[str, ...], ...]
    places: NDArray[np.int32]
    f1: NDArray[np.float64]

    @classmethod
    def of(
        cls, records: Items, labels: ItemLabels, splits: Iterable[tuple[str, ...]]
    ) -> "ReleasedItems":
        """As many records, labels and splits, in the order of the records' ids."""
        split_sets: dict[tuple[str, ...], int] = {}
        numbers = (split_sets.setdefault(each, len(split_sets)) for each in splits)
        places = np.fromiter(numbers, np.int32, len(labels))
        f1 = np.fromiter(map(_f1, records), np.float64, len(records))
        return cls(records, labels, tuple(split_sets), places, f1)

    def __len__(self) -> int:
        return len(self.records)

    def where(self, is_kept: NDArray[np.bool_] | slice) -> "ReleasedItems":
        return ReleasedItems(
            self.records.where(is_kept),
            self.labels.where(is_kept),
            self.split_sets,
            self.places[is_kept],
            self.f1[is_kept],
        )

    def records_in_turn(self) -> Iterator[ReleasedItem]:
        splits = map(self.split_sets.__getitem__, self.places.tolist())
        f1 = (None if isnan(each) else each for each in self.f1.tolist())
        return map(ReleasedItem, self.records, splits, self.labels, f1)

    def grouped(self, keys: Callable[[ItemRecord], Iterable[str]]) -> "dict[str, ReleasedItems]":
        """The items of every key, sorted by key; an item may have several, or none."""
        places: dict[str, array[int]] = {}
        for place, record in enumerate(self.records):
            for key in keys(record):
                places.setdefault(key, array("i")).append(place)
        return {key: self.where(self._are(places[key])) for key in sorted(places)}

    def _are(self, places: "array[int]") -> NDArray[np.bool_]:
        are = np.zeros(len(self), np.bool_)
        are[places] = True
        return are

    def label_counts(self, scheme: LabelScheme) -> dict[str, int]:
        """The number of items with each label of the scheme."""
        counts = np.bincount(self.labels.rows["label"], minlength=len(self.labels.labels)).tolist()
        of_label = dict(zip(self.labels.labels, counts, strict=True))
        return {label: of_label[label] for label in scheme.labels}

    def each_split(self) -> list[str]:
        """The split of every item, or several joined by plus signs."""
        names = ["+".join(splits) for splits in self.split_sets]
        return [names[place] for place in self.places.tolist()]

    def are_in(self, split: str) -> NDArray[np.bool_]:
        """The items that are in the split (N,)."""
        has_split = np.array([split in splits for splits in self.split_sets], np.bool_)
        is_in: NDArray[np.bool_] = has_split[self.places]
        return is_in


def _f1(item: ItemRecord) -> float:
    return best_overlap(item.candidate, item.references).f1 if item.references else float("nan")


Settled = tuple[tuple[str, str], ...]
"""Answers by the names of systems and the ids of questions."""


def shared_items(items: ReleasedItems, answers: Sequence[AnswerRecord]) -> dict[str, Settled]:
    """The items that settle answers to other questions than their own, by id, with all answers that
    they settle."""
    own = {record.id: record.question_id for record in items.records} if answers else {}
    shared: dict[str, list[tuple[str, str]]] = {
        item: []
        for answer in answers
        for item in answer.items
        if own.get(item, answer.question.id) != answer.question.id
    }
    for answer in answers if shared else ():
        for item in answer.items:
            if item in shared:
                shared[item].append((answer.system, answer.question.id))
    return {item: tuple(sorted(settled)) for item, settled in shared.items()}


def items_of_others(
    items: ReleasedItems, answers: Sequence[AnswerRecord]
) -> Mapping[str, Sequence[ReleasedItem]]:
    """By question, the items of other questions that settle an answer to it."""
    shared = shared_items(items, answers)
    found: dict[str, list[ReleasedItem]] = defaultdict(list)
    for item in items if shared else ():
        for question in sorted({question for _, question in shared.get(item.record.id, ())}):
            if question != item.record.question_id:
                found[question].append(item)
    return found


def known_references(
    items: Iterable[ReleasedItem], asked: AnsweredQuestion | None
) -> tuple[str, ...]:
    """Distinct and not blank: first those of the question's items, in the order in which the
    question has them where items say so, then those that no item of the release is compared with,
    as items and answers tell of them.

    `asked` is the question as systems were asked it, None where no system's answer to it is known.
    """
    ordered = sorted(items, key=lambda item: item.record.reference_index or 0)
    texts = [text for item in ordered for text in item.record.references]
    unrated = [text for item in ordered for text in item.record.unrated_references]
    known = asked.references if asked else ()
    return tuple(text for text in dict.fromkeys([*texts, *unrated, *known]) if not is_empty(text))
