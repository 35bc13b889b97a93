"""What metrics make of pairs of classes (CAP Tab. 3, 4 and 12, App. D.1)."""

from collections.abc import Iterator

from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.lab.order.ordered import (
    MetricOrders,
    ambiguous_pairs,
    hard_pairs,
    intervals_note,
    judged_source,
    pair_name,
)
from tomahto.lab.report import LabInput
from tomahto.ranking.monotonicity import RULES, ClassPair, strictly_ordered_pairs
from tomahto.ranking.order_intervals import OrderIntervals
from tomahto.votes.scheme import LabelScheme

LIKELY = 0.05
"""A pair is listed among the violations from this probability, violated or not."""

ACCURACY_RULE = f"Pairwise accuracy: {RULES['pairwise_accuracy']}."
VIOLATION_RULE = f"A violation is {RULES['violations']}."


def class_pairs_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """AUC of every pair of classes of different rank, by metric."""
    pairs = strictly_ordered_pairs(orders.scheme)
    some = next(iter(orders.by_metric.values()))
    return PaperTable(
        key="class_pairs",
        title="How well metrics tell two classes apart: AUC",
        columns=(
            Column("higher", "Class", "text"),
            Column("lower", "above class", "text"),
            Column("n", "n"),
            *(Column(f"auc_{metric}", metric, "number") for metric in orders.by_metric),
            Column("remark", "Remark", "text"),
        ),
        rows=tuple(
            (
                *pair,
                some.auc(pair).n,
                *(order.auc(pair) for order in orders.by_metric.values()),
                _remark(pair, orders.scheme),
            )
            for pair in pairs
        ),
        notes=(
            (
                "n is the number of pairs of an item of the one class with one of the other. AUC is"
                " the share of them in which the better class scores higher, ties counted half;"
                " 0.5 is chance."
            ),
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "Tab. 3"),
    )


def _remark(pair: ClassPair, scheme: LabelScheme) -> str:
    remarks = [
        *(["hard"] if pair in hard_pairs(scheme) else []),
        *(["depends on context"] if pair in ambiguous_pairs(scheme) else []),
    ]
    return ", ".join(remarks)


def hard_pairs_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """Pairwise accuracy of the neighbours the paper calls hard, by metric."""
    some = next(iter(orders.by_metric.values()))
    return PaperTable(
        key="hard_pairs",
        title="Pairwise accuracy of neighbours that are hard to tell apart",
        columns=(
            Column("pair", "Pair", "text"),
            Column("n", "n"),
            *(Column(f"accuracy_{metric}", metric, "percent") for metric in orders.by_metric),
        ),
        rows=tuple(
            (
                pair_name(pair),
                some.accuracy(pair).n,
                *(order.accuracy(pair) for order in orders.by_metric.values()),
            )
            for pair in hard_pairs(orders.scheme)
        ),
        notes=(
            f"n is the number of pairs of items. {ACCURACY_RULE}",
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "Tab. 4"),
    )


def violations_table(given: LabInput, orders: MetricOrders) -> PaperTable:
    """What each metric violates, or may well: named, with its probability."""
    return PaperTable(
        key="violations",
        title="Pairs of classes whose order a metric violates",
        columns=(
            Column("metric", "Metric", "text"),
            Column("higher", "Better class", "text"),
            Column("lower", "Worse class", "text"),
            Column("mean_higher", "Mean of the better", "number"),
            Column("mean_lower", "Mean of the worse", "number"),
            Column("is_violated", "Violated", "text"),
            Column("probability", "Probability of a violation", "percent"),
        ),
        rows=tuple(
            row for metric, order in orders.by_metric.items() for row in _violated(metric, order)
        ),
        notes=(
            (
                f"{VIOLATION_RULE} Its probability is the share of replicates with items of both"
                " classes that violate the pair. Listed are violated pairs, and those with a"
                f" probability of {LIKELY:.0%} or more."
            ),
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "App. D.1"),
    )


def _violated(metric: str, order: OrderIntervals) -> Iterator[tuple[Cell, ...]]:
    for pair in order.report.pairs:
        classes = (pair.higher.label, pair.lower.label)
        probability = order.violation_probability(classes)
        if pair.is_violation or (probability.value or 0) >= LIKELY:
            means = (order.class_mean(label) for label in classes)
            yield (metric, *classes, *means, "yes" if pair.is_violation else "no", probability)
