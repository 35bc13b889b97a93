"""The part of a rater, or of a pair of labels, in a low Krippendorff's alpha.

A rater's *gain* is alpha of the others' ratings less alpha of all. The gain of a pair of labels is
alpha with no difference between the two less alpha as it is; at the nominal level that is alpha
after the two are made one label. Both alphas come of the same questions, so their difference is
bounded as one statistic, by the jackknife: without each of Q questions in turn it takes values
g_(q), and its variance is

    (Q - 1) / Q * sum over q of (g_(q) - mean g)^2

(Efron and Tibshirani 1993, "An Introduction to the Bootstrap", section 11.2), with Student's t of
Q - 1 degrees of freedom. As the greatest of several gains is looked at, an interval has the level
1 - 0.05 / m, with m the number of raters who share items, or of all pairs of labels (Bonferroni).

Raters who agreed by luck on a few questions, and labels that happened not to meet, have gains that
hardly vary: with the variance alone, 30 raters of 30 items each had an interval below 0 in 46 of
100 campaigns in which all were alike. So a variance counts as no less than a part of the sum of all
raters' variances: that of the questions which the rater rated among those of all; likewise of
pairs, by the disagreement that is expected of them. In 400 simulated campaigns of 17 kinds without
a fault, the interval of the greatest gain then lay above 0 in at most 3 of 100, and any interval
beside 0 in at most 5. A rater who guessed at 150 of 300 items, or two labels that nobody told
apart half of the time, came first with an interval above 0 in all campaigns but a few.

Alpha follows from how often each label occurs and how often two labels meet on an item
(Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D); both add up over
questions. Questions that are alike in these are one kind, so that the work hardly grows with their
number.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE, ONE_QUESTION, blocks_of
from tomahto.estimates.estimate import Estimate, t_quantile, undefined, with_width
from tomahto.reliability.question_table import QuestionTable, Scale, question_table
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

_ROUNDING = 1e-12  # a standard error below this is none
_SHARES_NO_ITEM = "nobody else rated an item of this rater"
_WITHOUT = "without the rater"
_NOTHING_ELSE = "without this difference no disagreement can be expected by chance"
_NEEDS_A_QUESTION = "without one of the questions there is no alpha, so the gain has no interval"


@dataclass(frozen=True, slots=True)
class RaterPull:
    """Alpha without a rater, who gave so many `ratings`, and how much higher it then is.

    `n` of both estimates is the number of items with two ratings of others.
    """

    rater: str
    ratings: int
    alpha: Estimate
    gain: Estimate


@dataclass(frozen=True, slots=True)
class PairPull:
    """Alpha without the difference of two labels, and how much higher it then is.

    `share` is the pair's part of all observed disagreement; `n` of both estimates is the number
    of items with two ratings.
    """

    labels: tuple[str, str]
    share: float
    alpha: Estimate
    gain: Estimate


@dataclass(frozen=True, slots=True)
class AlphaPulls:
    """Every rater with a rating, and every two labels that differ and meet on an item.

    Both stand by their gain, greatest first, and those without one last.
    """

    raters: tuple[RaterPull, ...]
    pairs: tuple[PairPull, ...]


def alpha_pulls(rows: RatingRows, questions: Integers, scheme: LabelScheme) -> AlphaPulls:
    """The loss of alpha, at the scheme's level, through every rater and every pair of labels.

    `questions` (I,) has the question's number of every item. A gain is undefined where either
    alpha is. It has no interval where a single question has an item with two ratings, or where
    alpha is undefined without one of the questions.

    Raises ValueError if a rater rated an item twice, the questions are not as many as the items,
    or the labels of rows and scheme differ.
    """
    rows.require_once()
    if len(questions) != rows.item_count:
        raise ValueError(f"{rows.item_count} items, but the questions of {len(questions)}")
    if rows.label_names != scheme.labels:
        raise ValueError(f"labels {rows.label_names} are not the scheme's {scheme.labels}")
    table, scale = question_table(rows, questions), Scale.of(scheme)
    without_question = np.concatenate(
        [
            scale.alphas(table.total - table.kinds[part])
            for part in _blocks(table.kinds, len(table.kinds))
        ]
    )
    return AlphaPulls(
        tuple(sorted(_rater_pulls(rows, table, scale, without_question), key=_falling)),
        tuple(sorted(_pair_pulls(table, scale, without_question), key=_falling)),
    )


def _falling(pull: RaterPull | PairPull) -> float:
    return math.inf if pull.gain.value is None else -pull.gain.value


def _rater_pulls(
    rows: RatingRows, table: QuestionTable, scale: Scale, without_question: Floats
) -> Iterator[RaterPull]:
    ratings = np.bincount(rows.raters, minlength=len(rows.rater_names))
    rated = np.bincount(table.changed_raters, table.changed_times, minlength=len(ratings))
    totals = np.tile(table.total, (len(ratings), 1))
    variances = np.zeros(len(ratings))
    unchanged = np.full(len(table.kinds), len(table.changes) - 1)
    for rater in np.flatnonzero(rated).tolist():
        own = table.changed_raters == rater
        own_kinds, own_by = table.changed_kinds[own], table.changed_by[own]
        own_times = table.changed_times[own]
        totals[rater] += own_times @ table.changes[own_by]
        others = table.times - np.bincount(own_kinds, own_times, minlength=len(table.times))
        kinds = np.append(np.arange(len(table.kinds)), own_kinds)
        changes = np.append(unchanged, own_by)
        without = [
            scale.alphas(totals[rater] - table.kinds[kinds[part]] - table.changes[changes[part]])
            for part in _blocks(table.kinds, len(kinds))
        ]
        gains = np.concatenate(without) - without_question[kinds]
        variances[rater] = _variance(gains, np.append(others, own_times))
    variances = _no_less_than_pooled(variances, rated.astype(np.float64))
    alphas, whole = scale.alphas(totals), float(scale.alphas(table.total[np.newaxis])[0])
    why_none = scale.why_undefined(table.total, table.n)
    compared = int(np.count_nonzero(rated))
    for rater in np.flatnonzero(ratings).tolist():
        n, value = int(table.n_without[rater]), float(alphas[rater])
        why = scale.why_undefined(totals[rater], n)
        if why_none or why:
            gain = undefined(why_none or f"{_WITHOUT}: {why}", n=n)
        elif not rated[rater]:
            gain = Estimate(value=0.0, n=n, reason=_SHARES_NO_ITEM)
        else:
            gain = _gain(value - whole, variances[rater], table, n=n, compared=compared)
        alpha = undefined(why, n=n) if why else Estimate(value=value, n=n)
        yield RaterPull(rows.rater_names[rater], int(ratings[rater]), alpha, gain)


def _pair_pulls(table: QuestionTable, scale: Scale, without_question: Floats) -> Iterator[PairPull]:
    total = table.total[np.newaxis]
    observed, expected = (parts[0] for parts in scale.disagreements(total)[:2])
    whole, values = float(scale.alphas(total)[0]), scale.alphas_without_pairs(total)[0]
    without = np.concatenate(
        [
            scale.alphas_without_pairs(table.total - table.kinds[part])
            for part in _blocks(table.kinds, len(table.kinds))
        ]
    )
    variances = np.array([_variance(gains, table.times) for gains in without.T - without_question])
    # With o and O the observed, e and E the expected disagreement of the pair and of all, its gain
    # is (n - 1) (o - e O / E) / (E - e), and the variance of o goes with e times the difference.
    rest = expected.sum() - expected
    varying = expected * scale.distances(total)[0]
    variances = _no_less_than_pooled(variances * rest**2, varying) / rest**2
    for pair in np.flatnonzero(observed).tolist():
        labels = scale.scheme.labels[scale.first[pair]], scale.scheme.labels[scale.second[pair]]
        if np.isnan(values[pair]):
            alpha = gain = undefined(_NOTHING_ELSE, n=table.n)
        else:
            value = float(values[pair])
            alpha = Estimate(value=value, n=table.n)
            gain = _gain(value - whole, variances[pair], table, n=table.n, compared=len(observed))
        yield PairPull(labels, float(observed[pair] / observed.sum()), alpha, gain)


def _variance(without: Floats, times: Integers) -> float:
    """The jackknife variance of a value from the values without a question of each kind (K,), of
    which there are `times`; NaN where one of them is undefined, or there is a single question."""
    questions = int(times.sum())
    without, times = without[times > 0], times[times > 0]
    if questions < 2 or np.isnan(without).any():
        return math.nan
    squares = times @ (without - np.average(without, weights=times)) ** 2
    return float((questions - 1) / questions * squares)


def _no_less_than_pooled(variances: Floats, weights: Floats) -> Floats:
    """The variances, or where that is more their sum's part by weight; NaN where undefined."""
    defined = ~np.isnan(variances)
    pooled = variances[defined].sum()
    whole = weights[defined].sum()
    return np.maximum(variances, weights * (pooled / whole if whole else 0))


def _gain(
    value: float, variance: float, table: QuestionTable, *, n: int, compared: int
) -> Estimate:
    questions = int(table.times.sum())
    if questions < 2:
        return Estimate(value=value, n=n, reason=ONE_QUESTION)
    if math.isnan(variance):
        return Estimate(value=value, n=n, reason=_NEEDS_A_QUESTION)
    confidence = 1 - (1 - CONFIDENCE) / compared
    error = math.sqrt(variance)
    reach = t_quantile((1 + confidence) / 2, questions - 1) * error if error > _ROUNDING else 0.0
    return with_width(
        Estimate(
            value=value,
            n=n,
            low=value - reach,
            high=value + reach,
            drew="questions",
            clusters=questions,
            confidence=confidence,
        )
    )


def _blocks(table: Floats, number: int) -> Iterator[slice]:
    """Parts of so many rows as wide as the table's, so that working arrays stay small."""
    start = 0
    for size in blocks_of(max(1, number), table.shape[1]):
        yield slice(start, start + size)
        start += size
