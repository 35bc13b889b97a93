"""A metric's scores of items that people judged right or wrong, or gave a label."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import (
    Bootstrap,
    cluster_mean,
    drawn_weights,
    numbered,
    percentile_estimate,
    ratio,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """Scores (N,), whether people judged the item right (N,), and its question (N,).

    `questions` numbers the questions from 0; the bootstrap draws questions. Raises ValueError if
    there is no item, the lengths differ or a score is not finite.
    """

    scores: Floats
    is_right: Flags
    questions: Integers

    def __post_init__(self) -> None:
        if not len(self.scores) == len(self.is_right) == len(self.questions):
            raise ValueError("scores, judgements and questions differ in number")
        if not len(self.scores):
            raise ValueError("there is no judged score")
        if not np.isfinite(self.scores).all():
            raise ValueError("a score is not finite")

    @classmethod
    def of(
        cls, scores: Sequence[float], is_right: Sequence[bool], questions: Sequence[object]
    ) -> "JudgedScores":
        """From one score, judgement and question per item; equal questions are one."""
        return cls(
            np.array(scores, dtype=np.float64),
            np.array(is_right, dtype=np.bool_),
            numbered(questions),
        )

    @property
    def n(self) -> int:
        return len(self.scores)

    @cached_property
    def clusters(self) -> int:
        """Number of questions."""
        return int(self.questions.max()) + 1

    def accuracy(self, threshold: float, bootstrap: Bootstrap) -> Estimate:
        """Share of the items judged as people did, right if the score is at least `threshold`."""
        return cluster_mean(self.agrees(threshold), self.questions, bootstrap)

    def agrees(self, threshold: float) -> Flags:
        """Whether each item (N,) is judged as by people, right if it scores `threshold` or more."""
        alike: Flags = (self.scores >= threshold) == self.is_right
        return alike

    def tuned_threshold(self) -> float:
        """The threshold of highest accuracy; of equally good ones the lowest.

        It is one of the scores, or the next number above all of them: then nothing is right.
        """
        different = self.scores[self._ascending][self._starts]
        candidates = np.append(different, np.nextafter(different[-1], np.inf))
        below = np.append(self._starts, self.n)  # so many items lie below each candidate
        right_below = np.append(0, np.cumsum(self.is_right[self._ascending]))[below]
        agreeing = (below - right_below) + (self.is_right.sum() - right_below)
        return float(candidates[agreeing.argmax()])

    def order(self, bootstrap: Bootstrap) -> "OrderKept":
        """The accuracy with which the scores order the items; both numbers rest on the same
        replicates."""
        if self.is_right.all() or not self.is_right.any():
            nothing = undefined("all items are judged alike", n=self.n, seed=bootstrap.seed)
            return OrderKept(nothing, nothing)
        values = _order_kept(*self._by_score(np.ones((1, self.clusters))))[:, 0]
        drawn: tuple[Floats, ...] | tuple[None, None] = (None, None)
        if self.clusters > 1:
            drawn = tuple(self.drawn_order(bootstrap))
        return OrderKept(
            self._order_estimate(float(values[0]), drawn[0], bootstrap),
            self._order_estimate(float(values[1]), drawn[1], bootstrap),
        )

    def drawn_order(self, bootstrap: Bootstrap) -> Floats:
        """AUC and rho of each replicate (2, R), NaN where undefined.

        Scores of the same items get the same draws, so their replicates can be paired.
        """
        blocks = drawn_weights(self.clusters, self.n, bootstrap)
        return np.concatenate([_order_kept(*self._by_score(block)) for block in blocks], axis=1)

    def _order_estimate(self, value: float, drawn: Floats | None, bootstrap: Bootstrap) -> Estimate:
        if np.isnan(value):
            return undefined("all scores are equal", n=self.n, seed=bootstrap.seed)
        return percentile_estimate(
            value, drawn, n=self.n, clusters=self.clusters, bootstrap=bootstrap
        )

    @cached_property
    def _ascending(self) -> Integers:
        return np.argsort(self.scores, kind="stable")

    @cached_property
    def _starts(self) -> Integers:
        """The position, in the order of scores, at which each different score begins."""
        return np.unique(self.scores[self._ascending], return_index=True)[1]

    def _by_score(self, weights: Floats) -> tuple[Floats, Floats]:
        """Items judged right and judged wrong at each of G scores, ascending: two (R, G).

        They are counted as often as their questions are drawn, `weights` (R, Q).
        """
        items = np.take(weights, self.questions[self._ascending], axis=1)
        right = items * self.is_right[self._ascending]
        if len(self._starts) < self.n:
            items, right = (np.add.reduceat(x, self._starts, axis=1) for x in (items, right))
        return right, items - right


class OrderKept(NamedTuple):
    """`auc`: the chance that an item judged right scores higher than one judged wrong, ties half.

    `spearman`: rho of scores and judgements, with mid-ranks.
    """

    auc: Estimate
    spearman: Estimate


def _order_kept(right: Floats, wrong: Floats) -> Floats:
    """AUC and rho of each replicate (2, R), from items by score (R, G); NaN if undefined.

    With W of P pairs won, ties half, AUC is W / P. As the judgement has two values, Pearson's
    correlation of the mid-ranks of n items, of which t tie at each score, comes to
    (W - P / 2) / sqrt((n^3 - sum t^3) / 12 * P / n).
    """
    won = np.einsum("rg,rg->r", right, wrong.cumsum(axis=1) - wrong / 2)
    pairs = right.sum(axis=1) * wrong.sum(axis=1)
    ties = right + wrong
    n = ties.sum(axis=1)
    spread = (n**3 - np.einsum("rg,rg,rg->r", ties, ties, ties)) / 12
    return np.stack(
        [ratio(won, pairs), ratio(won - pairs / 2, np.sqrt(spread * pairs / n))],
    )


BINS = 10


def f1_histogram(
    labels: Sequence[str], items: Iterable[tuple[str, float | None]]
) -> dict[str, Any]:
    """Counts of items by label and bin: `{"edges", "labels", "without_references"}`.

    Every item is its label and its F1, None where it has no reference to be compared with. Ten
    bins of equal width; each includes its lower edge, and the last one 1 as well.

    Raises KeyError if an item has another label.
    """
    bars = {label: [0] * BINS for label in labels}
    undefined = 0
    for label, f1 in items:
        if f1 is None:
            undefined += 1
        else:
            # a quotient of small integers can come out one rounding error below its edge
            bars[label][min(int(f1 * BINS + 1e-9), BINS - 1)] += 1
    edges = [edge / BINS for edge in range(BINS + 1)]
    return {"edges": edges, "labels": bars, "without_references": undefined}
