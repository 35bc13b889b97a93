"""The monotonicity protocol under several sources of labels for the same items (CAP Tab. 16, 17).

A source is who or what labelled: one rater, the majority, an aggregation, an adjudicator, a
pipeline. A difference between sources is that of the second less the first.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.ranking.order_counts import ClassPair, OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, OrderIntervals, order_intervals
from tomahto.types import Floats, JsonObject
from tomahto.votes.scheme import LabelScheme

Key = tuple[str, str]
"""A source of labels and a metric."""


@dataclass(frozen=True, slots=True)
class LabelChanges:
    """The labels of two sources for the same items, None where a source has a tie.

    `settled` is the share labelled differently of the `n` items that both label, `with_ties` that
    of all items, a tie being a label of its own. `ties` are the first source's, `other_ties` the
    second's.
    """

    ties: int
    other_ties: int
    settled: Estimate
    with_ties: Estimate


@dataclass(frozen=True, eq=False)
class ComparedOrders:
    """The protocol for every source of labels and every metric; all draws are paired.

    `is_by_question` says whether intervals come from resampled questions, or, as none is named,
    from resampled items.
    """

    labels: Mapping[str, Sequence[str]]
    metrics: tuple[str, ...]
    orders: Mapping[Key, OrderIntervals]
    is_by_question: bool

    @property
    def source_pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(combinations(self.labels, 2))

    @property
    def metric_pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple(combinations(self.metrics, 2))

    def differing_labels(self, one: str, other: str) -> Estimate:
        """The share of the `n` items that two sources label differently."""
        return label_changes(self.labels[one], self.labels[other]).settled

    def as_json(self) -> JsonObject:
        """Everything as a JSON object; what is undefined is null beside a "reason"."""
        some = next(iter(self.orders.values()))
        return {
            "n": some.items.n,
            "questions": some.items.clusters,
            "resampled": "questions" if self.is_by_question else "items",
            "sources": list(self.labels),
            "metrics": list(self.metrics),
            "reports": [
                {
                    "source": source,
                    "metric": metric,
                    **order.report.as_json(),
                    "intervals": order.as_json(),
                }
                for (source, metric), order in self.orders.items()
            ],
            "differing_labels": [self._differing(*pair) for pair in self.source_pairs],
            "differences_of_sources": [
                {"metric": metric, **self._difference(pair, ((pair[0], metric), (pair[1], metric)))}
                for metric in self.metrics
                for pair in self.source_pairs
            ],
            "differences_of_metrics": [
                {"source": source, **self._difference(pair, ((source, pair[0]), (source, pair[1])))}
                for source in self.labels
                for pair in self.metric_pairs
            ],
        }

    def _differing(self, one: str, other: str) -> JsonObject:
        share = self.differing_labels(one, other)
        differ = round((share.value or 0) * share.n)
        return {"sources": [one, other], "n": share.n, "differ": differ, "share": share.value}

    def _difference(self, names: tuple[str, str], keys: tuple[Key, Key]) -> JsonObject:
        """Of the second less the first."""
        first, second = (self.orders[key] for key in keys)
        return {
            "first": names[0],
            "second": names[1],
            **{name: estimate_as_json(second.difference(first, name)) for name in ORDER_STATISTICS},
            "classes": [
                {"class": label, **estimate_as_json(second.mean_difference(first, label))}
                for label in second.items.scheme.labels
            ],
        }


def label_changes(one: Sequence[str | None], other: Sequence[str | None]) -> LabelChanges:
    """From the labels (N,) of two sources. Raises ValueError if they differ in number."""
    pairs = list(zip(one, other, strict=True))
    return LabelChanges(
        ties=sum(label is None for label in one),
        other_ties=sum(label is None for label in other),
        settled=_differing([pair for pair in pairs if None not in pair]),
        with_ties=_differing(pairs),
    )


def _differing(pairs: Sequence[tuple[str | None, str | None]]) -> Estimate:
    if not pairs:
        return undefined("no item has a label of both", n=0)
    return Estimate(value=sum(a != b for a, b in pairs) / len(pairs), n=len(pairs))


def compare_orders(
    labels: Mapping[str, Sequence[str]],
    scores: Mapping[str, Floats],
    questions: Sequence[object] | None,
    scheme: LabelScheme,
    bootstrap: Bootstrap,
    *,
    hard_pairs: Collection[ClassPair] = (),
    ambiguous_pairs: Collection[ClassPair] = (),
) -> ComparedOrders:
    """Every source's labels (N,) with every metric's scores (N,) of the same N items.

    Intervals draw `questions` (N,); without them, items. Raises ValueError if there is no item or
    label source or metric, the lengths differ, a label is not in the scheme or a score is not
    finite.
    """
    if not labels or not scores:
        raise ValueError("there is nothing to compare: no source of labels, or no metric")
    number = len(next(iter(labels.values())))
    clusters = range(number) if questions is None else questions
    orders = {
        (source, metric): order_intervals(
            OrderedItems.of(given, values, clusters, scheme),
            bootstrap,
            hard_pairs=hard_pairs,
            ambiguous_pairs=ambiguous_pairs,
        )
        for source, given in labels.items()
        for metric, values in scores.items()
    }
    return ComparedOrders(labels, tuple(scores), orders, questions is not None)
