"""Parts of every section about the order of classes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from tomahto.classes.cap_pairs import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.estimates.estimate import Estimate
from tomahto.figures.rows import R, Shown, as_texts, count
from tomahto.figures.table import Column, PaperTable
from tomahto.lab.judged import JudgedData
from tomahto.lab.metric_notes import lab_table
from tomahto.lab.report import LabInput
from tomahto.ranking.monotonicity import OrderedPair, violation_rate
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import (
    ORDER_STATISTICS,
    OrderIntervals,
    OrderStatistic,
    order_intervals,
)
from tomahto.ranking.pairs import ClassPair, strictly_ordered_pairs
from tomahto.types import Floats, Integers
from tomahto.votes.scheme import LabelScheme

RANKS_NEEDED = 3
_STATISTICS: Mapping[OrderStatistic, Column] = {
    "spearman": Column("spearman", "Spearman's ρ", "number"),
    "kendall_tau_b": Column("kendall_tau_b", "Kendall's τ-b", "number"),
    "pairwise_accuracy": Column("pairwise_accuracy", "Pairwise accuracy", "percent"),
    "violation_rate": Column("violation_rate", "Violation rate", "percent"),
}


def why_unordered(data: JudgedData) -> str:
    """Why the labels of the data give no order to keep; empty where they do."""
    if data.scheme.level != "ordinal" or len(set(data.scheme.ranks)) < RANKS_NEEDED:
        return f"the labels of the protocol {data.protocol} are no order of three or more ranks"
    if not data.items:
        return "there is no judged item"
    return ""


def hard_pairs(scheme: LabelScheme) -> list[ClassPair]:
    """Those of the paper that the scheme has (CAP Tab. 4)."""
    return _of_scheme(HARD_NEIGHBOURS, scheme)


def ambiguous_pairs(scheme: LabelScheme) -> list[ClassPair]:
    """Those whose order depends on the context (CAP eq. 1), of the scheme."""
    return _of_scheme(AMBIGUOUS_PAIRS, scheme)


def pair_name(pair: ClassPair) -> str:
    return f"{pair[0]} > {pair[1]}"


class MetricOrders:
    """Every metric's scores of some items beside their labels; all draws are paired."""

    def __init__(self, given: LabInput, chosen: Integers | None = None) -> None:
        places = range(len(given.data.items)) if chosen is None else chosen.tolist()
        items = [given.data.items[place] for place in places]
        self.labels = [item.label for item in items]
        self._questions = [item.question_id for item in items]
        self._given = given
        self._places = np.array(places, dtype=np.int64)

    @property
    def scheme(self) -> LabelScheme:
        return self._given.data.scheme

    @property
    def n(self) -> int:
        return len(self.labels)

    @cached_property
    def by_metric(self) -> dict[str, OrderIntervals]:
        return {
            metric: order_intervals(
                OrderedItems.of(self.labels, scores[self._places], self._questions, self.scheme),
                self._given.bootstrap,
                hard_pairs=hard_pairs(self.scheme),
                ambiguous_pairs=ambiguous_pairs(self.scheme),
            )
            for metric, scores in scores_by_metric(self._given).items()
        }


def scores_by_metric(given: LabInput) -> dict[str, Floats]:
    """The scores of all items. Raises ValueError if two metrics have one name."""
    names = [one.metric for one in given.scores]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two metrics are called {repeated[0]}")
    return {one.metric: one.scores for one in given.scores}


def order_table(
    given: LabInput,
    key: str,
    title: str,
    rows: Iterable[R],
    *columns: Shown[R],
    notes: str | Iterable[str],
    after: str,
) -> PaperTable:
    """A table with intervals, `after` those of the CAP paper."""
    intervals = (
        "In brackets are 95 % intervals of a bootstrap over questions"
        f" ({given.bootstrap.replicates:,} replicates, seed {given.bootstrap.seed})."
    )
    notes = (*as_texts(notes), intervals)
    return lab_table(given, key, title, rows, *columns, notes=notes, after=f"CAP, {after}")


def statistics(
    of: Callable[[R], OrderIntervals],
    names: Sequence[OrderStatistic] = ORDER_STATISTICS,
    *,
    less: Callable[[R], OrderIntervals] | None = None,
) -> tuple[Shown[R], ...]:
    """A column for each statistic of the order `of` a row, or for what it is `less` another's."""

    def column(name: OrderStatistic) -> Shown[R]:
        def estimate(row: R) -> Estimate:
            return of(row).difference(less(row), name) if less else of(row).statistic(name)

        return _STATISTICS[name], estimate

    return tuple(map(column, names))


def violation_columns(
    key: str, title: str, pairs_of: Callable[[R], Sequence[OrderedPair]]
) -> tuple[Shown[R], Shown[R]]:
    """How many pairs of classes are violations, of how many whose classes both have items."""
    return (
        count(
            f"{key}violations",
            title,
            lambda row: sum(pair.is_violation or False for pair in pairs_of(row)),
        ),
        count(f"{key}judged", "of", lambda row: violation_rate(pairs_of(row)).n),
    )


def _of_scheme(pairs: Sequence[ClassPair], scheme: LabelScheme) -> list[ClassPair]:
    ordered = strictly_ordered_pairs(scheme)
    return [pair for pair in pairs if pair in ordered]
