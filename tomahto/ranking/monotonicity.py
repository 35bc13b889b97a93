"""Whether scores keep the order of the classes: the monotonicity protocol of CAP §6.2, App. C.1.

A pair of classes is strictly ordered if its ranks differ. Of the 28 pairs of CAP's eight classes
27 are: all but `equivalent` and `alternative-correct`. The paper's §7.3 leaves out one pair more,
its published counts are out of 27; both are reported here, with every pair that was counted.

`monotonicity` counts every pair of items. A sample (`sampled_pairs`; CAP App. C.1, eq. 8) shows
what a paper that drew pairs would have printed.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from tomahto.estimates.estimate import Estimate, reason_as_json, undefined
from tomahto.ranking.order_counts import (
    SAME,
    ClassPair,
    OrderedItems,
    PairOutcomes,
    descending,
    pair_outcomes,
    strictly_ordered_pairs,
    sum_of_outcomes,
)
from tomahto.types import Floats, Integers, JsonObject
from tomahto.votes.scheme import LabelScheme

RULES = {
    "pairwise_accuracy": (
        "of every item of a higher-ranked class with every item of a lower-ranked one, the share"
        " in which the higher has the strictly higher score; tied scores count as wrong"
    ),
    "violations": (
        "a strictly ordered pair of classes whose higher class has a mean score that is lower or"
        " equal"
    ),
    "correlations": "items of equal rank, and of equal score, share their mid-rank",
}


@dataclass(frozen=True, slots=True)
class ClassMean:
    """The mean score of the items of a class; `n` of the mean is their number."""

    label: str
    rank: float
    mean: Estimate


@dataclass(frozen=True, slots=True)
class OrderedPair:
    """Two classes of which the first should score higher, and how their items compare.

    `is_violation` is None if one of the classes has no item. `is_hard` marks neighbours that
    are hard to tell apart, `is_ambiguous` a pair whose order depends on the context.
    """

    higher: ClassMean
    lower: ClassMean
    outcomes: PairOutcomes
    is_hard: bool
    is_ambiguous: bool

    @property
    def is_violation(self) -> bool | None:
        if self.higher.mean.value is None or self.lower.mean.value is None:
            return None
        high, low = self.higher.mean.value, self.lower.mean.value
        return high <= low + SAME * max(1.0, abs(high), abs(low))

    def as_json(self) -> JsonObject:
        return {
            "higher": self.higher.label,
            "lower": self.lower.label,
            "n": self.outcomes.pairs,
            "accuracy": self.outcomes.accuracy.value,
            "auc": self.outcomes.auc.value,
            "violation": self.is_violation,
            "hard": self.is_hard,
            "ambiguous": self.is_ambiguous,
            **reason_as_json(self.outcomes.accuracy),
        }


@dataclass(frozen=True, slots=True)
class MonotonicityReport:
    """Rank correlations, pairwise accuracy and violations of the scores of `n` items.

    `classes` and `pairs` hold every class and every strictly ordered pair of the scheme, with or
    without items, highest rank first.
    """

    n: int
    spearman: Estimate
    kendall_tau_b: Estimate
    classes: tuple[ClassMean, ...]
    pairs: tuple[OrderedPair, ...]

    @property
    def outcomes(self) -> PairOutcomes:
        """All strictly ordered pairs of items."""
        return sum_of_outcomes(pair.outcomes for pair in self.pairs)

    def as_json(self) -> JsonObject:
        """The report as a JSON object; what is undefined is null beside a "reason"."""
        outcomes = self.outcomes
        return {
            "n": self.n,
            "spearman": self.spearman.value,
            "kendall_tau_b": self.kendall_tau_b.value,
            "pairwise_accuracy": outcomes.accuracy.value,
            **reason_as_json(self.spearman, self.kendall_tau_b, outcomes.accuracy),
            "item_pairs": {
                "n": outcomes.pairs,
                "won": outcomes.won,
                "tied": outcomes.tied,
                "lost": outcomes.lost,
                "accuracy_ties_half": outcomes.auc.value,
            },
            "violations": _violations(self.pairs),
            "violations_without_ambiguous": _violations(
                [pair for pair in self.pairs if not pair.is_ambiguous]
            ),
            "hard_pairs": [pair.as_json() for pair in self.pairs if pair.is_hard],
            "pairs": [pair.as_json() for pair in self.pairs],
            "classes": [
                {
                    "class": one.label,
                    "rank": one.rank,
                    "n": one.mean.n,
                    "mean": one.mean.value,
                    **reason_as_json(one.mean),
                }
                for one in self.classes
            ],
            "rules": RULES,
        }


def monotonicity(
    labels: Sequence[str],
    scores: Floats,
    scheme: LabelScheme,
    *,
    hard_pairs: Collection[ClassPair] = (),
    ambiguous_pairs: Collection[ClassPair] = (),
) -> MonotonicityReport:
    """The monotonicity protocol for items with a class and a score each, both (N,).

    Raises ValueError if a label is not in the scheme, a score is not finite, the two differ in
    number, or a pair that is marked as hard or ambiguous is not strictly ordered.
    """
    if len(labels) != len(scores):
        raise ValueError(f"{len(labels)} labels but {len(scores)} scores")
    places = np.array(scheme.places(labels), dtype=np.int64)
    if not np.isfinite(scores).all():
        raise ValueError("a score is not finite")
    by_label = {
        label: np.sort(scores[places == scheme.index_of[label]]) for label in descending(scheme)
    }
    means = {label: _mean(label, by_label[label], scheme) for label in by_label}
    pairs = strictly_ordered_pairs(scheme)
    for pair in (*hard_pairs, *ambiguous_pairs):
        if pair not in pairs:
            raise ValueError(f"{pair[0]} is not ranked above {pair[1]}")
    spearman, kendall_tau_b = _correlations(labels, scores, scheme)
    return MonotonicityReport(
        n=len(labels),
        spearman=spearman,
        kendall_tau_b=kendall_tau_b,
        classes=tuple(means.values()),
        pairs=tuple(
            OrderedPair(
                higher=means[higher],
                lower=means[lower],
                outcomes=pair_outcomes(by_label[higher], by_label[lower]),
                is_hard=(higher, lower) in hard_pairs,
                is_ambiguous=(higher, lower) in ambiguous_pairs,
            )
            for higher, lower in pairs
        ),
    )


def _correlations(
    labels: Sequence[str], scores: Floats, scheme: LabelScheme
) -> tuple[Estimate, Estimate]:
    n, reason = len(labels), None
    if n < 2:
        reason = "fewer than two items cannot be ranked"
    elif len({scheme.rank_of[label] for label in labels}) == 1 or (scores == scores[0]).all():
        reason = "all values of a series are equal, so they give no order"
    if reason:
        return undefined(reason, n=n), undefined(reason, n=n)
    counted = OrderedItems.of(labels, scores, range(n), scheme).statistics()
    rho, tau_b = (float(values[0]) for values in (counted.spearman, counted.kendall_tau_b))
    return Estimate(value=rho, n=n), Estimate(value=tau_b, n=n)


def _mean(label: str, scores: Floats, scheme: LabelScheme) -> ClassMean:
    rank = scheme.rank_of[label]
    if not len(scores):
        return ClassMean(label, rank, undefined(f"no item is {label}", n=0))
    # `statistics.mean` rounds once: classes with the same scores have the same mean, however
    # many items they have.
    return ClassMean(label, rank, Estimate(value=mean(scores.tolist()), n=len(scores)))


def violation_rate(pairs: Iterable[OrderedPair]) -> Estimate:
    """Share of violations of the `n` pairs whose classes both have items (CAP App. C.1, V(m))."""
    judged = [pair.is_violation for pair in pairs if pair.is_violation is not None]
    if not judged:
        return undefined("no two classes of different rank have items", n=0)
    return Estimate(value=sum(judged) / len(judged), n=len(judged))


def _violations(pairs: Iterable[OrderedPair]) -> JsonObject:
    """The number of violations among the counted pairs, of those whose classes both have items."""
    counted = list(pairs)
    rate = violation_rate(counted)
    violating = [pair for pair in counted if pair.is_violation]
    return {
        "count": len(violating),
        "counted": len(counted),
        "judged": rate.n,
        "rate": rate.value,
        **reason_as_json(rate),
        "violating_pairs": [_labels(pair) for pair in violating],
        "counted_pairs": [_labels(pair) for pair in counted],
    }


def _labels(pair: OrderedPair) -> list[str]:
    return [pair.higher.label, pair.lower.label]


@dataclass(frozen=True, slots=True)
class SampledPairs:
    """The outcomes of pairs that were drawn with `seed`, of so many `available` ones."""

    outcomes: PairOutcomes
    available: int
    seed: int

    def as_json(self) -> JsonObject:
        """The sample as a JSON object; an undefined accuracy is null beside a "reason"."""
        accuracy = self.outcomes.accuracy
        return {
            "n": self.outcomes.pairs,
            "available": self.available,
            "seed": self.seed,
            "won": self.outcomes.won,
            "tied": self.outcomes.tied,
            "lost": self.outcomes.lost,
            "accuracy": accuracy.value,
            **reason_as_json(accuracy),
        }


def sampled_pairs(items: OrderedItems, *, size: int, seed: int) -> SampledPairs:
    """The outcomes of `size` pairs of items whose classes are strictly ordered.

    Pairs are drawn without replacement, all alike; if there are no more than `size`, all count.
    Raises ValueError if `size` is less than 1.
    """
    if size < 1:
        raise ValueError(f"{size} pairs: a sample needs at least 1")
    index_of = items.scheme.index_of
    pairs = [(index_of[high], index_of[low]) for high, low in strictly_ordered_pairs(items.scheme)]
    members = [np.flatnonzero(items.classes == place) for place in range(len(index_of))]
    numbers = np.array([len(members[high]) * len(members[low]) for high, low in pairs])
    available = int(numbers.sum())
    if size >= available:
        everything = monotonicity(items.labels, items.scores, items.scheme).outcomes
        return SampledPairs(everything, available, seed)
    drawn = _distinct(available, size, np.random.default_rng(seed))
    ends = np.cumsum(numbers)
    margins = []
    for (high, low), start, end in zip(pairs, ends - numbers, ends, strict=True):
        first, last = np.searchsorted(drawn, [start, end])
        # pairs are numbered row by row
        rows, columns = np.divmod(drawn[first:last] - start, max(1, len(members[low])))
        higher, lower = members[high][rows], members[low][columns]
        margins.append(items.scores[higher] - items.scores[lower])
    lead = np.concatenate(margins)
    won, lost = int((lead > 0).sum()), int((lead < 0).sum())
    return SampledPairs(PairOutcomes(won, len(lead) - won - lost, lost), available, seed)


def _distinct(available: int, size: int, generator: np.random.Generator) -> Integers:
    """So many different numbers below `available`, ascending, in memory of the order of `size`."""
    if 2 * size > available:
        return np.sort(generator.choice(available, size, replace=False, shuffle=False))
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < size:
        more = generator.integers(0, available, size - len(drawn))
        drawn = np.sort(np.concatenate([drawn, more]))
        drawn = drawn[np.diff(drawn, prepend=-1) > 0]
    return drawn
