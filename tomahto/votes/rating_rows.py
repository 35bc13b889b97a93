"""The ratings one by one, with rater, item and label, in the order they were given."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tomahto.estimates.bootstrap import numbered
from tomahto.types import Integers


@dataclass(frozen=True, eq=False)
class RatingRows:
    """One row per rating: its item, its rater and its label, each an array (N,) of integers.

    Items are numbered from 0 without a gap. A rater or a label is its place in `rater_names` or
    `label_names`; a name may be without a rating. Rows stand in the order in which the ratings
    were given where that matters (drift), and in any order elsewhere.

    Raises ValueError if there is no row, the arrays differ in length, a number has no name, a
    name repeats, or an item has no rating.
    """

    items: Integers
    raters: Integers
    labels: Integers
    rater_names: tuple[str, ...]
    label_names: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.items) == len(self.raters) == len(self.labels):
            raise ValueError("items, raters and labels differ in number")
        if not len(self.items):
            raise ValueError("there is no rating")
        _check_numbers("rater", self.raters, self.rater_names)
        _check_numbers("label", self.labels, self.label_names)
        if self.items.min() < 0 or not np.bincount(self.items).all():
            raise ValueError("items are not numbered from 0 without a gap")

    @classmethod
    def of(
        cls, rows: Iterable[tuple[Hashable, str, str]], label_names: tuple[str, ...]
    ) -> "RatingRows":
        """From rows (item, rater, label): items in order of appearance, raters by name.

        Raises ValueError if a label is not one of `label_names`.
        """
        items, raters, labels = zip(*rows, strict=True)
        rater_names = tuple(sorted(set(raters)))
        rater_places = {name: place for place, name in enumerate(rater_names)}
        label_places = {name: place for place, name in enumerate(label_names)}
        if strangers := [label for label in labels if label not in label_places]:
            raise ValueError(f"label {strangers[0]!r} is not one of {', '.join(label_names)}")
        return cls(
            numbered(items),
            np.array([rater_places[rater] for rater in raters], dtype=np.int64),
            np.array([label_places[label] for label in labels], dtype=np.int64),
            rater_names,
            label_names,
        )

    @property
    def n(self) -> int:
        """Number of ratings."""
        return len(self.items)

    @cached_property
    def item_count(self) -> int:
        """Number of items."""
        return int(self.items.max()) + 1

    @cached_property
    def counts(self) -> Integers:
        """The number of times that each item got each label (I, K)."""
        labels = len(self.label_names)
        cells = np.bincount(self.items * labels + self.labels, minlength=self.item_count * labels)
        return cells.reshape(self.item_count, labels)

    @property
    def others(self) -> Integers:
        """For every rating how often the others on its item gave each label (N, K)."""
        others = self.counts[self.items]
        others[np.arange(self.n), self.labels] -= 1
        return others

    def require_once(self) -> None:
        """Raises ValueError if a rater rated an item twice."""
        if len(np.unique(self.items * len(self.rater_names) + self.raters)) < self.n:
            raise ValueError("a rater rated an item twice")


def _check_numbers(what: str, numbers: Integers, names: tuple[str, ...]) -> None:
    if len(set(names)) != len(names):
        raise ValueError(f"{what} names repeat: {names}")
    if numbers.min() < 0 or numbers.max() >= len(names):
        raise ValueError(f"a {what} is numbered outside 0 to {len(names) - 1}")
