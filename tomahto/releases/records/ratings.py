"""The ratings of a release in arrays of numbers, 45 bytes each, however long their texts; and the
way there from records, one by one and in any order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.records import packed
from tomahto.releases.records.checks import (
    check_answers,
    check_comment,
    check_rater,
    check_seconds,
    check_standing,
    check_time,
    check_wording,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.packed import ROW, Rows
from tomahto.releases.records.records import RatingRecord
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import QuestionScheme

_GROUP = 10_000  # ratings turned into records at once


@dataclass(frozen=True, eq=False, slots=True)
class Ratings(Sequence[RatingRecord]):
    """Ratings sorted by item id and rater, at most one of a rater on an item.

    A row of `rows` numbers its item, rater, label and answers by their place in `item_ids`,
    `raters` (both sorted), `labels`, `answer_sets`, `comments` and `wordings`, of both of which the
    first is the empty one. Taken one by one they are records, their times in UTC.
    """

    item_ids: tuple[str, ...]
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    answer_sets: tuple[Mapping[str, str], ...]
    rows: Rows
    comments: tuple[str, ...] = ("",)
    wordings: tuple[str, ...] = ("",)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> RatingRecord: ...
    @overload
    def __getitem__(self, place: slice) -> "Ratings": ...
    def __getitem__(self, place: int | slice) -> "RatingRecord | Ratings":
        if isinstance(place, slice):
            return self._with(self.rows[place])
        return self._record(self.rows[place].item())

    def __iter__(self) -> Iterator[RatingRecord]:
        for group in self.groups(_GROUP):
            yield from map(self._record, group.rows.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ratings):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    @property
    def raters_present(self) -> tuple[str, ...]:
        """Those who gave one of them, sorted; `raters` may name others."""
        return tuple(self.raters[place] for place in np.unique(self.rows["rater"]).tolist())

    def groups(self, size: int) -> "Iterator[Ratings]":
        """The ratings in order, `size` at a time."""
        return (self[start : start + size] for start in range(0, len(self), size))

    def where(self, is_kept: NDArray[np.bool_]) -> "Ratings":
        """The ratings for which `is_kept` (N,) is true."""
        return self._with(self.rows[is_kept])

    def of_items(self, is_kept: NDArray[np.bool_]) -> "Ratings":
        """The ratings of the items for which `is_kept` (I,) is true; the others lose their name."""
        if is_kept.all():
            return self
        rows = self.rows[is_kept[self.rows["item"]]]
        rows["item"] = (np.cumsum(is_kept) - 1)[rows["item"]]
        names = tuple(self.item_ids[place] for place in np.flatnonzero(is_kept))
        return replace(self, item_ids=names, rows=rows)

    def counted_votes(self) -> NDArray[np.int64]:
        """How many counted ratings gave each item each label (I, K)."""
        rows, labels = self.rows[self.rows["is_counted"]], len(self.labels)
        cells = rows["item"].astype(np.int64) * labels + rows["label"]
        counts = np.bincount(cells, minlength=len(self.item_ids) * labels)
        return counts.reshape(len(self.item_ids), labels)

    def have_votes(self) -> NDArray[np.bool_]:
        """Which items have a counted rating (I,)."""
        is_rated = np.zeros(len(self.item_ids), np.bool_)
        is_rated[self.rows["item"][self.rows["is_counted"]]] = True
        return is_rated

    def counted_rows(self) -> RatingRows:
        """The counted ratings for an estimate, with the raters who gave one.

        Raises ValueError if an item has none.
        """
        rows = self.rows[self.rows["is_counted"]]
        present, raters = np.unique(rows["rater"], return_inverse=True)
        return RatingRows(
            rows["item"].astype(np.int64),
            raters.astype(np.int64),
            rows["label"].astype(np.int64),
            tuple(self.raters[place] for place in present),
            self.labels,
        )

    def answers_given(self) -> Iterator[Mapping[str, str]]:
        """Every set of answers that a rating here has, once."""
        return (self.answer_sets[place] for place in np.unique(self.rows["answers"]))

    def _with(self, rows: Rows) -> "Ratings":
        return replace(self, rows=rows)

    def _record(self, row: tuple[Any, ...]) -> RatingRecord:
        item, rater, label, answers, is_counted, seconds, rated_at, guideline, *others = row
        shown, comment, wording, is_set_aside = others
        return RatingRecord(
            item_id=self.item_ids[item],
            rater=self.raters[rater],
            label=self.labels[label],
            answers=self.answer_sets[answers],
            counted=is_counted,
            seconds=packed.number(seconds),
            rated_at=packed.time(rated_at),
            guideline_version=packed.version(guideline),
            suggestion_shown=packed.flag(shown),
            comment=self.comments[comment],
            wording=self.wordings[wording],
            set_aside=is_set_aside,
        )


def take_in_ratings(
    records: Iterable[RatingRecord],
    labels: Sequence[str],
    question_keys: Iterable[str],
    question_schemes: Iterable[QuestionScheme] = (),
    item_ids: Iterable[str] = (),
) -> Ratings:
    """Go through the records once and keep what they say. Ratings that were taken in already come
    back as they are. Of the ids in `item_ids` no second copy is kept.

    Raises ReleaseError if a label or an answered question is unknown, a rater rated an item twice,
    or a record holds what no format can say.
    """
    if isinstance(records, Ratings):
        return records
    intake = _Intake(tuple(labels), frozenset(question_keys), question_schemes, item_ids)
    return intake.ratings(records)


class _Intake:
    """Numbers names in the order they come in; the ratings have them sorted."""

    def __init__(
        self,
        labels: tuple[str, ...],
        question_keys: frozenset[str],
        question_schemes: Iterable[QuestionScheme],
        item_ids: Iterable[str],
    ) -> None:
        self._labels = {label: place for place, label in enumerate(labels)}
        self._question_keys = question_keys
        self._question_schemes = {scheme.key: scheme for scheme in question_schemes}
        self._items = {item_id: place for place, item_id in enumerate(item_ids)}
        self._raters: dict[str, int] = {}
        self._answers: dict[tuple[object, ...], int] = {}
        self._answer_sets: list[Mapping[str, str]] = []
        self._comments = {"": 0}
        self._wordings = {"": 0}

    def ratings(self, records: Iterable[RatingRecord]) -> Ratings:
        rows = np.fromiter(map(self._row, records), ROW)
        rows["item"] = _places_when_sorted(self._items)[rows["item"]]
        rows["rater"] = _places_when_sorted(self._raters)[rows["rater"]]
        order = np.lexsort((rows["rater"], rows["item"]))
        for name in ROW.names or ():  # one after the other: a second copy of all would be large
            rows[name] = rows[name][order]
        ratings = Ratings(
            tuple(sorted(self._items)),
            tuple(sorted(self._raters)),
            tuple(self._labels),
            tuple(self._answer_sets),
            rows,
            tuple(self._comments),
            tuple(self._wordings),
        )
        _refuse_second_ratings(ratings)
        return ratings

    def _row(self, rating: RatingRecord) -> tuple[Any, ...]:
        check_seconds(rating)
        check_time(rating)
        check_standing(rating)
        return (
            self._items.setdefault(rating.item_id, len(self._items)),
            self._rater(rating),
            self._label(rating),
            self._answer_set(rating),
            rating.counted,
            packed.packed_number(rating.seconds),
            packed.packed_time(rating.rated_at),
            packed.packed_version(rating.guideline_version),
            packed.packed_flag(rating.suggestion_shown),
            self._comment(rating),
            self._wording(rating),
            rating.set_aside,
        )

    def _rater(self, rating: RatingRecord) -> int:
        place = self._raters.get(rating.rater)
        if place is None:
            check_rater(rating)
            place = self._raters[rating.rater] = len(self._raters)
        return place

    def _label(self, rating: RatingRecord) -> int:
        place = self._labels.get(rating.label)
        if place is None:
            raise ReleaseError(
                f"item {rating.item_id!r}, rater {rating.rater!r}: label {rating.label!r} is "
                f"not one of {', '.join(self._labels)}"
            )
        return place

    def _answer_set(self, rating: RatingRecord) -> int:
        """Answers depend on the label, with which they are checked once."""
        key = (rating.label, *rating.answers.items())
        place = self._answers.get(key)
        if place is None:
            check_answers(rating, self._question_keys, self._question_schemes)
            place = self._answers[key] = len(self._answer_sets)
            self._answer_sets.append(dict(rating.answers))
        return place

    def _comment(self, rating: RatingRecord) -> int:
        place = self._comments.get(rating.comment)
        if place is None:
            check_comment(rating)
            place = self._comments[rating.comment] = len(self._comments)
        return place

    def _wording(self, rating: RatingRecord) -> int:
        number = self._wordings.get(rating.wording)
        if number is None:
            check_wording(rating)
            number = self._wordings[rating.wording] = len(self._wordings)
        return number


def _places_when_sorted(names: Mapping[str, int]) -> "np.ndarray[Any, np.dtype[np.int64]]":
    places = np.empty(len(names), np.int64)
    places[[names[name] for name in sorted(names)]] = np.arange(len(names))
    return places


def _refuse_second_ratings(ratings: Ratings) -> None:
    rows = ratings.rows
    is_same = (rows["item"][1:] == rows["item"][:-1]) & (rows["rater"][1:] == rows["rater"][:-1])
    for place in np.flatnonzero(is_same)[:1].tolist():
        second = ratings[place + 1]
        raise ReleaseError(f"item {second.item_id!r} has two ratings of rater {second.rater!r}")
