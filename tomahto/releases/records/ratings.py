"""The ratings of a release in arrays of numbers, 37 bytes each and 4 for each remark, however long
their texts; and the way there from records, one by one and in any order.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from math import isnan
from typing import Any, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.records.checks import (
    check_answers,
    check_rater,
    check_rating,
    check_remark,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import RatingRecord
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.remarks import REMARKS
from tomahto.votes.scheme import QuestionScheme

T = TypeVar("T")
Rows = NDArray[np.void]  # (N,) of ROW
ROW = np.dtype(
    [
        ("item", "i4"),
        ("rater", "i4"),
        ("label", "i2"),
        ("answers", "i4"),
        ("is_counted", "?"),
        ("seconds", "f8"),  # NaN: not known
        ("rated_at", "M8[us]"),  # in UTC; NaT: not known
        ("guideline", "i4"),
        ("shown", "i1"),
        ("is_set_aside", "?"),
        *((remark.name, "i4") for remark in REMARKS),
    ]
)
_COLUMNS: Mapping[str, str] = {
    "item_id": "item",
    "rater": "rater",
    "label": "label",
    "answers": "answers",
    "counted": "is_counted",
    "seconds": "seconds",
    "rated_at": "rated_at",
    "guideline_version": "guideline",
    "suggestion_shown": "shown",
    "set_aside": "is_set_aside",
    **{remark.name: remark.name for remark in REMARKS},
}
"""The columns of ROW by the fields of a record, remarks last."""
GROUP = 10_000  # rows turned into records at once


class Columns(Sequence[T]):
    """Rows that are held in arrays, and made into records as they are taken."""

    __slots__ = ()

    @abstractmethod
    def where(self, is_kept: "NDArray[np.bool_] | slice") -> Self:
        """The rows for which `is_kept` (N,) is true, or those of a slice."""

    @abstractmethod
    def records_in_turn(self) -> Iterator[T]:
        """All rows, made into records at once."""

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> T | Self:
        if isinstance(place, slice):
            return self.where(place)
        for record in self.where(slice(place, place + 1 or None)).records_in_turn():
            return record
        raise IndexError(place)

    def __iter__(self) -> Iterator[T]:
        for group in self.groups(GROUP):
            yield from group.records_in_turn()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def groups(self, size: int) -> Iterator[Self]:
        """The rows in order, `size` at a time."""
        return (self[start : start + size] for start in range(0, len(self), size))


@dataclass(frozen=True, eq=False, slots=True)
class Ratings(Columns[RatingRecord]):
    """Ratings sorted by item id and rater, at most one of a rater on an item.

    A row of `rows` numbers its item, rater, label, answers, guideline and whether a suggestion was
    shown by their place in `item_ids`, `raters` (both sorted), `labels`, `answer_sets`,
    `guidelines` and `shown`, and its remarks by their place in the texts of each, of which the
    first is the empty one.
    """

    rows: Rows
    item_ids: tuple[str, ...]
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    answer_sets: tuple[Mapping[str, str], ...]
    guidelines: tuple[int | None, ...]
    shown: tuple[bool | None, ...]
    remarks: Mapping[str, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, is_kept: NDArray[np.bool_] | slice) -> "Ratings":
        if not isinstance(is_kept, slice) and is_kept.all():
            return self  # as usual for counted ratings: a copy would be large
        return replace(self, rows=self.rows[is_kept])

    def values(self, name: str) -> list[Any]:
        """The values of the ratings in this field of RatingRecord, in turn; times are in UTC."""
        column: list[Any] = self.rows[_COLUMNS[name]].tolist()
        match name:
            case "seconds":
                return [None if isnan(seconds) else seconds for seconds in column]
            case "rated_at":
                return [time and time.replace(tzinfo=UTC) for time in column]
            case "counted" | "set_aside":
                return column
        names = self._names[name]
        return [names[number] for number in column]

    def say_something_in(self, name: str) -> bool:
        """Whether one of the ratings has more than "" or False in this field."""
        return bool(self.rows[_COLUMNS[name]].any())

    @property
    def _names(self) -> Mapping[str, Sequence[Any]]:
        return {
            "item_id": self.item_ids,
            "rater": self.raters,
            "label": self.labels,
            "answers": self.answer_sets,
            "guideline_version": self.guidelines,
            "suggestion_shown": self.shown,
            **self.remarks,
        }

    def records_in_turn(self) -> Iterator[RatingRecord]:
        names = [remark.name for remark in REMARKS]
        own = zip(*(self.values(name) for name in _COLUMNS if name not in names), strict=True)
        remarks = zip(*map(self.values, names), strict=True)
        for values, texts in zip(own, remarks, strict=True):
            yield RatingRecord(*values, **dict(zip(names, texts, strict=True)))

    @property
    def raters_present(self) -> tuple[str, ...]:
        """Those who gave one of them, sorted; `raters` may name others."""
        return tuple(self.raters[place] for place in np.unique(self.rows["rater"]).tolist())

    def of_items(self, is_kept: NDArray[np.bool_]) -> "Ratings":
        """The ratings of the items for which `is_kept` (I,) is true; the others lose their name."""
        if is_kept.all():
            return self
        rows = self.rows[is_kept[self.rows["item"]]]
        rows["item"] = (np.cumsum(is_kept) - 1)[rows["item"]]
        names = tuple(self.item_ids[place] for place in np.flatnonzero(is_kept))
        return replace(self, item_ids=names, rows=rows)

    def counted_votes(self) -> NDArray[np.int64]:
        """The number of counted ratings that gave each item each label (I, K)."""
        is_counted, labels = self.rows["is_counted"], len(self.labels)
        cells = self.rows["item"][is_counted].astype(np.int64) * labels
        cells += self.rows["label"][is_counted]
        counts = np.bincount(cells, minlength=len(self.item_ids) * labels)
        return counts.reshape(len(self.item_ids), labels)

    def have_votes(self) -> NDArray[np.bool_]:
        """Whether each item has a counted rating (I,)."""
        is_rated = np.zeros(len(self.item_ids), np.bool_)
        is_rated[self.rows["item"][self.rows["is_counted"]]] = True
        return is_rated

    def counted_rows(self) -> RatingRows:
        """The counted ratings for an estimate, with the raters who gave one.

        Raises ValueError if an item has none.
        """
        is_counted = self.rows["is_counted"]
        present, raters = np.unique(self.rows["rater"][is_counted], return_inverse=True)
        return RatingRows(
            self.rows["item"][is_counted].astype(np.int64),
            raters.astype(np.int64),
            self.rows["label"][is_counted].astype(np.int64),
            tuple(self.raters[place] for place in present),
            self.labels,
        )

    def answers_given(self) -> Iterator[Mapping[str, str]]:
        """Every set of answers that a rating here has, once."""
        return (self.answer_sets[place] for place in np.unique(self.rows["answers"]))


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
    return _Intake(labels, question_keys, question_schemes, item_ids).ratings(records)


class _Intake:
    """Numbers what recurs in the order in which it comes; the ratings have names sorted."""

    def __init__(
        self,
        labels: Sequence[str],
        question_keys: Iterable[str],
        question_schemes: Iterable[QuestionScheme],
        item_ids: Iterable[str],
    ) -> None:
        self._numbers: dict[str, dict[Any, int]] = {name: {} for name in _COLUMNS}
        known: dict[str, Iterable[str]] = {"item_id": item_ids, "label": labels}
        for name, values in (known | {remark.name: ("",) for remark in REMARKS}).items():
            self._numbers[name] = {value: number for number, value in enumerate(values)}
        schemes = {scheme.key: scheme for scheme in question_schemes}
        self._checks: Mapping[str, Callable[[RatingRecord], None]] = {
            "rater": check_rater,
            "label": self._refuse_label,
            "answers": partial(
                check_answers, question_keys=frozenset(question_keys), question_schemes=schemes
            ),
            **{remark.name: partial(check_remark, remark=remark) for remark in REMARKS},
        }

    def ratings(self, records: Iterable[RatingRecord]) -> Ratings:
        rows, numbers = np.fromiter(map(self._row, records), ROW), self._numbers
        for name in ("item_id", "rater"):
            column = _COLUMNS[name]
            rows[column] = _places_when_sorted(numbers[name])[rows[column]]
        order = np.lexsort((rows["rater"], rows["item"]))
        for column in _COLUMNS.values():  # one by one: a second copy of all would be large
            rows[column] = rows[column][order]
        ratings = Ratings(
            rows,
            item_ids=tuple(sorted(numbers["item_id"])),
            raters=tuple(sorted(numbers["rater"])),
            labels=tuple(numbers["label"]),
            answer_sets=tuple(dict(answers) for _, *answers in numbers["answers"]),
            guidelines=tuple(numbers["guideline_version"]),
            shown=tuple(numbers["suggestion_shown"]),
            remarks={remark.name: tuple(numbers[remark.name]) for remark in REMARKS},
        )
        _refuse_second_ratings(ratings)
        return ratings

    def _row(self, rating: RatingRecord) -> tuple[Any, ...]:
        check_rating(rating)
        time, number = rating.rated_at, self._number
        return (
            number("item_id", rating.item_id, rating),
            number("rater", rating.rater, rating),
            number("label", rating.label, rating),
            # answers depend on the label, with which they are checked once
            number("answers", (rating.label, *rating.answers.items()), rating),
            rating.counted,
            np.nan if rating.seconds is None else rating.seconds,
            time and time.astimezone(UTC).replace(tzinfo=None),
            number("guideline_version", rating.guideline_version, rating),
            number("suggestion_shown", rating.suggestion_shown, rating),
            rating.set_aside,
            *(number(remark.name, getattr(rating, remark.name), rating) for remark in REMARKS),
        )

    def _number(self, name: str, value: Hashable, rating: RatingRecord) -> int:
        numbers = self._numbers[name]
        number = numbers.get(value)
        if number is None:
            if name in self._checks:
                self._checks[name](rating)
            number = numbers[value] = len(numbers)
        return number

    def _refuse_label(self, rating: RatingRecord) -> None:
        raise ReleaseError(
            f"item {rating.item_id!r}, rater {rating.rater!r}: label {rating.label!r} is "
            f"not one of {', '.join(self._numbers['label'])}"
        )


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
