"""CAP again with other weights, and without parts of its formula (CAP Tab. 11 and 13)."""

from collections.abc import Mapping, Sequence

import numpy as np

from tomahto.classes.cap_items import DEFAULT, CapItems, CapWeights
from tomahto.estimates.estimate import undefined
from tomahto.lab.reproduce.cap.answers import CapAnswer, CapFiles, Inference, questions_of
from tomahto.lab.reproduce.cap.classes import violating
from tomahto.lab.reproduce.comparison import Cells
from tomahto.matching.cap.score import CapScore
from tomahto.matching.interface import ExplainingMatcher
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import OrderIntervals, OrderStatistic, order_intervals

SWEPT = {
    f"α {alpha:g}, λ {neutral:.1f}": CapWeights(alpha, neutral)
    for alpha, neutral in ((0.3, 0), (0.5, 0), (0.5, 0.3), (0.7, 0), (0.85, 0.3), (1, 0.3))
}
"""The rows of Tab. 11."""
ABLATED = {
    "Entailment gold → pred": CapWeights(1.0, 0.0),
    "Entailment gold → pred + λ Neutral": CapWeights(1.0, DEFAULT.neutral),
    "Entailment pred → gold": CapWeights(0.0, 0.0),
    "Entailment pred → gold + λ Neutral": CapWeights(0.0, DEFAULT.neutral),
    "Bidirect avg entailment": CapWeights(0.5, 0.0),
    "Full CAP": DEFAULT,
}
"""The rows of Tab. 13."""
_SWEEP: Mapping[str, OrderStatistic] = {
    "Spearman ρ": "spearman",
    "PairAcc": "pairwise_accuracy",
}
_ABLATION: Mapping[str, OrderStatistic] = {**_SWEEP, "Kendall τ": "kendall_tau_b"}
_VIOLATIONS = "Violations of 27"


def explained(answers: Sequence[CapAnswer], matcher: ExplainingMatcher) -> list[CapAnswer]:
    """The answers with CAP's score and its inferences, where their lines do not have them."""
    asked = [answer for answer in answers if answer.inferences is None]
    found = iter(matcher.explain([answer.pair for answer in asked]))
    return [
        answer if answer.inferences else answer.with_inferences(*_inferences(next(found)))
        for answer in answers
    ]


def weights_found(given: CapFiles) -> Cells:
    """Tab. 11 and 13, on the benchmark; intervals draw questions."""
    items = _items(given)
    orders: dict[CapWeights, OrderIntervals] = {}
    if not isinstance(items, str):
        for weights in {*SWEPT.values(), *ABLATED.values()}:
            orders[weights] = order_intervals(items.scored(weights), given.bootstrap)
    reason = items if isinstance(items, str) else ""
    for table, rows, columns in (("tab11", SWEPT, _SWEEP), ("tab13", ABLATED, _ABLATION)):
        for row, weights in rows.items():
            for column, name in columns.items():
                yield (
                    (table, row, column),
                    undefined(reason, n=0) if reason else orders[weights].statistic(name),
                )
    for row, weights in SWEPT.items():
        count = undefined(reason, n=0) if reason else violating(orders[weights].report)
        yield ("tab11", row, _VIOLATIONS), count


def _inferences(found: object) -> tuple[float, Inference, Inference]:
    if not isinstance(found, CapScore):
        raise TypeError(f"{type(found).__name__} is not what CAP says of a score")
    return (
        found.score,
        (found.forward.entailment, found.forward.neutral),
        (found.backward.entailment, found.backward.neutral),
    )


def _items(given: CapFiles) -> CapItems | str:
    """The benchmark with its inferences, or what they need."""
    answers = given.benchmark
    there = [answer.inferences for answer in answers if answer.inferences]
    if not answers:
        return given.without_benchmark
    if len(there) < len(answers):
        lacking = len(answers) - len(there)
        return (
            f'needs the "explanation" of {lacking:,} of {len(answers):,} lines'
            " (score_pairs --matcher cap --explain; of a release as scores=FILE), or --matcher cap"
        )
    ordered = OrderedItems.of(
        [answer.label for answer in answers],
        np.zeros(len(answers)),
        questions_of(answers),
        given.scheme,
    )
    forward, backward = (np.array([pair[side] for pair in there]) for side in (0, 1))
    return CapItems(ordered, forward, backward)
