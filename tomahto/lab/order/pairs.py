"""What metrics make of pairs of classes (CAP Tab. 3, 4 and 12, App. D.1)."""

from collections.abc import Iterator

from tomahto.estimates.estimate import Estimate
from tomahto.figures.rows import count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.lab.order.ordered import (
    MetricOrders,
    ambiguous_pairs,
    hard_pairs,
    order_table,
    pair_name,
)
from tomahto.lab.report import LabInput
from tomahto.ranking.monotonicity import RULES, OrderedPair
from tomahto.ranking.order_intervals import OrderIntervals
from tomahto.ranking.pairs import ClassPair, strictly_ordered_pairs
from tomahto.votes.scheme import LabelScheme

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
        text("remark", "Remark", lambda pair: _remark(pair, orders.scheme)),
        notes=(
            "n is the number of pairs of an item of the one class with one of the other. AUC is"
            " the share of them in which the better class scores higher, ties counted half;"
            " 0.5 is chance."
        ),
        after="Tab. 3",
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
    """What each metric violates, or may well: named, with its probability."""
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
