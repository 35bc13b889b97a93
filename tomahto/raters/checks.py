"""Checks of raters by the time they take, and by items whose answer is known.

Items differ in length, so a rating's time is compared with the median time that the others took
for the same item, as the logarithm of the ratio. A rater's pace is the median of these. How far a
pace lies off is measured against all raters' paces by the robust z score

    z = (pace - median of paces) / (1.4826 * median absolute deviation of paces)

(Iglewicz and Hoaglin 1993, "How to Detect and Handle Outliers"), which outliers cannot hide in.
Usual limits such as 3.5 raise many false alarms among few raters. So a rater's |z| is compared
with the largest of as many raters whose paces are drawn from a normal distribution, the same
number many times over. If times are log-normal and all raters of a kind, the chance that anybody
is flagged is at most the level; in simulations it came to four fifths of it.

Control items are those whose answer is known. If all raters were equally often right, the right
answers among all given to control items would fall to the raters by lot: a rater with n of N
answers would have X right of the K that are right,

    P(X <= k) = sum over x <= k of C(K, x) C(N - K, n - x) / C(N, n)

(Fisher's exact test, one-sided: Fisher 1935, "The Logic of Inductive Inference"). It is the
binomial test of a rater against all others once their accuracy, which nobody knows, is conditioned
away; so it keeps its level however few answers there are. The p-values are multiplied by the
number of raters tested (Bonferroni), so the chance of any false finding is at most the level. Where
control items differ in how hard they are and raters get them in orders of their own, accuracies
spread less than by lot, and false findings are rarer still.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE, Bootstrap
from tomahto.estimates.estimate import Estimate, undefined, wilson_share
from tomahto.types import Floats
from tomahto.votes.rating_rows import RatingRows

SpeedVerdict = Literal["fast", "slow", "usual", "unknown"]

MIN_RATERS = 5
MIN_RATINGS = 20
_SCALE = 1.4826  # makes the median absolute deviation that of a normal distribution


@dataclass(frozen=True, slots=True)
class RaterSpeed:
    """A rater's times and how they compare.

    `seconds` is the median time with an interval; its `n` counts the ratings whose time is known
    and above 0. `compared` of those are on items that others timed too, and `pace` is how many
    times as long the rater takes as the others there. `z` is the robust score of the pace, on
    the logarithmic scale, and `p_value` is corrected for all raters. If the verdict is
    `unknown`, `reason` says why and z and p-value are None.
    """

    rater: str
    seconds: Estimate
    compared: int
    pace: float | None
    z: float | None
    p_value: float | None
    verdict: SpeedVerdict
    reason: str | None = None


def speeds(
    rows: RatingRows, seconds: Floats, *, bootstrap: Bootstrap, level: float = 0.05
) -> tuple[RaterSpeed, ...]:
    """Every rater's speed, in the order of `rater_names`; `seconds` (N,) is NaN where unknown.

    `bootstrap` says how often paces are drawn for comparison, and from which seed. Only raters
    with MIN_RATINGS compared ratings have a z score, and only if MIN_RATERS raters do.

    Raises ValueError if `seconds` and ratings differ in number, or the draws are too few for any
    p-value to reach `level`.
    """
    if len(seconds) != rows.n:
        raise ValueError(f"{len(seconds)} times for {rows.n} ratings")
    bootstrap.require_level(level)
    ratios = _log_ratios(rows, seconds)
    known = np.isfinite(seconds) & (seconds > 0)
    own = [rows.raters == rater for rater in range(len(rows.rater_names))]
    compared = [ratios[rated & ~np.isnan(ratios)] for rated in own]
    paces = np.array([np.median(one) if len(one) else np.nan for one in compared])
    scores, p_values, reasons = _scores(paces, [len(one) for one in compared], bootstrap)
    return tuple(
        RaterSpeed(
            rater=name,
            seconds=median_with_interval(seconds[own[rater] & known]),
            compared=len(compared[rater]),
            pace=math.exp(paces[rater]) if len(compared[rater]) else None,
            z=scores[rater],
            p_value=p_values[rater],
            verdict=_speed_verdict(scores[rater], p_values[rater], level),
            reason=reasons[rater],
        )
        for rater, name in enumerate(rows.rater_names)
    )


def median_with_interval(values: Floats) -> Estimate:
    """The median of values (n,) with an interval of at least 95 % under any distribution.

    Its ends are the values at the ranks k and n + 1 - k, k the largest for which fewer than k of
    n fair coins come up heads with probability 2.5 % at most (Conover 1999, "Practical
    Nonparametric Statistics", section 3.2). There is none below 6 values.
    """
    n = len(values)
    if not n:
        return undefined("no time is known", n=0)
    rank = _rank_of_bound(n)
    if not rank:
        reason = "fewer than 6 times give no interval"
        return Estimate(value=float(np.median(values)), n=n, reason=reason)
    ordered = np.sort(values)
    return Estimate(
        value=float(np.median(values)),
        n=n,
        low=float(ordered[rank - 1]),
        high=float(ordered[n - rank]),
        confidence=CONFIDENCE,
    )


def _rank_of_bound(n: int) -> int:
    """The largest k with P(X < k) at most 2.5 % for X binomial (n, 1/2); 0 if there is none."""
    counts = np.arange(1, n // 2 + 1)
    log_choices = np.concatenate([[0], np.cumsum(np.log(n + 1 - counts) - np.log(counts))])
    below = np.cumsum(np.exp(log_choices - n * math.log(2)))  # P(X <= 0), P(X <= 1), ...
    return int((below <= (1 - CONFIDENCE) / 2).sum())


def _log_ratios(rows: RatingRows, seconds: Floats) -> Floats:
    """Each time over the others' median on the item, as a logarithm; NaN where there is none."""
    known = np.flatnonzero(np.isfinite(seconds) & (seconds > 0))
    logs = np.log(seconds[known])
    order = np.lexsort((logs, rows.items[known]))
    items, ordered = rows.items[known][order], logs[order]
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    sizes = np.diff(np.append(starts, len(items)))
    start, size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    place = np.arange(len(items)) - start
    ratios = np.full(rows.n, np.nan)
    alone = size < 2
    middles = []
    for rank in ((size - 2) // 2, (size - 1) // 2):  # of the size - 1 others, own left out
        skipped = np.where(alone, 0, rank + (rank >= place))
        middles.append(ordered[start + skipped])
    ratios[known[order]] = np.where(alone, np.nan, ordered - (middles[0] + middles[1]) / 2)
    return ratios


def _scores(
    paces: Floats, compared: list[int], bootstrap: Bootstrap
) -> tuple[list[float | None], list[float | None], list[str | None]]:
    """Every rater's z, p-value, and the reason why there are none."""
    enough = np.array(compared) >= MIN_RATINGS
    nothing: list[float | None] = [None] * len(paces)
    if enough.sum() < MIN_RATERS:
        reason = f"fewer than {MIN_RATERS} raters have {MIN_RATINGS} times to compare"
        return nothing, nothing, [reason] * len(paces)
    centre = np.median(paces[enough])
    spread = _SCALE * float(np.median(np.abs(paces[enough] - centre)))
    if not spread:
        return nothing, nothing, ["most raters are equally fast"] * len(paces)
    highest = _highest_scores(int(enough.sum()), bootstrap)
    scores, p_values = nothing.copy(), nothing.copy()
    few = f"fewer than {MIN_RATINGS} times to compare"
    reasons = [None if one else few for one in enough.tolist()]
    for rater in np.flatnonzero(enough).tolist():
        score = float((paces[rater] - centre) / spread)
        as_high = int((highest >= abs(score)).sum())
        scores[rater] = score
        p_values[rater] = (1 + as_high) / (len(highest) + 1)
    return scores, p_values, reasons


def _highest_scores(raters: int, bootstrap: Bootstrap) -> Floats:
    """The largest |z| of so many raters of a kind, drawn again and again (B,)."""
    drawn = np.random.default_rng(bootstrap.seed).normal(size=(bootstrap.replicates, raters))
    distances = np.abs(drawn - np.median(drawn, axis=1, keepdims=True))
    highest: Floats = distances.max(axis=1) / (_SCALE * np.median(distances, axis=1))
    return highest


def _speed_verdict(score: float | None, p_value: float | None, level: float) -> SpeedVerdict:
    if score is None or p_value is None:
        return "unknown"
    if p_value > level:
        return "usual"
    return "fast" if score < 0 else "slow"


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
        p_value: float | None = None
        verdict: ControlVerdict = "too-few"
        if is_tested[rater]:
            p_value = min(1.0, tested * lower_tail(right, given, all_right, all_given))
            verdict = "low" if p_value <= level else "usual"
        found.append(
            ControlAccuracy(
                rater=rater,
                accuracy=share_right(right, given),
                others=(all_right - right) / (all_given - given) if given < all_given else None,
                p_value=p_value,
                verdict=verdict,
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
