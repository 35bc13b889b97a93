"""Parts of every section about the order of classes, and what metrics make of pairs of classes
(CAP Tab. 3, 4 and 12, App. D.1)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from tomahto.charts.rows import R, Shown, as_texts, count, number, percent, text
from tomahto.charts.table import Column, PaperTable
from tomahto.classes.cap_sweep import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.estimates.estimate import Estimate
from tomahto.lab.judged import JudgedData
from tomahto.lab.report import LabInput, lab_table
from tomahto.ranking.monotonicity import RULES, OrderedPair, violation_rate
from tomahto.ranking.order_counts import ClassPair, OrderedItems, strictly_ordered_pairs
from tomahto.ranking.order_intervals import (
    ORDER_STATISTICS,
    OrderIntervals,
    OrderStatistic,
    order_intervals,
)
from tomahto.types import Floats, Integers
from tomahto.votes.scheme import LabelScheme

RANKS_NEEDED = 3
_STATISTICS: Mapping[OrderStatistic, Column] = {
    "spearman": Column("spearman", "Spearman's ρ", "number"),
    "kendall_tau_b": Column("kendall_tau_b", "Kendall's τ-b", "number"),
    "pairwise_accuracy": Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
    "violation_rate": Column("violation_rate", "Violation rate", "percent"),
}


def why_unordered(data: JudgedData) -> str:
    """Why the labels of the data give no order to keep; empty where they do."""
    if data.scheme.level != "ordinal" or len(set(data.scheme.ranks)) < RANKS_NEEDED:
        return f"the labels of the protocol {data.protocol} are no order of three or more ranks"
    if not data.items:
        return "there is no judged item"
    return ""


def hard_pairs(scheme: LabelScheme) -> list[ClassPair]:
    """Those of the paper that the scheme has (CAP Tab. 4)."""
    return _of_scheme(HARD_NEIGHBOURS, scheme)


def ambiguous_pairs(scheme: LabelScheme) -> list[ClassPair]:
    """Those whose order depends on the context (CAP eq. 1), of the scheme."""
    return _of_scheme(AMBIGUOUS_PAIRS, scheme)


def pair_name(pair: ClassPair) -> str:
    return f"{pair[0]} > {pair[1]}"


class MetricOrders:
    """Every metric's scores of some items beside their labels; all draws are paired."""

    def __init__(self, given: LabInput, chosen: Integers | None = None) -> None:
        places = range(len(given.data.items)) if chosen is None else chosen.tolist()
        items = [given.data.items[place] for place in places]
        self.labels = [item.label for item in items]
        self._questions = [item.question_id for item in items]
        self._given = given
        self._places = np.array(places, dtype=np.int64)

    @property
    def scheme(self) -> LabelScheme:
        return self._given.data.scheme

    @property
    def n(self) -> int:
        return len(self.labels)

    @cached_property
    def by_metric(self) -> dict[str, OrderIntervals]:
        return {
            metric: order_intervals(
                OrderedItems.of(self.labels, scores[self._places], self._questions, self.scheme),
                self._given.bootstrap,
                hard_pairs=hard_pairs(self.scheme),
                ambiguous_pairs=ambiguous_pairs(self.scheme),
            )
            for metric, scores in scores_by_metric(self._given).items()
        }


def scores_by_metric(given: LabInput) -> dict[str, Floats]:
    """The scores of all items. Raises ValueError if two metrics have one name."""
    names = [one.metric for one in given.scores]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two metrics are called {repeated[0]}")
    return {one.metric: one.scores for one in given.scores}


def order_table(
    given: LabInput,
    key: str,
    title: str,
    rows: Iterable[R],
    *columns: Shown[R],
    notes: str | Iterable[str],
    after: str,
) -> PaperTable:
    """A table with intervals, `after` those of the CAP paper."""
    intervals = (
        "In brackets are 95 % intervals of a bootstrap over questions"
        f" ({given.bootstrap.replicates:,} replicates, seed {given.bootstrap.seed})."
    )
    notes = (*as_texts(notes), intervals)
    return lab_table(given, key, title, rows, *columns, notes=notes, after=f"CAP, {after}")


def statistics(
    of: Callable[[R], OrderIntervals],
    names: Sequence[OrderStatistic] = ORDER_STATISTICS,
    *,
    less: Callable[[R], OrderIntervals] | None = None,
) -> tuple[Shown[R], ...]:
    """A column for each statistic of the order `of` a row, or for what it is `less` another's."""

    def column(name: OrderStatistic) -> Shown[R]:
        def estimate(row: R) -> Estimate:
            return of(row).difference(less(row), name) if less else of(row).statistic(name)

        return _STATISTICS[name], estimate

    return tuple(map(column, names))


def violation_columns(
    of: Callable[[R], OrderIntervals], *, is_unambiguous: bool = False
) -> tuple[Shown[R], Shown[R]]:
    """The number of pairs of classes that are violations of the order `of` a row, and of those
    whose classes both have items; with `is_unambiguous` of those whose order does not depend on the
    context."""
    key, title = "", "Violations"
    if is_unambiguous:
        key, title = "unambiguous_", "Unambiguous violations"

    def pairs(row: R) -> list[OrderedPair]:
        every = of(row).report.pairs
        return [pair for pair in every if not (is_unambiguous and pair.is_ambiguous)]

    return (
        count(
            f"{key}violations",
            title,
            lambda row: sum(pair.is_violation or False for pair in pairs(row)),
        ),
        count(f"{key}judged", "of", lambda row: violation_rate(pairs(row)).n),
    )


def _of_scheme(pairs: Sequence[ClassPair], scheme: LabelScheme) -> list[ClassPair]:
    ordered = strictly_ordered_pairs(scheme)
    return [pair for pair in pairs if pair in ordered]


LIKELY = 0.05
"""A pair is listed among the violations from this probability, violated or not."""

ACCURACY_RULE = f"Pairwise accuracy: {RULES['pairwise_accuracy']}."
VIOLATION_RULE = f"A violation is {RULES['violations']}."


def class_pairs_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """AUC of every pair of classes of different rank, by metric."""
    some = next(iter(orders.by_metric.values()))
    return order_table(
        given,
        "class_pairs",
        "How well metrics tell two classes apart: AUC",
        strictly_ordered_pairs(orders.scheme),
        text("higher", "Class", lambda pair: pair[0]),
        text("lower", "above class", lambda pair: pair[1]),
        count("n", "n", lambda pair: some.auc(pair).n),
        *(number(f"auc_{metric}", metric, order.auc) for metric, order in orders.by_metric.items()),
        text("remark", "Remark", lambda pair: _pair_remark(pair, orders.scheme)),
        notes=(
            "n is the number of pairs of an item of the one class with one of the other. AUC is"
            " the share of them in which the better class scores higher, ties counted half;"
            " 0.5 is chance."
        ),
        after="Tab. 3",
    )


def _pair_remark(pair: ClassPair, scheme: LabelScheme) -> str:
    remarks = [
        *(["hard"] if pair in hard_pairs(scheme) else []),
        *(["depends on context"] if pair in ambiguous_pairs(scheme) else []),
    ]
    return ", ".join(remarks)


def hard_pairs_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """Pairwise accuracy of the neighbours the paper calls hard, by metric."""
    some = next(iter(orders.by_metric.values()))
    return order_table(
        given,
        "hard_pairs",
        "Pairwise accuracy of neighbours that are hard to tell apart",
        hard_pairs(orders.scheme),
        text("pair", "Pair", pair_name),
        count("n", "n", lambda pair: some.accuracy(pair).n),
        *(
            percent(f"accuracy_{metric}", metric, order.accuracy)
            for metric, order in orders.by_metric.items()
        ),
        notes=f"n is the number of pairs of items. {ACCURACY_RULE}",
        after="Tab. 4",
    )


def violations_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """The violations of each metric, certain or likely: named, with their probability."""
    return order_table(
        given,
        "violations",
        "Pairs of classes whose order a metric violates",
        (
            (metric, order, pair, probability)
            for metric, order in orders.by_metric.items()
            for pair, probability in _violated(order)
        ),
        text("metric", "Metric", lambda row: row[0]),
        text("higher", "Better class", lambda row: row[2].higher.label),
        text("lower", "Worse class", lambda row: row[2].lower.label),
        number(
            "mean_higher",
            "Mean of the better",
            lambda row: row[1].class_mean(row[2].higher.label),
        ),
        number(
            "mean_lower", "Mean of the worse", lambda row: row[1].class_mean(row[2].lower.label)
        ),
        text("is_violated", "Violated", lambda row: "yes" if row[2].is_violation else "no"),
        percent("probability", "Probability of a violation", lambda row: row[3]),
        notes=(
            f"{VIOLATION_RULE} Its probability is the share of replicates with items of both"
            " classes that violate the pair. Listed are violated pairs, and those with a"
            f" probability of {LIKELY:.0%} or more."
        ),
        after="App. D.1",
    )


def _violated(order: OrderIntervals) -> Iterator[tuple[OrderedPair, Estimate]]:
    for pair in order.report.pairs:
        probability = order.violation_probability((pair.higher.label, pair.lower.label))
        if pair.is_violation or (probability.value or 0) >= LIKELY:
            yield pair, probability
