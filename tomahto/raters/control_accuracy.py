"""Whose answers to control items are right less often than the others'?

If all raters were equally often right, the right answers among all given to control items would
fall to the raters by lot: a rater with n of N answers would have X right of the K that are right,

    P(X <= k) = sum over x <= k of C(K, x) C(N - K, n - x) / C(N, n)

(Fisher's exact test, one-sided: Fisher 1935, "The Logic of Inductive Inference"). It is the
binomial test of a rater against all others once their accuracy, which nobody knows, is conditioned
away; so it keeps its level however few answers there are. The p-values are multiplied by the
number of raters tested (Bonferroni), so the chance of any false finding is at most the level. Where
control items differ in how hard they are and raters get them in orders of their own, accuracies
spread less than by lot, and false findings are rarer still.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Literal

from tomahto.estimates.binomial import wilson_share
from tomahto.estimates.estimate import Estimate

ControlVerdict = Literal["low", "usual", "too-few"]

MIN_CONTROLS = 5


@dataclass(frozen=True, slots=True)
class ControlAccuracy:
    """A rater's share of right answers to control items, and how it compares.

    `others` is the share of all other raters together, None if they have no answer. `p_value` is
    corrected for the number of raters tested, None where the verdict is `too-few`: below
    MIN_CONTROLS answers, or without others.
    """

    rater: str
    accuracy: Estimate
    others: float | None
    p_value: float | None
    verdict: ControlVerdict


def control_accuracies(
    answers: Mapping[str, tuple[int, int]], *, level: float = 0.05
) -> tuple[ControlAccuracy, ...]:
    """Every rater of `answers` (how many were right, of how many), in their order.

    Raises ValueError if a rater has more right answers than answers, or fewer than none.
    """
    for rater, (right, given) in answers.items():
        if not 0 <= right <= given:
            raise ValueError(f"rater {rater}: {right} of {given} answers are right")
    all_right = sum(right for right, _ in answers.values())
    all_given = sum(given for _, given in answers.values())
    is_tested = {
        rater: given >= MIN_CONTROLS and given < all_given for rater, (_, given) in answers.items()
    }
    tested = sum(is_tested.values())
    found = []
    for rater, (right, given) in answers.items():
        p_value = None
        if is_tested[rater]:
            p_value = min(1.0, tested * lower_tail(right, given, all_right, all_given))
        found.append(
            ControlAccuracy(
                rater=rater,
                accuracy=share_right(right, given),
                others=(all_right - right) / (all_given - given) if given < all_given else None,
                p_value=p_value,
                verdict=_verdict(p_value, level),
            )
        )
    return tuple(found)


def share_right(right: int, given: int) -> Estimate:
    """The share of right answers with Wilson's interval; its `n` counts the answers."""
    return wilson_share(right, given, "no control item was answered")


def lower_tail(right: int, given: int, all_right: int, all_given: int) -> float:
    """P(X <= right) for the hypergeometric X of the module's formula, in whole numbers."""
    wrong = all_given - all_right
    ways = sum(
        comb(all_right, x) * comb(wrong, given - x) for x in range(max(0, given - wrong), right + 1)
    )
    return ways / comb(all_given, given)


def _verdict(p_value: float | None, level: float) -> ControlVerdict:
    if p_value is None:
        return "too-few"
    return "low" if p_value <= level else "usual"
