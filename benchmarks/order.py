"""Speed of the order protocol on one core, beside plain references: `python -m benchmarks.order`.

Every row is the fastest of a few runs, measure and reference in turn; both must give the same
number. References that would take minutes see a part of the data, as their rows say. All data are
generated: eight classes, scores that follow the ranks under noise, hardly any two alike.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from scipy.stats import kendalltau, spearmanr

from benchmarks.timing import REPEATS, timed
from tasks.protocols import cap
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.monotonicity import monotonicity, sampled_pairs
from tomahto.ranking.order_counts import OrderedItems
from tomahto.types import Floats

_SEED = 2026
_SCHEME = cap.PROTOCOL.scheme
_RANKS = np.array(_SCHEME.ranks, dtype=np.float64)

Run = Callable[[], float]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, measure, reference_name, reference in rows():
        seconds = [(timed(measure)[0], timed(reference)[0]) for _ in range(REPEATS)]
        ours, theirs = (min(column) for column in zip(*seconds, strict=True))
        print(f"{name:52} {ours:8.3f} s   {reference_name:46} {theirs:8.3f} s", flush=True)


def rows() -> Iterator[tuple[str, Run, str, Run]]:
    """What is measured, and what it is measured beside, with their names."""
    many, few = generated(100_000), generated(5_000)
    _check(accuracy(few)(), broadcast_accuracy(few)())
    yield (
        "pairwise accuracy, 100,000 items, every pair",
        accuracy(many),
        "NumPy, every pair of 5,000 items",
        broadcast_accuracy(few),
    )
    yield (
        "the whole report, 100,000 items",
        report(many),
        "a sample of 1,000,000 pairs",
        lambda: sampled_pairs(many, size=1_000_000, seed=_SEED).outcomes.accuracy.value or 0,
    )
    _check(float(many.statistics().kendall_tau_b[0]), _tau(_RANKS[many.classes], many.scores))
    drawn = generated(2_000)
    yield (
        "all intervals, 2,000 items, 1,000 replicates",
        lambda: float(drawn.drawn(Bootstrap(1_000, _SEED)).spearman.mean()),
        "SciPy's rho and tau-b alone, 100 replicates",
        scipy_replicates(drawn, 100),
    )


def generated(items: int) -> OrderedItems:
    """One item for each question."""
    generator = np.random.default_rng(_SEED)
    places = generator.integers(0, len(_RANKS), items)
    scores = _RANKS[places] / 7 + generator.normal(0, 0.5, items)
    return OrderedItems(_SCHEME, places, scores, np.arange(items))


def accuracy(items: OrderedItems) -> Run:
    return lambda: float(items.with_scores(items.scores).statistics().pairwise_accuracy[0])


def report(items: OrderedItems) -> Run:
    labels = items.labels
    return lambda: monotonicity(labels, items.scores, _SCHEME).outcomes.accuracy.value or 0


def broadcast_accuracy(items: OrderedItems) -> Run:
    ranks = _RANKS[items.classes]

    def run() -> float:
        ordered = ranks[:, np.newaxis] > ranks
        above = items.scores[:, np.newaxis] > items.scores
        return float((ordered & above).sum() / ordered.sum())

    return run


def scipy_replicates(items: OrderedItems, replicates: int) -> Run:
    ranks = _RANKS[items.classes]

    def run() -> float:
        generator, rhos = np.random.default_rng(_SEED), []
        for _ in range(replicates):
            sample = generator.integers(0, items.n, items.n)
            _tau(ranks[sample], items.scores[sample])
            rhos.append(spearmanr(ranks[sample], items.scores[sample]).statistic)
        return float(np.mean(rhos))

    return run


def _tau(ranks: Floats, scores: Floats) -> float:
    return float(kendalltau(ranks, scores).statistic)


def _check(ours: float, theirs: float) -> None:
    if abs(ours - theirs) > 1e-12:
        raise ValueError(f"{ours} is not the reference's {theirs}")


if __name__ == "__main__":
    main()
