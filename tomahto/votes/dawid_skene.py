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
"""

from dataclasses import dataclass

import numpy as np

from tomahto.types import Floats, Integers
from tomahto.votes.majority import Majority
from tomahto.votes.rating_rows import RatingRows

TIE = 1e-9  # posteriors that differ by less are equal: rounding cannot decide a label
# What is summed is rounded to multiples of this first. Sums below 2^21 are then exact, so no order
# of raters or items can change them; and where raters or classes are alike by symmetry, rounding
# makes no difference between them, which the steps of EM would amplify.
GRID = 2.0**-32


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """What EM found for I items, R raters and K labels.

    `priors` (K,) is how frequent the classes are, `confusions` (R, K, K) the probability that a
    rater gives a label (last axis) to an item of a class (middle axis), `posteriors` (I, K) the
    probability that an item is of a class, `ratings` (R,) how many ratings each rater gave. A
    row of a matrix about which the data say nothing is uniform.

    `log_likelihoods` holds the objective before every step, never falling: the log-likelihood,
    plus `smoothing` times the sum of the logarithms of all confusions. `is_converged` says
    whether the last rise was below the tolerance, or the number of iterations ran out.
    """

    label_names: tuple[str, ...]
    rater_names: tuple[str, ...]
    priors: Floats
    confusions: Floats
    posteriors: Floats
    ratings: Integers
    log_likelihoods: tuple[float, ...]
    is_converged: bool
    smoothing: float

    @property
    def iterations(self) -> int:
        return len(self.log_likelihoods)

    def label_of(self, item: int) -> Majority:
        """The most probable label of an item, or the labels that are equally probable."""
        posterior = self.posteriors[item]
        first = posterior >= posterior.max() - TIE
        names = tuple(self.label_names[place] for place in np.flatnonzero(first))
        return Majority(names[0]) if len(names) == 1 else Majority(None, names)

    def confidence(self, item: int) -> float:
        """The probability of the item's most probable label."""
        return float(self.posteriors[item].max())

    def accuracy_of(self, rater: int) -> float:
        """The probability that the rater labels a random item as what it is."""
        return float(self.priors @ np.diagonal(self.confusions[rater]))


def dawid_skene(
    rows: RatingRows,
    *,
    smoothing: float = 0.01,
    tolerance: float = 1e-8,
    max_iterations: int = 500,
) -> DawidSkene:
    """Classes of the items and confusion matrices of the raters, by EM from the shares of votes.

    Stops when the objective rises by less than `tolerance` per rating. The result depends on
    nothing but the ratings, to the last bit: not on the order of rows, items and raters. A rater
    may rate an item several times, as in the paper.

    Raises ValueError if `smoothing` or `tolerance` is negative or there is no iteration.
    """
    if smoothing < 0 or tolerance < 0 or max_iterations < 1:
        raise ValueError(f"{smoothing=}, {tolerance=} and {max_iterations=} allow no step")
    table = _Table.of(rows)
    posteriors = _on_grid(rows.counts / rows.counts.sum(axis=1, keepdims=True))
    trace: list[float] = []
    is_converged = False
    while not is_converged and len(trace) < max_iterations:
        priors = posteriors.mean(axis=0)
        confusions = table.confusions(posteriors, smoothing)
        posteriors, log_likelihood = table.posteriors(priors, confusions)
        penalty = smoothing * float(_on_grid(np.log(confusions)).sum()) if smoothing else 0.0
        trace.append(log_likelihood + penalty)
        is_converged = len(trace) > 1 and trace[-1] - trace[-2] < tolerance * rows.n
    return DawidSkene(
        label_names=rows.label_names,
        rater_names=rows.rater_names,
        priors=priors,
        confusions=confusions,
        posteriors=posteriors,
        ratings=np.bincount(rows.raters, minlength=len(rows.rater_names)),
        log_likelihoods=tuple(trace),
        is_converged=is_converged,
        smoothing=smoothing,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Ratings sorted by item, (N,) each; a code numbers a rater's label: rater * K + label."""

    items: Integers
    codes: Integers
    shape: tuple[int, int, int]  # items, raters, labels

    @classmethod
    def of(cls, rows: RatingRows) -> "_Table":
        shape = (rows.item_count, len(rows.rater_names), len(rows.label_names))
        codes = rows.raters * shape[2] + rows.labels
        order = np.lexsort((codes, rows.items))
        return cls(rows.items[order], codes[order], shape)

    def confusions(self, posteriors: Floats, smoothing: float) -> Floats:
        """The M step: (R, K, K)."""
        _, raters, labels = self.shape
        sums = np.empty((raters, labels, labels))
        for true in range(labels):
            weights = np.ascontiguousarray(posteriors[:, true])[self.items]
            given = np.bincount(self.codes, weights=weights, minlength=raters * labels)
            sums[:, true] = given.reshape(raters, labels)
        sums += smoothing
        totals = sums.sum(axis=2, keepdims=True)
        uniform = np.full_like(sums, 1 / labels)
        shares: Floats = np.divide(sums, totals, out=uniform, where=totals > 0)
        return shares

    def posteriors(self, priors: Floats, confusions: Floats) -> tuple[Floats, float]:
        """The E step: (I, K), and the log-likelihood of what it started from."""
        items, _, labels = self.shape
        with np.errstate(divide="ignore"):  # what cannot be has the logarithm minus infinity
            log_priors, logs = _on_grid(np.log(priors)), _on_grid(np.log(confusions))
        joint = np.empty((items, labels))
        for true in range(labels):
            by_code = np.ascontiguousarray(logs[:, true]).ravel()
            joint[:, true] = np.bincount(self.items, weights=by_code[self.codes])
        joint += log_priors
        highest = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - highest)
        totals = scaled.sum(axis=1, keepdims=True)
        log_likelihood = float(_on_grid(highest + np.log(totals)).sum())
        return _on_grid(scaled / totals), log_likelihood


def _on_grid(values: Floats) -> Floats:
    rounded: Floats = np.rint(values / GRID) * GRID
    return rounded
