"""What every section about the order of classes is made of."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tomahto.classes.cap_pairs import AMBIGUOUS_PAIRS, HARD_NEIGHBOURS
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import JudgedData
from tomahto.lab.report import LabInput
from tomahto.ranking.monotonicity import ClassPair, strictly_ordered_pairs
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import OrderIntervals, order_intervals
from tomahto.types import Floats, Integers
from tomahto.votes.scheme import LabelScheme

RANKS_NEEDED = 3


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


def intervals_note(bootstrap: Bootstrap) -> str:
    return (
        "In brackets are 95 % intervals of a bootstrap over questions"
        f" ({bootstrap.replicates:,} replicates, seed {bootstrap.seed})."
    )


def judged_source(data: JudgedData, tables: str) -> str:
    """Where the numbers of a table come from, and the tables of the paper it is after."""
    return f"{data.named}; after CAP, {tables}"


def _of_scheme(pairs: Sequence[ClassPair], scheme: LabelScheme) -> list[ClassPair]:
    ordered = strictly_ordered_pairs(scheme)
    return [pair for pair in pairs if pair in ordered]
