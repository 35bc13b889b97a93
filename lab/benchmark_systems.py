"""The systems whose answers are in the benchmark, as people judged these.

They stand beside the leaderboard, not in it: a release holds only the answers that had to be
judged, so a system's exact matches, all of them right, are missing.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exporters.reading import StoredRelease
from exporters.released_items import ReleasedItem
from exporters.shared_items import shared_items
from lab.benchmark import answers_of, items_of, verdicts_on
from measures.bootstrap import Bootstrap, drawn_ratios, percentile_estimate
from measures.estimate import Estimate, estimate_as_json, undefined

_ALIKE = "all judged answers are alike: resampling them shows no uncertainty"


@dataclass(frozen=True, slots=True)
class BenchmarkSystem:
    """`answers` counts different answers to questions that people rated, `open` those a tie leaves
    undecided; `right` is the share of the others that people hold right, `n` their number."""

    system: str
    answers: int
    open: int
    right: Estimate

    def as_json(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "answers": self.answers,
            "open": self.open,
            "right": estimate_as_json(self.right),
        }


def benchmark_systems(
    stored: StoredRelease, split: str, bootstrap: Bootstrap
) -> tuple[BenchmarkSystem, ...]:
    """By name, over the items of the split. Intervals draw questions. Raises UnknownSplit."""
    accepted = frozenset(stored.dataset.terms.accepted_labels)
    by_system: dict[str, dict[str, list[ReleasedItem]]] = {}
    items = items_of(stored.dataset, split)
    shared = shared_items(items, answers_of(stored.dataset, split))
    for item in items:
        record = item.record
        own = ((system, record.question_id) for system in record.systems)
        for system, question in shared.get(record.id, own):
            by_system.setdefault(system, {}).setdefault(question, []).append(item)
    return tuple(
        _system(system, questions, accepted, bootstrap)
        for system, questions in sorted(by_system.items())
    )


def _system(
    name: str,
    questions: dict[str, list[ReleasedItem]],
    accepted: frozenset[str],
    bootstrap: Bootstrap,
) -> BenchmarkSystem:
    counts = [Counter(verdicts_on(items, accepted).values()) for items in questions.values()]
    total = sum(counts, Counter[bool | None]())
    right = np.array([count[True] for count in counts], np.float64)
    decided = right + np.array([count[False] for count in counts], np.float64)
    return BenchmarkSystem(
        system=name,
        answers=total.total(),
        open=total[None],
        right=(
            _share(right[decided > 0], decided[decided > 0], bootstrap)
            if accepted
            else undefined("the protocol accepts no candidate as an answer", n=0)
        ),
    )


def _share(
    right: np.ndarray[tuple[int], np.dtype[np.float64]],
    decided: np.ndarray[tuple[int], np.dtype[np.float64]],
    bootstrap: Bootstrap,
) -> Estimate:
    n = int(decided.sum())
    if not n:
        return undefined("no answer is decided", n=0, seed=bootstrap.seed)
    drawn = drawn_ratios(right, decided, bootstrap)
    estimate = percentile_estimate(float(right.sum()) / n, drawn, n=n, bootstrap=bootstrap)
    if estimate.low != estimate.high:
        return estimate
    return replace(estimate, low=None, high=None, reason=_ALIKE)
