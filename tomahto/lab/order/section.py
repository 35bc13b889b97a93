"""Do metrics keep the order of the classes? (CAP §6 and §7, Tab. 2, 3, 4 and 12, Fig. 3)"""

from collections.abc import Sequence
from itertools import combinations

from tomahto.figures.table import Column, PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.order.by_system import tables_by_system
from tomahto.lab.order.ordered import (
    MetricOrders,
    ambiguous_pairs,
    hard_pairs,
    intervals_note,
    judged_source,
    pair_name,
    why_unordered,
)
from tomahto.lab.order.pairs import (
    ACCURACY_RULE,
    VIOLATION_RULE,
    class_pairs_table,
    hard_pairs_table,
    violations_table,
)
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.monotonicity import RULES, OrderedPair, strictly_ordered_pairs, violation_rate
from tomahto.ranking.order_intervals import ORDER_STATISTICS
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


def _order(given: LabInput, orders: MetricOrders) -> PaperTable:
    hard = hard_pairs(orders.scheme)
    return PaperTable(
        key="order",
        title="Metrics beside the order of the classes",
        columns=(
            Column("metric", "Metric", "text"),
            Column("n", "n"),
            Column("spearman", "Spearman's ρ", "number"),
            Column("kendall_tau_b", "Kendall's τ-b", "number"),
            Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
            Column("violations", "Violations"),
            Column("judged", "of"),
            Column("violation_rate", "Violation rate", "percent"),
            Column("unambiguous_violations", "Unambiguous violations"),
            Column("unambiguous_judged", "of"),
            *(Column("_over_".join(pair), pair_name(pair), "percent") for pair in hard),
        ),
        rows=tuple(
            (
                metric,
                orders.n,
                *(order.statistic(name) for name in ORDER_STATISTICS[:3]),
                *_violations(order.report.pairs),
                order.statistic("violation_rate"),
                *_violations([pair for pair in order.report.pairs if not pair.is_ambiguous]),
                *(order.accuracy(pair) for pair in hard),
            )
            for metric, order in orders.by_metric.items()
        ),
        notes=(*_order_notes(orders.scheme), intervals_note(given.bootstrap)),
        source=judged_source(given.data, "Tab. 2, 4 and 12"),
    )


def _order_notes(scheme: LabelScheme) -> tuple[str, ...]:
    return (
        f"n is the number of items. Correlations: {RULES['correlations']}. {ACCURACY_RULE}",
        (
            f"{VIOLATION_RULE} Counted are the"
            f" {len(strictly_ordered_pairs(scheme))} pairs of classes of different rank;"
            " of are those of them whose classes both have items. Unambiguous are those whose"
            f" order does not depend on the context, all but {_names(scheme)}. The last"
            " columns are the pairwise accuracy of neighbours that are hard to tell apart."
        ),
    )


def _violations(pairs: Sequence[OrderedPair]) -> tuple[int, int]:
    """How many are violations, of how many whose classes both have items."""
    rate = violation_rate(pairs)
    return sum(pair.is_violation or False for pair in pairs), rate.n


def _names(scheme: LabelScheme) -> str:
    return " and ".join(map(pair_name, ambiguous_pairs(scheme))) or "none"


def _differences(given: LabInput, orders: MetricOrders) -> PaperTable:
    return PaperTable(
        key="order_differences",
        title="Differences between metrics",
        columns=(
            Column("first", "Metric", "text"),
            Column("second", "less metric", "text"),
            Column("spearman", "Spearman's ρ", "number"),
            Column("kendall_tau_b", "Kendall's τ-b", "number"),
            Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
            Column("violation_rate", "Violation rate", "percent"),
        ),
        rows=tuple(
            (first, second, *(one.difference(other, name) for name in ORDER_STATISTICS))
            for (first, one), (second, other) in combinations(orders.by_metric.items(), 2)
        ),
        notes=(
            (
                f"n = {orders.n:,} items. Both metrics have the same items in every replicate. Of"
                " percentages the difference is in percentage points."
            ),
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "Tab. 2"),
    )


def _class_means(given: LabInput, orders: MetricOrders) -> PaperTable:
    scheme = orders.scheme
    labels = sorted(scheme.labels, key=lambda label: -scheme.rank_of[label])
    return PaperTable(
        key="class_means",
        title="Mean score of each class",
        columns=(
            Column("class", "Class", "text"),
            Column("rank", "Rank"),
            Column("n", "n"),
            *(Column(f"mean_{metric}", metric, "number") for metric in orders.by_metric),
        ),
        rows=tuple(
            (
                label,
                scheme.rank_of[label],
                orders.labels.count(label),
                *(order.class_mean(label) for order in orders.by_metric.values()),
            )
            for label in labels
        ),
        notes=(
            "n is the number of items of the class. Classes stand from the best to the worst.",
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "Fig. 3"),
    )


def _charts(given: LabInput, metrics: tuple[str, ...]) -> tuple[TableChart, ...]:
    means = TableChart(
        kind="points",
        table="class_means",
        title="Mean score of each class, from the best to the worst",
        label="class",
        series=tuple(f"mean_{metric}" for metric in metrics),
        across="Mean score",
        up="Class",
        low=0.0,
        high=1.0,
    )
    hard = TableChart(
        kind="points",
        table="hard_pairs",
        title="Pairwise accuracy of hard neighbours",
        label="pair",
        series=tuple(f"accuracy_{metric}" for metric in metrics),
        across="Pairwise accuracy",
        up="Pair",
        low=0.0,
        high=1.0,
    )
    return (means, hard) if hard_pairs(given.data.scheme) else (means,)
