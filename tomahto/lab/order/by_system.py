"""The order of the classes in the answers of each system (CAP Tab. 5 and 14)."""

from collections.abc import Callable, Mapping

import numpy as np

from tomahto.estimates.estimate import Estimate
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.lab.order.ordered import MetricOrders, intervals_note, judged_source
from tomahto.lab.report import LabInput
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals

_COLUMNS = (
    Column("metric", "Metric", "text"),
    Column("system", "System", "text"),
    Column("n", "n"),
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
    return (_order(given, by_system), _class_means(given, by_system))


def _order(given: LabInput, by_system: Mapping[str, MetricOrders]) -> PaperTable:
    return PaperTable(
        key="order_by_system",
        title="Metrics beside the order of the classes, by system",
        columns=(
            *_COLUMNS,
            Column("spearman", "Spearman's ρ", "number"),
            Column("kendall_tau_b", "Kendall's τ-b", "number"),
            Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
        ),
        rows=_rows(
            by_system, lambda order: [order.statistic(name) for name in ORDER_STATISTICS[:3]]
        ),
        notes=(_SYSTEMS_NOTE, intervals_note(given.bootstrap)),
        source=judged_source(given.data, "Tab. 14"),
    )


def _class_means(given: LabInput, by_system: Mapping[str, MetricOrders]) -> PaperTable:
    labels = given.data.scheme.labels
    return PaperTable(
        key="class_means_by_system",
        title="Mean score of each class, by system",
        columns=(*_COLUMNS, *(Column(label, label, "number") for label in labels)),
        rows=_rows(by_system, lambda order: [order.class_mean(label) for label in labels]),
        notes=(_SYSTEMS_NOTE, intervals_note(given.bootstrap)),
        source=judged_source(given.data, "Tab. 5"),
    )


def _rows(
    by_system: Mapping[str, MetricOrders], cells: Callable[[OrderIntervals], list[Estimate]]
) -> tuple[tuple[Cell, ...], ...]:
    """A row for every metric and system."""
    metrics = next(iter(by_system.values())).by_metric
    return tuple(
        (metric, system, orders.n, *cells(orders.by_metric[metric]))
        for metric in metrics
        for system, orders in by_system.items()
    )
