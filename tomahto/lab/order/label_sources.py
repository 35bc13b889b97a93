"""Do the findings depend on whose labels they rest on? (CAP App. E, Tab. 16 and 17)"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tomahto.classes.label_sources import ComparedOrders, compare_orders
from tomahto.figures.table import Column, PaperTable
from tomahto.lab.order.ordered import (
    ambiguous_pairs,
    hard_pairs,
    intervals_note,
    judged_source,
    scores_by_metric,
    why_unordered,
)
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.order_intervals import ORDER_STATISTICS

KEY, TITLE = "label_sources", "Sources of labels"
LEAD = (
    "Do metrics keep the order of the classes as well under other labels of the same items: one"
    " rater's, an aggregation's, an adjudicator's?"
)
_STATISTICS = (
    Column("spearman", "Spearman's ρ", "number"),
    Column("kendall_tau_b", "Kendall's τ-b", "number"),
    Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
    Column("violation_rate", "Violation rate", "percent"),
)


@dataclass(frozen=True, eq=False)
class _Compared:
    """The comparison on the items that every source labels, of so many `all_items`."""

    orders: ComparedOrders
    n: int
    all_items: int


def label_sources_section(
    given: LabInput, labelings: Mapping[str, Sequence[str | None]]
) -> Section:
    """`labelings` has, by source, a label of each item of the data, None where it gives none.

    Items that a source does not label are left out for all. Raises ValueError if a source has
    another number of labels than there are items, or a label that is not in the scheme.
    """
    items = given.data.items
    for source, labels in labelings.items():
        if len(labels) != len(items):
            raise ValueError(f"{source}: {len(labels)} labels of {len(items)} items")
    places = [
        place
        for place in range(len(items))
        if all(labels[place] is not None for labels in labelings.values())
    ]
    reason = why_unordered(given.data) or _why_not_compared(given, labelings, places)
    if reason:
        return Section(KEY, TITLE, LEAD, (), reason=reason)
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
    )
    return Section(KEY, TITLE, LEAD, tables)


def _why_not_compared(
    given: LabInput, labelings: Mapping[str, Sequence[str | None]], places: Sequence[int]
) -> str:
    if not given.scores:
        return "there is no metric"
    if len(labelings) < 2:
        return "there is one source of labels, with nothing to compare it to"
    return "" if places else "no item is labelled by every source"


def _sources(given: LabInput, compared: _Compared) -> PaperTable:
    return PaperTable(
        key="label_sources",
        title="Metrics beside the order of the classes, by source of the labels",
        columns=(
            Column("metric", "Metric", "text"),
            Column("source", "Labels of", "text"),
            Column("n", "n"),
            *_STATISTICS,
        ),
        rows=tuple(
            (metric, source, compared.n, *(order.statistic(name) for name in ORDER_STATISTICS))
            for (source, metric), order in compared.orders.orders.items()
        ),
        notes=_notes(given, compared),
        source=judged_source(given.data, "Tab. 16"),
    )


def _differences(given: LabInput, compared: _Compared) -> PaperTable:
    orders = compared.orders
    return PaperTable(
        key="label_source_differences",
        title="Differences between sources of labels",
        columns=(
            Column("metric", "Metric", "text"),
            Column("second", "Labels of", "text"),
            Column("first", "less those of", "text"),
            *_STATISTICS,
        ),
        rows=tuple(
            (
                metric,
                second,
                first,
                *(
                    orders.orders[second, metric].difference(orders.orders[first, metric], name)
                    for name in ORDER_STATISTICS
                ),
            )
            for metric in orders.metrics
            for first, second in orders.source_pairs
        ),
        notes=_notes(given, compared),
        source=judged_source(given.data, "Tab. 16"),
    )


def _class_means(given: LabInput, compared: _Compared) -> PaperTable:
    """The first source is what the others are compared to."""
    orders, labels = compared.orders, given.data.scheme.labels
    first, *others = orders.labels
    return PaperTable(
        key="label_source_means",
        title="Mean score of each class, by source of the labels",
        columns=(
            Column("metric", "Metric", "text"),
            Column("class", "Class", "text"),
            *(Column(f"mean_{source}", source, "number") for source in orders.labels),
            *(Column(f"less_{source}", f"{source} less {first}", "number") for source in others),
        ),
        rows=tuple(
            (
                metric,
                label,
                *(orders.orders[source, metric].class_mean(label) for source in orders.labels),
                *(
                    orders.orders[source, metric].mean_difference(
                        orders.orders[first, metric], label
                    )
                    for source in others
                ),
            )
            for metric in orders.metrics
            for label in labels
        ),
        notes=_notes(given, compared),
        source=judged_source(given.data, "Tab. 17"),
    )


def _differing(given: LabInput, compared: _Compared) -> PaperTable:
    orders = compared.orders
    return PaperTable(
        key="label_source_changes",
        title="Labels that differ between sources",
        columns=(
            Column("first", "Labels of", "text"),
            Column("second", "and of", "text"),
            Column("n", "n"),
            Column("differ", "Differ"),
            Column("share", "Share", "percent"),
        ),
        rows=tuple(
            (first, second, share.n, round((share.value or 0) * share.n), share)
            for first, second in orders.source_pairs
            for share in [orders.differing_labels(first, second)]
        ),
        notes=_notes(given, compared),
        source=judged_source(given.data, "Tab. 7 and 16"),
    )


def _notes(given: LabInput, compared: _Compared) -> tuple[str, ...]:
    left_out = compared.all_items - compared.n
    return (
        (
            f"n = {compared.n:,} items that every source labels; left out are {left_out:,} others."
            " All sources have the same items in every replicate."
        ),
        intervals_note(given.bootstrap),
    )
