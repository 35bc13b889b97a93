"""Do the findings depend on whose labels they rest on? (CAP App. E, Tab. 16 and 17)"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from tomahto.charts.rows import Shown, count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.classes.label_sources import ComparedOrders, compare_orders, label_changes
from tomahto.estimates.estimate import Estimate
from tomahto.lab.judged import ADJUDICATORS
from tomahto.lab.order.ordered import (
    ambiguous_pairs,
    hard_pairs,
    order_table,
    scores_by_metric,
    statistics,
    why_unordered,
)
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.order_intervals import OrderIntervals

KEY, TITLE = "label_sources", "Sources of labels"
Labels: TypeAlias = Mapping[str, Sequence[str | None]]
"""By source, in the order of the items."""
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


def label_sources_section(given: LabInput) -> Section:
    """Scores are compared where all `label_sources` have a label; how labels change from source to
    source is counted on all items, ties among them. Each of the `part_sources` is set beside the
    items' own labels where it labels any. Raises ValueError if a source has another number of
    labels than there are items, or a label that is not in the scheme.
    """
    items, labelings, parts = given.data.items, given.data.label_sources, given.data.part_sources
    for source, labels in {**labelings, **parts}.items():
        if len(labels) != len(items):
            raise ValueError(f"{source}: {len(labels)} labels of {len(items)} items")
    places = [
        place
        for place in range(len(items))
        if all(labels[place] is not None for labels in labelings.values())
    ]
    reason = why_unordered(given.data) or ("" if given.scores else "there is no metric")
    if reason:
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    further = (*_label_tables(given), *part_tables(given))
    if len(labelings) < 2:
        reason = "there is one source of labels, with nothing to compare it to"
    elif not places:
        reason = "no item is labelled by every source"
    if reason:
        return Section(KEY, TITLE, LEAD, further, reason=reason)
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
    tables = (make(given, compared) for make in (_sources, _differences, _class_means))
    return Section(KEY, TITLE, LEAD, (*tables, *further))


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


def _label_tables(given: LabInput) -> Iterator[PaperTable]:
    """The changes of labels from source to source, and the treatment of ties."""
    labelings, ties = given.data.label_sources, given.data.tie_sources
    if len(labelings) < 2:
        return
    of_items: Sequence[None] = [None] * len(given.data.items)
    of_ties: Sequence[None] = [None] * len(next(iter(ties.values()), ()))

    def all_of(source: str, known: Labels) -> list[str | None]:
        return [*known.get(source, of_items), *ties.get(source, of_ties)]

    labels = {source: all_of(source, labelings) for source in labelings}
    yield _changes(given, labels)
    decided = all_of(ADJUDICATORS, given.data.part_sources)
    is_apart = "adjudicated" not in labelings and any(decided)
    others = labels | ({ADJUDICATORS: decided} if is_apart else {})
    tied = [
        (
            source,
            other,
            [theirs for own, theirs in zip(mine, others[other], strict=True) if own is None],
        )
        for source, mine in labels.items()
        for other in others
        if other != source and None in mine
    ]
    if tied:
        yield _ties(given, tied)


def _changes(given: LabInput, labels: Labels) -> PaperTable:
    return order_table(
        given,
        "label_source_changes",
        "Labels that differ between sources",
        (
            (*pair, label_changes(*(labels[one] for one in pair)))
            for pair in combinations(labels, 2)
        ),
        text("first", "Labels of", lambda row: row[0]),
        text("second", "and of", lambda row: row[1]),
        count("n", "n", lambda row: row[2].settled.n),
        count("differ", "Differ", lambda row: _differing(row[2].settled)),
        percent("share", "Share", lambda row: row[2].settled),
        count("ties", "Ties of the first", lambda row: row[2].ties),
        count("other_ties", "Ties of the second", lambda row: row[2].other_ties),
        count("items", "All items", lambda row: row[2].with_ties.n),
        count("differ_with_ties", "Differ, ties too", lambda row: _differing(row[2].with_ties)),
        percent("share_with_ties", "Share, ties too", lambda row: row[2].with_ties),
        notes=(
            "n = items that both sources label. All items are those that were rated; there a tie"
            " counts as a label of its own, which differs from every other and from no tie."
        ),
        after="Tab. 7 and 16",
    )


def _differing(share: Estimate) -> int:
    return round((share.value or 0) * share.n)


def _ties(given: LabInput, tied: Sequence[tuple[str, str, Sequence[str | None]]]) -> PaperTable:
    def labelled(label: str | None, title: str) -> Shown[tuple[str, str, Sequence[str | None]]]:
        return count(label or "no_label", title, lambda row: row[2].count(label))

    return order_table(
        given,
        "label_source_ties",
        "Ties of a source, by what another source says of them",
        tied,
        text("source", "Ties of", lambda row: row[0]),
        text("other", "Labels of", lambda row: row[1]),
        count("n", "n", lambda row: len(row[2])),
        *(labelled(label, label) for label in given.data.scheme.labels),
        labelled(None, "No label"),
        notes="n = items in which the source has a tie. No label is a tie as well, or no decision.",
        after="App. E",
    )


def _note(compared: _Compared) -> str:
    left_out = compared.all_items - compared.n
    return (
        f"n = {compared.n:,} items that every source labels; left out are {left_out:,} others."
        " All sources have the same items in every replicate."
    )


_OWN_LABELS = "the items' own labels"
_PART_NOTE = "n = items that the source labels; the items' own labels are those of the same items"


class _PartRow(NamedTuple):
    """A metric under the labels of a source, and under the items' own labels there."""

    metric: str
    source: str
    n: int
    differ: float
    theirs: OrderIntervals
    own: OrderIntervals


def part_tables(given: LabInput) -> tuple[PaperTable, ...]:
    """One of statistics, one of their differences, one of class means; none without a source that
    labels an item. There must be a metric."""
    parts = given.data.part_sources
    rows = [row for source, labels in parts.items() for row in _part_rows(given, source, labels)]
    if not rows:
        return ()
    metric = text("metric", "Metric", attrgetter("metric"))
    source = text("source", "Labels of", attrgetter("source"))
    n = count("n", "n", attrgetter("n"))
    return (
        order_table(
            given,
            "label_source_parts",
            "Metrics beside the order of the classes, by sources that label some items",
            rows,
            *(metric, source, n),
            *statistics(attrgetter("theirs")),
            notes=_PART_NOTE,
            after="Tab. 16",
        ),
        order_table(
            given,
            "label_source_part_differences",
            f"Such sources less {_OWN_LABELS}",
            rows,
            *(metric, source, n),
            percent("differ", "Labels that differ", attrgetter("differ")),
            *statistics(attrgetter("theirs"), less=attrgetter("own")),
            notes=_PART_NOTE,
            after="Tab. 7 and 16",
        ),
        order_table(
            given,
            "label_source_part_means",
            "Mean score of each class under such sources",
            product(rows, given.data.scheme.labels),
            text("metric", "Metric", lambda each: each[0].metric),
            text("source", "Labels of", lambda each: each[0].source),
            text("class", "Class", lambda each: each[1]),
            number("mean", "Mean", lambda each: each[0].theirs.class_mean(each[1])),
            number("own", f"Under {_OWN_LABELS}", lambda each: each[0].own.class_mean(each[1])),
            notes=_PART_NOTE,
            after="Tab. 17",
        ),
    )


def _part_rows(given: LabInput, source: str, labels: Sequence[str | None]) -> Iterator[_PartRow]:
    places = [place for place, label in enumerate(labels) if label is not None]
    if not places:
        return
    items = [given.data.items[place] for place in places]
    compared: ComparedOrders = compare_orders(
        {"": [item.label for item in items], source: [str(labels[place]) for place in places]},
        {metric: scores[places] for metric, scores in scores_by_metric(given).items()},
        [item.question_id for item in items],
        given.data.scheme,
        given.bootstrap,
    )
    differ = compared.differing_labels("", source).value or 0.0
    for metric in compared.metrics:
        theirs, own = (compared.orders[each, metric] for each in (source, ""))
        yield _PartRow(metric, source, len(places), differ, theirs, own)
