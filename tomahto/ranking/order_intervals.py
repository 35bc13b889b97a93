"""Intervals of the monotonicity protocol, and differences of two metrics or two sets of labels.

A pair's probability of being violated is the share of replicates that violate it, of those in
which both classes have items. A difference rests on the same draws on both sides, so that what
makes a sample easy for both cancels.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from tomahto.estimates.bootstrap import ONE_QUESTION, Bootstrap, percentile_estimate
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.ranking.monotonicity import MonotonicityReport, monotonicity, violation_rate
from tomahto.ranking.order_counts import (
    ClassPair,
    OrderedItems,
    OrderStatistics,
    strictly_ordered_pairs,
)
from tomahto.types import Floats, JsonObject

OrderStatistic = Literal["spearman", "kendall_tau_b", "pairwise_accuracy", "violation_rate"]
ORDER_STATISTICS: tuple[OrderStatistic, ...] = get_args(OrderStatistic)


@dataclass(frozen=True, eq=False)
class OrderIntervals:
    """The report of some items, and its numbers in each replicate.

    `drawn` is None if all items are of one question.
    """

    report: MonotonicityReport
    items: OrderedItems
    drawn: OrderStatistics | None
    bootstrap: Bootstrap

    @cached_property
    def pairs(self) -> tuple[ClassPair, ...]:
        return strictly_ordered_pairs(self.items.scheme)

    def statistic(self, name: OrderStatistic) -> Estimate:
        """`n` is the number of items, of pairs of items, or of pairs of classes with items."""
        return self._estimate(self._value(name), name, ())

    def accuracy(self, pair: ClassPair) -> Estimate:
        """Share of the pairs of items in which the higher class scores higher; `n` is theirs."""
        place = self.pairs.index(pair)
        return self._estimate(self.report.pairs[place].outcomes.accuracy, "accuracies", (place,))

    def auc(self, pair: ClassPair) -> Estimate:
        """As `accuracy`, ties counted half."""
        place = self.pairs.index(pair)
        return self._estimate(self.report.pairs[place].outcomes.auc, "aucs", (place,))

    def class_mean(self, label: str) -> Estimate:
        """The mean score of a class; `n` is the number of its items."""
        return self._estimate(self._mean(label), "means", (self.items.scheme.index_of[label],))

    def violation_probability(self, pair: ClassPair) -> Estimate:
        """The share of replicates that violate the pair; `n` is the number of them that tell."""
        if self.drawn is None:
            return undefined(ONE_QUESTION, n=0, seed=self.bootstrap.seed)
        violations = self.drawn.violations[:, self.pairs.index(pair)]
        told = violations[~np.isnan(violations)]
        if not len(told):
            higher, lower = pair
            reason = f"no replicate has items of both {higher} and {lower}"
            return undefined(reason, n=0, seed=self.bootstrap.seed)
        return Estimate(
            value=float(told.mean()),
            n=len(told),
            replicates=len(violations),
            undefined_replicates=len(violations) - len(told),
            seed=self.bootstrap.seed,
        )

    def difference(self, other: "OrderIntervals", name: OrderStatistic) -> Estimate:
        """This statistic less the other's, `n` items. Raises ValueError if draws are not paired."""
        return self._difference(other, (self._value(name), other._value(name)), name, ())

    def mean_difference(self, other: "OrderIntervals", label: str) -> Estimate:
        """This mean score of a class less the other's. Raises as `difference`."""
        place = self.items.scheme.index_of[label]
        return self._difference(other, (self._mean(label), other._mean(label)), "means", (place,))

    def share_above(self, other: "OrderIntervals", name: OrderStatistic) -> float | None:
        """The share of replicates in which this statistic is the higher one, of those that define
        both; None without any. Raises as `difference`."""
        self._check_paired(other)
        if self.drawn is None or other.drawn is None:
            return None
        differences = getattr(self.drawn, name) - getattr(other.drawn, name)
        told = differences[~np.isnan(differences)]
        return float((told > 0).mean()) if len(told) else None

    def as_json(self) -> JsonObject:
        """Every number with its interval; the report is not repeated."""
        return {
            "questions": self.items.clusters,
            **{name: estimate_as_json(self.statistic(name)) for name in ORDER_STATISTICS},
            "pairs": [
                {
                    "higher": pair[0],
                    "lower": pair[1],
                    "accuracy": estimate_as_json(self.accuracy(pair)),
                    "auc": estimate_as_json(self.auc(pair)),
                    "violation_probability": estimate_as_json(self.violation_probability(pair)),
                }
                for pair in self.pairs
            ],
            "classes": [
                {"class": one.label, **estimate_as_json(self.class_mean(one.label))}
                for one in self.report.classes
            ],
        }

    def _value(self, name: OrderStatistic) -> Estimate:
        match name:
            case "spearman":
                return self.report.spearman
            case "kendall_tau_b":
                return self.report.kendall_tau_b
            case "pairwise_accuracy":
                return self.report.outcomes.accuracy
            case "violation_rate":
                return violation_rate(self.report.pairs)

    def _mean(self, label: str) -> Estimate:
        return next(one.mean for one in self.report.classes if one.label == label)

    def _drawn(self, name: str, place: tuple[int, ...]) -> Floats | None:
        if self.drawn is None:
            return None
        values: Floats = getattr(self.drawn, name)[:, *place]
        return values

    def _estimate(self, value: Estimate, name: str, place: tuple[int, ...]) -> Estimate:
        if value.value is None:
            return replace(value, seed=self.bootstrap.seed)
        drawn = self._drawn(name, place)
        return percentile_estimate(
            value.value,
            drawn,
            n=value.n,
            clusters=self.items.clusters,
            bootstrap=self.bootstrap,
        )

    def _difference(
        self,
        other: "OrderIntervals",
        values: tuple[Estimate, Estimate],
        name: str,
        place: tuple[int, ...],
    ) -> Estimate:
        self._check_paired(other)
        one, two = values
        n, seed = self.items.n, self.bootstrap.seed
        if one.value is None or two.value is None:
            return undefined(one.reason or two.reason or "", n=n, seed=seed)
        drawn, others = self._drawn(name, place), other._drawn(name, place)
        drawn = None if drawn is None or others is None else drawn - others
        return percentile_estimate(
            one.value - two.value,
            drawn,
            n=n,
            clusters=self.items.clusters,
            bootstrap=self.bootstrap,
        )

    def _check_paired(self, other: "OrderIntervals") -> None:
        same = np.array_equal(self.items.questions, other.items.questions)
        if not same or self.bootstrap != other.bootstrap:
            raise ValueError("only numbers of the same items and the same draws can be compared")


def order_intervals(
    items: OrderedItems,
    bootstrap: Bootstrap,
    *,
    hard_pairs: Collection[ClassPair] = (),
    ambiguous_pairs: Collection[ClassPair] = (),
) -> OrderIntervals:
    """The monotonicity protocol with intervals from the bootstrap over questions.

    Raises ValueError if a pair that is marked is not strictly ordered.
    """
    report = monotonicity(
        items.labels,
        items.scores,
        items.scheme,
        hard_pairs=hard_pairs,
        ambiguous_pairs=ambiguous_pairs,
    )
    drawn = items.drawn(bootstrap) if items.clusters > 1 else None
    return OrderIntervals(report, items, drawn, bootstrap)
