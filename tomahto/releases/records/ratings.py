"""The ratings of a release in arrays of numbers: 45 bytes each, however long their texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.records import packed
from tomahto.releases.records.packed import Rows
from tomahto.releases.records.records import RatingRecord
from tomahto.votes.rating_rows import RatingRows

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
