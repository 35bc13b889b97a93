"""What a release says, before any file: labelled items with their split, and their ratings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from functools import cached_property

from exporters.checks import check_item, check_rating, check_terms
from exporters.errors import ReleaseError
from exporters.labels import ItemLabel, label_items
from exporters.records import ItemRecord, RatingRecord, SplitSpec
from measures.scheme import LabelScheme
from measures.text import best_overlap

_FLAG_VALUES = frozenset({"yes", "no"})


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what terms ratings became labels and splits."""

    protocol: str
    scheme: LabelScheme
    question_keys: tuple[str, ...]
    spec: SplitSpec
    seed: int


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item with all that the release adds to it.

    `f1` is the token F1 of the candidate against the best of its references, None without any.
    """

    record: ItemRecord
    split: str
    label: ItemLabel
    f1: float | None


@dataclass(frozen=True)
class Dataset:
    """Items sorted by id, ratings by item id and rater: the same whatever order they came in."""

    terms: Terms
    items: tuple[ReleasedItem, ...]
    ratings: tuple[RatingRecord, ...]

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self.terms.spec.shares)

    @cached_property
    def items_by_split(self) -> Mapping[str, list[ReleasedItem]]:
        groups: dict[str, list[ReleasedItem]] = {split: [] for split in self.splits}
        for item in self.items:
            groups[item.split].append(item)
        return groups

    @cached_property
    def ratings_by_split(self) -> Mapping[str, list[RatingRecord]]:
        split_of = {item.record.id: item.split for item in self.items}
        groups: dict[str, list[RatingRecord]] = {split: [] for split in self.splits}
        for rating in self.ratings:
            groups[split_of[rating.item_id]].append(rating)
        return groups

    @property
    def counted_ratings(self) -> int:
        return sum(item.label.ratings for item in self.items)

    @cached_property
    def answer_columns(self) -> tuple[str, ...]:
        """The questions that get a column: `label` is a column already."""
        return tuple(key for key in self.terms.question_keys if key != "label")

    @cached_property
    def flag_questions(self) -> frozenset[str]:
        """The questions that nobody answered with anything but yes or no."""
        others = {
            key
            for rating in self.ratings
            for key, value in rating.answers.items()
            if value not in _FLAG_VALUES
        }
        return frozenset(self.answer_columns) - others


def assemble_dataset(
    terms: Terms,
    items: Iterable[ItemRecord],
    ratings: Iterable[RatingRecord],
    splits: Mapping[str, str],
) -> Dataset:
    """Label the items, put each where `splits` has its document, and bring all into order.

    Items without a counted rating are left out, and with them their surplus ratings; their
    documents need no split.
    Raises ReleaseError if a record contradicts another, the protocol or the labels.
    """
    check_terms(terms.protocol, terms.scheme.labels, terms.question_keys)
    records = sorted((_canonical_item(item) for item in items), key=lambda item: item.id)
    _check_items(terms, records)
    votes = sorted(
        (_canonical_rating(rating) for rating in ratings),
        key=lambda rating: (rating.item_id, rating.rater),
    )
    _check_ratings(terms, votes, {item.id for item in records})
    labels = label_items(terms.scheme, votes, seed=terms.seed)
    released = tuple(
        ReleasedItem(item, splits[item.document], labels[item.id], _f1(item))
        for item in records
        if item.id in labels
    )
    return Dataset(terms, released, tuple(vote for vote in votes if vote.item_id in labels))


def _canonical_item(item: ItemRecord) -> ItemRecord:
    systems = tuple(sorted(set(item.systems)))
    return item if systems == item.systems else replace(item, systems=systems)


def _canonical_rating(rating: RatingRecord) -> RatingRecord:
    if rating.rated_at is None or rating.rated_at.tzinfo is UTC:
        return rating
    if rating.rated_at.utcoffset() is None:
        raise ReleaseError(
            f"item {rating.item_id!r}, rater {rating.rater!r}: the time has no time zone"
        )
    return replace(rating, rated_at=rating.rated_at.astimezone(UTC))


def _check_items(terms: Terms, items: Iterable[ItemRecord]) -> None:
    previous = None
    for item in items:
        if item.id == previous:
            raise ReleaseError(f"item {item.id!r} is there twice")
        check_item(item, terms.protocol)
        previous = item.id


def _check_ratings(terms: Terms, ratings: Iterable[RatingRecord], item_ids: set[str]) -> None:
    keys = frozenset(terms.question_keys)
    previous = None
    for rating in ratings:
        who = (rating.item_id, rating.rater)
        if who == previous:
            raise ReleaseError(f"item {who[0]!r} has two ratings of rater {who[1]!r}")
        if rating.item_id not in item_ids:
            raise ReleaseError(f"rater {who[1]!r} rated item {who[0]!r}, which is not there")
        check_rating(rating, keys)
        previous = who


def _f1(item: ItemRecord) -> float | None:
    return best_overlap(item.candidate, item.references).f1 if item.references else None
