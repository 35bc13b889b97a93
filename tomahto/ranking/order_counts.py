"""How scores keep the order of classes, for many drawn samples of the items at once.

All that the protocol of CAP App. C.1 says of a sample follows from how often an item of class a
scores above, and how often exactly as, one of class b. These counts come from the table of items
by class and distinct score, so that a sample is never sorted again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.bootstrap import Bootstrap, drawn_weights, numbered
from tomahto.ranking.order_statistics import OrderStatistics, statistics_of
from tomahto.types import Floats, Integers
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, eq=False)
class OrderedItems:
    """Items' classes (N,) as places in `scheme.labels`, scores (N,), and questions (N,) from 0.

    Raises ValueError if there is no item, the lengths differ or a score is not finite.
    """

    scheme: LabelScheme
    classes: Integers
    scores: Floats
    questions: Integers

    def __post_init__(self) -> None:
        if not len(self.classes) == len(self.scores) == len(self.questions):
            raise ValueError("classes, scores and questions differ in number")
        if not len(self.classes):
            raise ValueError("there is no item to order")
        if not np.isfinite(self.scores).all():
            raise ValueError("a score is not finite")

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        scores: Floats,
        questions: Sequence[object],
        scheme: LabelScheme,
    ) -> "OrderedItems":
        """From one label, score and question per item; equal questions are one.

        Raises ValueError, also if a label is not in the scheme.
        """
        if strangers := [label for label in labels if label not in scheme.index_of]:
            raise ValueError(f"label {strangers[0]!r} is not one of {', '.join(scheme.labels)}")
        return cls(
            scheme,
            np.array([scheme.index_of[label] for label in labels], dtype=np.int64),
            np.asarray(scores, dtype=np.float64),
            numbered(questions),
        )

    def of_items(self, chosen: NDArray[np.bool_] | Integers) -> "OrderedItems":
        """Some of the items; questions are numbered anew."""
        questions = np.unique(self.questions[chosen], return_inverse=True)[1]
        return OrderedItems(
            self.scheme, self.classes[chosen], self.scores[chosen], questions.astype(np.int64)
        )

    def with_scores(self, scores: Floats) -> "OrderedItems":
        return OrderedItems(self.scheme, self.classes, scores, self.questions)

    @property
    def n(self) -> int:
        return len(self.classes)

    @property
    def labels(self) -> list[str]:
        return [self.scheme.labels[place] for place in self.classes]

    @cached_property
    def clusters(self) -> int:
        """Number of questions."""
        return int(self.questions.max()) + 1

    def statistics(self) -> OrderStatistics:
        """Those of the items themselves, as one sample."""
        return self._statistics(np.ones((1, self.clusters)))

    def drawn(self, bootstrap: Bootstrap) -> OrderStatistics:
        """Those of every replicate; a replicate draws questions, with all their items."""
        cells = len(self.scheme.labels) * len(self._different[0])
        blocks = drawn_weights(self.clusters, cells, bootstrap)
        return OrderStatistics.joined([self._statistics(block) for block in blocks])

    @cached_property
    def _different(self) -> tuple[Floats, Integers]:
        """The distinct scores, ascending, and the place of each item's among them."""
        scores, places = np.unique(self.scores, return_inverse=True)
        return scores, places.astype(np.int64)

    @cached_property
    def _cells(self) -> tuple[Integers, Integers, Integers]:
        """Of the table of classes and distinct scores: the items in the order of its cells, where
        in that order each filled cell begins, and the places of the filled cells."""
        scores, places = self._different
        cells = self.classes * len(scores) + places
        order = np.argsort(cells, kind="stable")
        filled, starts = np.unique(cells[order], return_index=True)
        return order, starts, filled

    def _statistics(self, weights: Floats) -> OrderStatistics:
        """Of samples in which each question is drawn so often, `weights` (R, Q)."""
        table = self._table(weights)
        below = table.cumsum(axis=2)
        below -= table
        turned, ties = table.transpose(0, 2, 1), table.sum(axis=1)
        return statistics_of(
            self.scheme,
            sizes=table.sum(axis=2),
            won=(below @ turned).transpose(0, 2, 1),
            tied=table @ turned,
            cubes=np.einsum("rg,rg,rg->r", ties, ties, ties),
            sums=table @ self._different[0],
        )

    def _table(self, weights: Floats) -> Floats:
        """Items by class and distinct score (R, K, G), as often as they are drawn."""
        order, starts, filled = self._cells
        items = np.take(weights, self.questions[order], axis=1)
        if len(filled) < self.n:
            items = np.add.reduceat(items, starts, axis=1)
        shape = (len(weights), len(self.scheme.labels), len(self._different[0]))
        table = np.zeros(shape)
        table.reshape(len(weights), -1)[:, filled] = items
        return table
