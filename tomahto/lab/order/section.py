"""Do metrics keep the order of the classes? (CAP §6 and §7, Tab. 2 to 5, 12 and 14, Fig. 3)"""

from itertools import combinations
from operator import attrgetter, itemgetter
from typing import NamedTuple

import numpy as np

from tomahto.charts.chart_data import TableChart
from tomahto.charts.rows import Shown, count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.lab.order.ordered import (
    ACCURACY_RULE,
    VIOLATION_RULE,
    MetricOrders,
    ambiguous_pairs,
    class_pairs_table,
    hard_pairs,
    hard_pairs_table,
    order_table,
    pair_name,
    statistics,
    violation_columns,
    violations_table,
    why_unordered,
)
from tomahto.lab.report import LabInput, Section, points_chart
from tomahto.ranking.monotonicity import RULES
from tomahto.ranking.order_counts import ClassPair, strictly_ordered_pairs
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals
from tomahto.votes.scheme import LabelScheme

KEY, TITLE = "order", "Order of the classes"
LEAD = (
    "Does a metric score a better class of answers higher? Rank correlations and pairs of items"
    " tell it of answers, mean scores of classes."
)


def order_section(given: LabInput) -> Section:
    """Nothing is tuned here, so that all items count, of whatever split."""
    reason = why_unordered(given.data) or ("" if given.scores else "there is no metric")
    if reason:
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    orders = MetricOrders(given)
    metrics = tuple(orders.by_metric)
    tables = [
        _order(given, orders),
        *([_differences(given, orders)] if len(metrics) > 1 else []),
        _class_means(given, orders),
        class_pairs_table(given, orders),
        *([hard_pairs_table(given, orders)] if hard_pairs(orders.scheme) else []),
        violations_table(given, orders),
        *tables_by_system(given),
    ]
    return Section(KEY, TITLE, LEAD, tuple(tables), _charts(given, metrics))


_Metric = tuple[str, OrderIntervals]


def _order(given: LabInput, orders: MetricOrders) -> PaperTable:
    def accuracy(pair: ClassPair) -> Shown[_Metric]:
        return percent("_over_".join(pair), pair_name(pair), lambda row: row[1].accuracy(pair))

    return order_table(
        given,
        "order",
        "Metrics beside the order of the classes",
        orders.by_metric.items(),
        text("metric", "Metric", lambda row: row[0]),
        count("n", "n", lambda _: orders.n),
        *statistics(itemgetter(1), ORDER_STATISTICS[:3]),
        *violation_columns(itemgetter(1)),
        *statistics(itemgetter(1), ORDER_STATISTICS[3:]),
        *violation_columns(itemgetter(1), is_unambiguous=True),
        *map(accuracy, hard_pairs(orders.scheme)),
        notes=_order_notes(orders.scheme),
        after="Tab. 2, 4 and 12",
    )


def _order_notes(scheme: LabelScheme) -> tuple[str, ...]:
    ambiguous = " and ".join(map(pair_name, ambiguous_pairs(scheme))) or "none"
    return (
        f"n is the number of items. Correlations: {RULES['correlations']}. {ACCURACY_RULE}",
        (
            f"{VIOLATION_RULE} Counted are the"
            f" {len(strictly_ordered_pairs(scheme))} pairs of classes of different rank;"
            " of are those of them whose classes both have items. Unambiguous are those whose"
            f" order does not depend on the context, all but {ambiguous}. The last"
            " columns are the pairwise accuracy of neighbours that are hard to tell apart."
        ),
    )


def _differences(given: LabInput, orders: MetricOrders) -> PaperTable:
    return order_table(
        given,
        "order_differences",
        "Differences between metrics",
        ((*one, *other) for one, other in combinations(orders.by_metric.items(), 2)),
        text("first", "Metric", lambda row: row[0]),
        text("second", "less metric", lambda row: row[2]),
        *statistics(itemgetter(1), less=itemgetter(3)),
        notes=(
            f"n = {orders.n:,} items. Both metrics have the same items in every replicate. Of"
            " percentages the difference is in percentage points."
        ),
        after="Tab. 2",
    )


def _class_means(given: LabInput, orders: MetricOrders) -> PaperTable:
    scheme = orders.scheme
    return order_table(
        given,
        "class_means",
        "Mean score of each class",
        sorted(scheme.labels, key=lambda label: -scheme.rank_of[label]),
        text("class", "Class", lambda label: label),
        count("rank", "Rank", lambda label: scheme.rank_of[label]),
        count("n", "n", orders.labels.count),
        *(
            number(f"mean_{metric}", metric, order.class_mean)
            for metric, order in orders.by_metric.items()
        ),
        notes="n is the number of items of the class. Classes are ordered from the best to the "
        "worst.",
        after="Fig. 3",
    )


def _charts(given: LabInput, metrics: tuple[str, ...]) -> tuple[TableChart, ...]:
    title = "Mean score of each class, from the best to the worst"
    series = tuple(f"mean_{metric}" for metric in metrics)
    means = points_chart("class_means", title, "class", series, "Mean score", ends=(0.0, 1.0))
    title = "Pairwise accuracy of hard neighbours"
    series = tuple(f"accuracy_{metric}" for metric in metrics)
    hard = points_chart("hard_pairs", title, "pair", series, "Pairwise accuracy", ends=(0.0, 1.0))
    return (means, hard) if hard_pairs(given.data.scheme) else (means,)


class _SystemRow(NamedTuple):
    metric: str
    system: str
    n: int
    order: OrderIntervals


_SYSTEM_COLUMNS: tuple[Shown[_SystemRow], ...] = (
    text("metric", "Metric", lambda row: row.metric),
    text("system", "System", lambda row: row.system),
    count("n", "n", lambda row: row.n),
)
_SYSTEMS_NOTE = "n is the number of items. An item of several systems counts for each of them."


def tables_by_system(given: LabInput) -> tuple[PaperTable, ...]:
    """Correlations and class means of every metric on every system's items; none without systems.

    Systems whose answers were never judged have no row.
    """
    items = given.data.items
    places = {
        system: np.flatnonzero([system in item.systems for item in items])
        for system in given.data.systems
    }
    by_system = {
        system: MetricOrders(given, chosen) for system, chosen in places.items() if len(chosen)
    }
    if not by_system:
        return ()
    rows = tuple(
        _SystemRow(metric, system, orders.n, orders.by_metric[metric])
        for metric in next(iter(by_system.values())).by_metric
        for system, orders in by_system.items()
    )

    def class_mean(label: str) -> Shown[_SystemRow]:
        return number(label, label, lambda row: row.order.class_mean(label))

    order = order_table(
        given,
        "order_by_system",
        "Metrics beside the order of the classes, by system",
        rows,
        *_SYSTEM_COLUMNS,
        *statistics(attrgetter("order"), ORDER_STATISTICS[:3]),
        notes=_SYSTEMS_NOTE,
        after="Tab. 14",
    )
    means = order_table(
        given,
        "class_means_by_system",
        "Mean score of each class, by system",
        rows,
        *_SYSTEM_COLUMNS,
        *map(class_mean, given.data.scheme.labels),
        notes=_SYSTEMS_NOTE,
        after="Tab. 5",
    )
    return order, means
