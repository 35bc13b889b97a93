"""Sources of labels that label some of the items, each beside the items' own labels there: raters,
and what generated texts were meant to be (CAP Tab. 16 and 17)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from tomahto.classes.label_sources import ComparedOrders, compare_orders
from tomahto.figures.rows import count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.lab.order.ordered import order_table, scores_by_metric, statistics
from tomahto.lab.report import LabInput
from tomahto.ranking.order_intervals import OrderIntervals

_OWN = "the items' own labels"
_NOTE = "n = items that the source labels; the items' own labels are those of the same items"


class _Row(NamedTuple):
    """A metric under the labels of a source, and under the items' own labels there."""

    metric: str
    source: str
    n: int
    differ: float
    theirs: OrderIntervals
    own: OrderIntervals


def part_tables(
    given: LabInput, parts: Mapping[str, Sequence[str | None]]
) -> tuple[PaperTable, ...]:
    """One of statistics, one of their differences, one of class means; none without a source that
    labels an item. There must be a metric."""
    rows = [row for source, labels in parts.items() for row in _rows(given, source, labels)]
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
            notes=_NOTE,
            after="Tab. 16",
        ),
        order_table(
            given,
            "label_source_part_differences",
            f"Such sources less {_OWN}",
            rows,
            *(metric, source, n),
            percent("differ", "Labels that differ", attrgetter("differ")),
            *statistics(attrgetter("theirs"), less=attrgetter("own")),
            notes=_NOTE,
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
            number("own", f"Under {_OWN}", lambda each: each[0].own.class_mean(each[1])),
            notes=_NOTE,
            after="Tab. 17",
        ),
    )


def _rows(given: LabInput, source: str, labels: Sequence[str | None]) -> Iterator[_Row]:
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
        yield _Row(metric, source, len(places), differ, theirs, own)
