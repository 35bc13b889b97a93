"""Labels and raters' errors estimated together: the EM algorithm of Dawid and Skene (1979).

"Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm", Applied
Statistics 28 (1), section 2. An item is of class k with probability p_k; rater r then gives
label l with probability pi^r_kl, independently of everybody else. With T_ik the probability that
item i is of class k, and n^r_il how often r gave l to i,

    M step   p_k     = mean over i of T_ik                                          (eq. 2.4)
             pi^r_kl = (s + sum over i of T_ik n^r_il) / (the same summed over l)   (eq. 2.3)
    E step   T_ik proportional to p_k * product over r, l of (pi^r_kl) ^ n^r_il     (eq. 2.5)

The paper has s = 0. A smoothing s > 0 is the prior knowledge of s ratings in every cell of every
rater's matrix (a Dirichlet prior with parameter 1 + s), so that a rater with few ratings is not
taken for infallible. What rises from step to step is then the log-likelihood plus
s * sum of log pi; with s = 0 it is the log-likelihood. The start is T = each item's share of
votes (eq. 3.1). EM finds a local maximum; another start may lead to another one.

A short step says nothing of how far the maximum is. In the end EM's steps shrink by the same
factor each time (Dempster, Laird and Rubin 1977, section 3), so what it still has to go is the rest
of a geometric series: r d / (1 - r), if it moved by d since the last look and by d / r between
the two looks before that.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from tomahto.estimates.bootstrap import numbered
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows

# What is summed is rounded to multiples of this first. Sums below 2^21 are then exact, so no order
# of raters or items can change them; and where raters or classes are alike by symmetry, rounding
# makes no difference between them, which the steps of EM would amplify.
GRID = 2.0**-32
LOOK = 10  # steps of EM between two looks at how far it moved: rounding hides what one step does
SMOOTHING = 0.01


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """The estimate by EM for I items, R raters and K labels.

    `priors` (K,) is how frequent the classes are, `confusions` (R, K, K) the probability that a
    rater gives a label (last axis) to an item of a class (middle axis), `posteriors` (I, K) the
    probability that an item is of a class, `ratings` (R,) how many ratings each rater gave. A
    row of a matrix about which the data say nothing is uniform.

    `log_likelihoods` holds the objective before every step, which only rounding lets fall: the
    log-likelihood, plus `smoothing` times the sum of the logarithms of all confusions. `distance`
    is how far a posterior or confusion may still be from where EM leads, infinite where that cannot
    be known yet and None where it was not asked. `is_converged` says whether it is within the
    tolerance, or the number of iterations ran out.
    """

    label_names: tuple[str, ...]
    rater_names: tuple[str, ...]
    priors: Floats
    confusions: Floats
    posteriors: Floats
    ratings: Integers
    log_likelihoods: tuple[float, ...]
    distance: float | None
    is_converged: bool
    smoothing: float

    @property
    def iterations(self) -> int:
        return len(self.log_likelihoods)

    def accuracy_of(self, rater: int) -> float:
        """The probability that the rater labels a random item as what it is."""
        return float(self.priors @ np.diagonal(self.confusions[rater]))


def dawid_skene(
    rows: RatingRows,
    *,
    smoothing: float = SMOOTHING,
    tolerance: float = 1e-7,
    max_iterations: int = 5_000,
) -> DawidSkene:
    """Classes of the items and confusion matrices of the raters, by EM from the shares of votes.

    Stops when no posterior and no confusion is further than `tolerance` from where EM leads. The
    result depends on nothing but the ratings, to the last bit: not on the order of rows, items and
    raters. A rater may rate an item several times, as in the paper.

    Raises ValueError if `smoothing` or `tolerance` is negative or there is no iteration.
    """
    if smoothing < 0 or tolerance < 0 or max_iterations < 1:
        raise ValueError(f"{smoothing=}, {tolerance=} and {max_iterations=} allow no step")
    trace: list[float] = []
    distance = moved = math.inf
    seen: _Step | None = None
    table = _Table.of(rows)
    for step in islice(_steps(table, smoothing), max_iterations):
        trace.append(step.objective)
        if len(trace) % LOOK:
            continue
        if seen is not None:
            before, moved = moved, step.moved_from(seen)
            distance = _still_to_go(before, moved)
            if distance <= tolerance:
                break
        seen = step
    return _estimate(rows, table, step, trace, smoothing, distance, distance <= tolerance)


def dawid_skene_0_1_0(rows: RatingRows) -> DawidSkene:
    """As version 0.1.0 stopped, for what is released with that: when the objective rises by less
    than 1e-8 per rating, which may be far from where EM leads, or after 500 steps."""
    trace: list[float] = []
    is_converged = False
    table = _Table.of(rows)
    for step in islice(_steps(table, SMOOTHING), 500):
        trace.append(step.objective)
        is_converged = len(trace) > 1 and trace[-1] - trace[-2] < 1e-8 * rows.n
        if is_converged:
            break
    return _estimate(rows, table, step, trace, SMOOTHING, None, is_converged)


def _still_to_go(before: float, moved: float) -> float:
    if not moved:
        return 0.0
    return moved * moved / (before - moved) if moved < before < math.inf else math.inf


@dataclass(frozen=True, eq=False)
class _Step:
    """The outcome of an M and an E step, and the objective before them."""

    priors: Floats
    confusions: Floats
    posteriors: Floats
    objective: float

    def moved_from(self, other: "_Step") -> float:
        confusions = np.abs(self.confusions - other.confusions).max()
        return float(max(confusions, np.abs(self.posteriors - other.posteriors).max()))


def _steps(table: "_Table", smoothing: float) -> Iterator[_Step]:
    posteriors = table.start
    while True:
        priors = table.sizes @ posteriors / table.sizes.sum()
        confusions = table.confusions(posteriors, smoothing)
        posteriors, log_likelihood = table.posteriors(priors, confusions)
        penalty = smoothing * float(_on_grid(np.log(confusions)).sum()) if smoothing else 0.0
        yield _Step(priors, confusions, posteriors, log_likelihood + penalty)


def _estimate(
    rows: RatingRows,
    table: "_Table",
    step: _Step,
    trace: list[float],
    smoothing: float,
    distance: float | None,
    is_converged: bool,
) -> DawidSkene:
    return DawidSkene(
        label_names=rows.label_names,
        rater_names=rows.rater_names,
        priors=step.priors,
        confusions=step.confusions,
        posteriors=step.posteriors[table.kinds],
        ratings=np.bincount(rows.raters, minlength=len(rows.rater_names)),
        log_likelihoods=tuple(trace),
        distance=distance,
        is_converged=is_converged,
        smoothing=smoothing,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Items with the same ratings are one kind of item, which EM goes through once.

    `kinds` (I,) is of which kind each item is, `sizes` (J,) how many items are of each, `start`
    (J, K) their shares of votes. `items` and `codes` are the ratings of the kinds, sorted; a code
    numbers a rater's label: rater * K + label.
    """

    kinds: Integers
    sizes: Floats
    start: Floats
    items: Integers
    codes: Integers
    raters: int

    @classmethod
    def of(cls, rows: RatingRows) -> "_Table":
        codes = rows.raters * len(rows.label_names) + rows.labels
        order = np.lexsort((codes, rows.items))
        items, codes = rows.items[order], codes[order]
        ends = np.bincount(items).cumsum().tolist()
        kinds = numbered([codes[start:end].tobytes() for start, end in pairwise([0, *ends])])
        _, first = np.unique(kinds, return_index=True)
        is_first = np.isin(items, first)
        counts = rows.counts[first]
        return cls(
            kinds,
            np.bincount(kinds).astype(np.float64),
            _on_grid(counts / counts.sum(axis=1, keepdims=True)),
            kinds[items[is_first]],
            codes[is_first],
            len(rows.rater_names),
        )

    def confusions(self, posteriors: Floats, smoothing: float) -> Floats:
        """The M step: (R, K, K)."""
        labels = posteriors.shape[1]
        sums = np.empty((self.raters, labels, labels))
        for true in range(labels):
            weights = (self.sizes * posteriors[:, true])[self.items]
            given = np.bincount(self.codes, weights=weights, minlength=self.raters * labels)
            sums[:, true] = given.reshape(self.raters, labels)
        sums += smoothing
        totals = sums.sum(axis=2, keepdims=True)
        uniform = np.full_like(sums, 1 / labels)
        shares: Floats = np.divide(sums, totals, out=uniform, where=totals > 0)
        return shares

    def posteriors(self, priors: Floats, confusions: Floats) -> tuple[Floats, float]:
        """The E step: (J, K), and the log-likelihood of what it started from."""
        with np.errstate(divide="ignore"):  # what cannot be has the logarithm minus infinity
            log_priors, logs = _on_grid(np.log(priors)), _on_grid(np.log(confusions))
        joint = np.empty(self.start.shape)
        for true in range(len(priors)):
            by_code = np.ascontiguousarray(logs[:, true]).ravel()
            joint[:, true] = np.bincount(self.items, weights=by_code[self.codes])
        joint += log_priors
        highest = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - highest)
        totals = scaled.sum(axis=1, keepdims=True)
        log_likelihood = float(self.sizes @ _on_grid(highest + np.log(totals))[:, 0])
        return _on_grid(scaled / totals), log_likelihood


def _on_grid(values: Floats) -> Floats:
    rounded: Floats = np.rint(values / GRID) * GRID
    return rounded
