"""From records of ratings, one by one and in any order, to the ratings of a release."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

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
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.packed import ROW
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import RatingRecord
from tomahto.votes.questions import QuestionScheme


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
