"""The order of the classes in the answers of each system (CAP Tab. 5 and 14)."""

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from tomahto.figures.rows import Shown, count, number, text
from tomahto.figures.table import PaperTable
from tomahto.lab.order.ordered import MetricOrders, order_table, statistics
from tomahto.lab.report import LabInput
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals


class _Row(NamedTuple):
    metric: str
    system: str
    n: int
    order: OrderIntervals


_COLUMNS: tuple[Shown[_Row], ...] = (
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
    rows = tuple(_rows(by_system))
    order = order_table(
        given,
        "order_by_system",
        "Metrics beside the order of the classes, by system",
        rows,
        *_COLUMNS,
        *statistics(attrgetter("order"), ORDER_STATISTICS[:3]),
        notes=_SYSTEMS_NOTE,
        after="Tab. 14",
    )
    means = order_table(
        given,
        "class_means_by_system",
        "Mean score of each class, by system",
        rows,
        *_COLUMNS,
        *map(_class_mean, given.data.scheme.labels),
        notes=_SYSTEMS_NOTE,
        after="Tab. 5",
    )
    return order, means


def _rows(by_system: Mapping[str, MetricOrders]) -> Iterator[_Row]:
    """One for every metric and system."""
    for metric in next(iter(by_system.values())).by_metric:
        for system, orders in by_system.items():
            yield _Row(metric, system, orders.n, orders.by_metric[metric])


def _class_mean(label: str) -> Shown[_Row]:
    return number(label, label, lambda row: row.order.class_mean(label))
