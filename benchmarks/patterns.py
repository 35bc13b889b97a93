"""Agreement from vote patterns, at its worst and beside the `krippendorff` package.

    python -m benchmarks.patterns [--items 1000000] [--pairs 5]

First the figures of all dashboards and looks that follow from vote patterns, in seconds of the
processor: eight ordered labels, ten votes per item, drawn by chance alone, so that nearly every
pattern occurs that there can be, and as many draws as the thirtieth look makes. Then alpha with
2,000 replicates from the patterns against `krippendorff.alpha` without an interval, on four votes
per item, one after the other in pairs: the median of the pairs' ratios, and the least. The goals
are 10 s, 20 s with the looks, and 20 times.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import krippendorff
import numpy as np

from benchmarks.campaigns.drawn_outcomes import drawn_outcomes
from benchmarks.timing import timed
from tasks.protocols import get_protocol
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.raters.confused_class import confusions
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.alpha_difference import alpha_difference
from tomahto.reliability.label_disagreement import label_disagreement
from tomahto.reliability.report import agreement_report
from tomahto.types import Integers
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.patterns import VotePatterns

_VOTES, _REPLICATES, _SEED = 10, 2000, 1
_LEVEL = 0.05 / (30 * 31)
_DRAWS = Bootstrap(round(4 / _LEVEL), _SEED)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=1_000_000)
    options.add_argument("--pairs", type=int, default=5)
    given = options.parse_args()
    worst_case(given.items)
    for protocol in ("ae", "statement", "cap"):
        beside_the_package(protocol, given.items, given.pairs)


def worst_case(items: int) -> None:
    """Print a line for every figure, then all of them together."""
    patterns = _patterns("cap", _counts("cap", items, _VOTES, knows=0))
    print(f"{items:,} items, {_VOTES} votes each: {len(patterns.counts):,} patterns", flush=True)
    seconds = {
        "agreement": _seconds(lambda: _report(patterns)),
        "disagreement by label": _seconds(
            lambda: label_disagreement(patterns, bootstrap=Bootstrap(1000, _SEED))
        ),
        "difference of two versions": _seconds(
            lambda: alpha_difference(patterns, patterns, seed=_SEED)
        ),
        "look: alpha": _seconds(lambda: _looked_at(patterns)),
        "look: confused labels": _seconds(
            lambda: confusions(patterns, bootstrap=_DRAWS, level=_LEVEL)
        ),
    }
    looks = sum(spent for name, spent in seconds.items() if name.startswith("look"))
    print(f"{'dashboards':30} {sum(seconds.values()) - looks:8.2f} s")
    print(f"{'dashboards and looks':30} {sum(seconds.values()):8.2f} s", flush=True)


def beside_the_package(protocol: str, items: int, pairs: int) -> None:
    """Print how many times as fast alpha is, and how far the two are apart."""
    known = get_protocol(protocol)
    counts = _counts(protocol, items, 4)
    patterns = _patterns(protocol, counts)
    ranks = np.array([known.scheme.rank_of[label] for label in known.scheme.labels])
    is_nominal = known.level == "nominal"
    domain, columns = np.unique(np.arange(len(ranks)) if is_nominal else ranks, return_inverse=True)
    by_value = counts @ np.eye(len(domain), dtype=np.int64)[columns]
    ratios, alphas = [], []
    for _ in range(pairs):
        ours, estimate = timed(
            lambda: alpha_with_interval(patterns, seed=_SEED, replicates=_REPLICATES)
        )
        package, value = timed(
            lambda: krippendorff.alpha(
                value_counts=by_value,
                value_domain=domain.astype(np.float64),
                level_of_measurement=known.level,
            )
        )
        ratios.append(package / ours)
        alphas.append(abs(value - (estimate.value or 0)))
    print(
        f"{protocol:10} {len(patterns.counts):4,} patterns: {statistics.median(ratios):7.1f} times"
        f" as fast, {min(ratios):7.1f} at least; difference {max(alphas):.1e}",
        flush=True,
    )


def _counts(protocol: str, items: int, votes: int, *, knows: float = 0.8) -> Integers:
    """How often each label was given to each item (items, labels)."""
    labels = len(get_protocol(protocol).scheme.labels)
    drawn = drawn_outcomes(labels, items, votes, knows=knows)
    return np.stack([(drawn == label).sum(axis=1) for label in range(labels)], axis=1)


def _patterns(protocol: str, counts: Integers) -> VotePatterns:
    found, items = np.unique(counts, axis=0, return_counts=True)
    pairs = zip(found.tolist(), items.tolist(), strict=True)
    return VotePatterns(get_protocol(protocol).scheme, {tuple(row): n for row, n in pairs})


def _report(patterns: VotePatterns) -> object:
    return agreement_report("cap", AnswerPatterns(patterns, {}), [], seed=_SEED)


def _looked_at(patterns: VotePatterns) -> object:
    return alpha_with_interval(
        patterns, seed=_SEED, replicates=_DRAWS.replicates, confidence=1 - 2 * _LEVEL
    )


def _seconds(work: Callable[[], object]) -> float:
    return timed(work, time.process_time)[0]


if __name__ == "__main__":
    main()
