"""Do the findings depend on whose labels they rest on? (CAP App. E, Tab. 16 and 17)"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter
from types import MappingProxyType

from tomahto.classes.label_sources import ComparedOrders, compare_orders
from tomahto.figures.rows import Shown, count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.lab.order.label_source_parts import part_tables
from tomahto.lab.order.ordered import (
    ambiguous_pairs,
    hard_pairs,
    order_table,
    scores_by_metric,
    statistics,
    why_unordered,
)
from tomahto.lab.report import LabInput, Section

KEY, TITLE = "label_sources", "Sources of labels"
LEAD = (
    "Do metrics keep the order of the classes as well under other labels of the same items: one"
    " rater's, an aggregation's, an adjudicator's?"
)


@dataclass(frozen=True, eq=False)
class _Compared:
    """The comparison on the items that every source labels, of so many `all_items`."""

    orders: ComparedOrders
    n: int
    all_items: int


def label_sources_section(
    given: LabInput,
    labelings: Mapping[str, Sequence[str | None]],
    parts: Mapping[str, Sequence[str | None]] = MappingProxyType({}),
) -> Section:
    """Both have, by source, a label of each item of the data, None where it gives none.

    Items that one of the `labelings` does not label are left out for all of them; each of the
    `parts` is set beside the items' own labels where it labels any. Raises ValueError if a source
    has another number of labels than there are items, or a label that is not in the scheme.
    """
    items = given.data.items
    for source, labels in {**labelings, **parts}.items():
        if len(labels) != len(items):
            raise ValueError(f"{source}: {len(labels)} labels of {len(items)} items")
    places = [
        place
        for place in range(len(items))
        if all(labels[place] is not None for labels in labelings.values())
    ]
    reason = why_unordered(given.data) or ("" if given.scores else "there is no metric")
    of_parts = () if reason else part_tables(given, parts)
    reason = reason or _why_not_compared(labelings, places)
    if reason:
        return Section(KEY, TITLE, LEAD, of_parts, reason=reason)
    orders = compare_orders(
        {name: [str(labels[place]) for place in places] for name, labels in labelings.items()},
        {metric: scores[places] for metric, scores in scores_by_metric(given).items()},
        [items[place].question_id for place in places],
        given.data.scheme,
        given.bootstrap,
        hard_pairs=hard_pairs(given.data.scheme),
        ambiguous_pairs=ambiguous_pairs(given.data.scheme),
    )
    compared = _Compared(orders, len(places), len(items))
    tables = (
        _sources(given, compared),
        _differences(given, compared),
        _class_means(given, compared),
        _differing(given, compared),
        *of_parts,
    )
    return Section(KEY, TITLE, LEAD, tables)


def _why_not_compared(labelings: Mapping[str, Sequence[str | None]], places: Sequence[int]) -> str:
    if len(labelings) < 2:
        return "there is one source of labels, with nothing to compare it to"
    return "" if places else "no item is labelled by every source"


def _sources(given: LabInput, compared: _Compared) -> PaperTable:
    return order_table(
        given,
        "label_sources",
        "Metrics beside the order of the classes, by source of the labels",
        compared.orders.orders.items(),
        text("metric", "Metric", lambda row: row[0][1]),
        text("source", "Labels of", lambda row: row[0][0]),
        count("n", "n", lambda _: compared.n),
        *statistics(itemgetter(1)),
        notes=_note(compared),
        after="Tab. 16",
    )


def _differences(given: LabInput, compared: _Compared) -> PaperTable:
    orders = compared.orders.orders
    return order_table(
        given,
        "label_source_differences",
        "Differences between sources of labels",
        (
            (metric, first, second, orders[first, metric], orders[second, metric])
            for metric in compared.orders.metrics
            for first, second in compared.orders.source_pairs
        ),
        text("metric", "Metric", lambda row: row[0]),
        text("second", "Labels of", lambda row: row[2]),
        text("first", "less those of", lambda row: row[1]),
        *statistics(itemgetter(4), less=itemgetter(3)),
        notes=_note(compared),
        after="Tab. 16",
    )


def _class_means(given: LabInput, compared: _Compared) -> PaperTable:
    """The first source is what the others are compared to."""
    orders = compared.orders.orders
    first, *others = compared.orders.labels

    def mean(source: str) -> Shown[tuple[str, str]]:
        return number(
            f"mean_{source}", source, lambda row: orders[source, row[0]].class_mean(row[1])
        )

    def difference(source: str) -> Shown[tuple[str, str]]:
        return number(
            f"less_{source}",
            f"{source} less {first}",
            lambda row: orders[source, row[0]].mean_difference(orders[first, row[0]], row[1]),
        )

    return order_table(
        given,
        "label_source_means",
        "Mean score of each class, by source of the labels",
        product(compared.orders.metrics, given.data.scheme.labels),
        text("metric", "Metric", lambda row: row[0]),
        text("class", "Class", lambda row: row[1]),
        *map(mean, (first, *others)),
        *map(difference, others),
        notes=_note(compared),
        after="Tab. 17",
    )


def _differing(given: LabInput, compared: _Compared) -> PaperTable:
    orders = compared.orders
    return order_table(
        given,
        "label_source_changes",
        "Labels that differ between sources",
        ((*pair, orders.differing_labels(*pair)) for pair in orders.source_pairs),
        text("first", "Labels of", lambda row: row[0]),
        text("second", "and of", lambda row: row[1]),
        count("n", "n", lambda row: row[2].n),
        count("differ", "Differ", lambda row: round((row[2].value or 0) * row[2].n)),
        percent("share", "Share", lambda row: row[2]),
        notes=_note(compared),
        after="Tab. 7 and 16",
    )


def _note(compared: _Compared) -> str:
    left_out = compared.all_items - compared.n
    return (
        f"n = {compared.n:,} items that every source labels; left out are {left_out:,} others."
        " All sources have the same items in every replicate."
    )
