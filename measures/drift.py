"""Does a rater's agreement with the others change over time?

Each rating that others can be compared with has an agreement and an expectation that allows for
items that are hard for everybody (`measures.agreement_with_others`). So a run of hard items alone
is no drift; with one other vote per item that holds of hard labels only.

A rater's sequence of agreement less expectation is cut into windows. Every window from the second
on is compared with all that came before it, alone and together with all that follows; the largest
of these differences, in standard errors, is the rater's statistic (a CUSUM over windows: Page
1954, "Continuous Inspection Schemes", Biometrika 41). Its distribution without drift comes from
permuting the rater's own sequence, so it asks for no model of the agreement. What is reported as
p-value is the expected number of raters, over the whole campaign, whose permuted statistic is as
large: the union bound with one common limit, whatever the dependence between raters. So with
`level` 0.05 at most one steady campaign in twenty raises any alarm, over all raters and windows.

A rater who drifts pulls down all whom they share items with. So whoever is found is taken out of
the others' comparisons, and the rest are looked at again.

A campaign that is looked at again and again spends its level: see `level_of_look`.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from measures.agreement_with_others import AgreementWithOthers
from measures.binomial import wilson_interval
from measures.bootstrap import Bootstrap, Floats, Integers, blocks_of
from measures.estimate import Estimate
from measures.rating_rows import RatingRows

DriftVerdict = Literal["declines", "improves", "steady", "too-few"]


@dataclass(frozen=True, slots=True)
class DriftWindow:
    """A stretch of a rater's sequence: their ratings from place `start` up to before `end`.

    `n` of the agreement is the number of its ratings that others can be compared with.
    `expected` is what the rest would lead one to expect, None if the rest share no item.
    `before` is the rater's own agreement until `start`, None for the first window.
    """

    start: int
    end: int
    agreement: Estimate
    expected: float | None
    before: float | None


@dataclass(frozen=True, slots=True)
class RaterDrift:
    """A rater's windows and what they say.

    `ratings` is the length of the rater's sequence, `compared` how many of them others rated
    too. `p_value` is corrected for all windows and all raters of the campaign, `position` the
    place in the sequence (from 0) where the most striking change begins, and `change` how much
    the agreement differs from before beyond what the labels lead one to expect. These are None
    if there are `too-few` ratings for two windows.
    """

    rater: str
    ratings: int
    compared: int
    windows: tuple[DriftWindow, ...]
    verdict: DriftVerdict
    p_value: float | None
    position: int | None
    change: float | None


def level_of_look(look: int, *, level: float = 0.05) -> float:
    """The level of the first, second, … look at one campaign; all together spend `level`.

    level / (look (look + 1)) adds up to `level` over any number of looks (alpha spending: Lan
    and DeMets 1983, Biometrika 70). To keep power, look again when the ratings have doubled.

    Raises ValueError if `look` is less than 1.
    """
    if look < 1:
        raise ValueError(f"look {look} is less than 1")
    return level / (look * (look + 1))


def drift(
    rows: RatingRows, *, bootstrap: Bootstrap, window: int = 50, level: float = 0.05
) -> tuple[RaterDrift, ...]:
    """Every rater's agreement over time, in the order of `rater_names`.

    `rows` stand in the order in which the ratings were given. A window holds `window` ratings
    that others can be compared with, the last one up to twice as many less one. `bootstrap`
    says how many permutations are drawn and from which seed; the smallest p-value is
    1 / (replicates + 1).

    Raises ValueError if a rater rated an item twice, a window holds fewer than 2 ratings, or
    the permutations are too few for any p-value to reach `level`.
    """
    if window < 2:
        raise ValueError(f"a window of {window} ratings")
    if not 1 / (bootstrap.replicates + 1) <= level:
        raise ValueError(f"{bootstrap.replicates} permutations cannot reach the level {level}")
    if len(np.unique(rows.items * len(rows.rater_names) + rows.raters)) < rows.n:
        raise ValueError("a rater rated an item twice")
    found: dict[int, RaterDrift] = {}
    while True:
        results = _look(rows, frozenset(found), bootstrap, window, level)
        alarms = [at for at in results if results[at].verdict in ("declines", "improves")]
        if not alarms:
            return tuple((results | found)[at] for at in range(len(rows.rater_names)))
        worst = min(alarms, key=lambda at: (results[at].p_value, -abs(results[at].change or 0)))
        found[worst] = results[worst]


def _look(
    rows: RatingRows, left_out: frozenset[int], bootstrap: Bootstrap, window: int, level: float
) -> dict[int, RaterDrift]:
    """All raters but those left out, whose votes nobody is compared with either."""
    votes = AgreementWithOthers.of(rows, left_out)
    sequences = {
        rater: _Sequence.of(votes, rater, window)
        for rater in range(len(rows.rater_names))
        if rater not in left_out
    }
    tested = {rater: one for rater, one in sequences.items() if len(one.starts) > 1}
    permuted = [one.permuted_statistics(bootstrap, rater) for rater, one in tested.items()]
    pool = np.sort(np.concatenate(permuted)) if permuted else np.empty(0)
    results = {}
    for rater, sequence in sequences.items():
        name = rows.rater_names[rater]
        results[rater] = sequence.as_too_few(name)
        if rater in tested:
            # A statistic as large, but for rounding, counts as as large.
            statistic = sequence.statistic * (1 - 1e-9)
            as_large = len(pool) - int(np.searchsorted(pool, statistic))
            p_value = min(1.0, (1 + as_large) / (bootstrap.replicates + 1))
            results[rater] = sequence.judged(results[rater], p_value, level)
    return results


@dataclass(frozen=True, eq=False)
class _Sequence:
    """A rater's comparable ratings in order: places in all their ratings, and values (n,).

    `excess` is agreement less expectation. `starts` are the first ratings of the windows.
    """

    places: Integers
    agreement: Floats
    expected: Floats
    starts: Integers
    ratings: int

    @classmethod
    def of(cls, votes: AgreementWithOthers, rater: int, window: int) -> "_Sequence":
        own = votes.raters == rater
        agreement, expected = votes.agreement[own], votes.expected[own]
        places = np.flatnonzero(~np.isnan(agreement))
        starts = np.arange(max(1, len(places) // window)) * window
        return cls(places, agreement[places], expected[places], starts, int(own.sum()))

    @property
    def excess(self) -> Floats:
        known = np.where(np.isnan(self.expected), 0, self.expected)
        excess: Floats = self.agreement - known
        return excess

    def _changes(self, values: Floats) -> Floats:
        """Differences from before, for rows of values (B, n): (B, 2 (W - 1)).

        First those of every window from the second on, then those of all from there on.
        """
        n = values.shape[1]
        sums = np.add.reduceat(values, self.starts, axis=1)
        sizes = np.diff(np.append(self.starts, n)).astype(np.float64)
        before, until = sums.cumsum(axis=1)[:, :-1], sizes.cumsum()[:-1]
        earlier = before / until
        alone = sums[:, 1:] / sizes[1:] - earlier
        onwards = (sums.sum(axis=1, keepdims=True) - before) / (n - until) - earlier
        return np.concatenate([alone, onwards], axis=1)

    @property
    def _standard_errors(self) -> Floats:
        n = len(self.places)
        sizes = np.diff(np.append(self.starts, n)).astype(np.float64)
        until = sizes.cumsum()[:-1]
        scale = np.concatenate([1 / sizes[1:] + 1 / until, 1 / (n - until) + 1 / until])
        errors: Floats = self.excess.std() * np.sqrt(scale)
        return errors

    def _standardised(self, values: Floats) -> Floats:
        changes, errors = self._changes(values), self._standard_errors
        return np.divide(changes, errors, out=np.zeros_like(changes), where=errors > 1e-12)

    @property
    def statistic(self) -> float:
        return float(np.abs(self._standardised(self.excess[np.newaxis])).max())

    def permuted_statistics(self, bootstrap: Bootstrap, rater: int) -> Floats:
        """The statistic of random orders of the rater's values (B,)."""
        generator = np.random.default_rng([bootstrap.seed, rater])
        drawn = []
        for size in blocks_of(bootstrap.replicates, len(self.places)):
            orders = generator.permuted(np.tile(self.excess, (size, 1)), axis=1)
            drawn.append(np.abs(self._standardised(orders)).max(axis=1))
        return np.concatenate(drawn)

    def as_too_few(self, rater: str) -> RaterDrift:
        return RaterDrift(
            rater=rater,
            ratings=self.ratings,
            compared=len(self.places),
            windows=self._windows() if len(self.places) else (),
            verdict="too-few",
            p_value=None,
            position=None,
            change=None,
        )

    def judged(self, result: RaterDrift, p_value: float, level: float) -> RaterDrift:
        strongest = int(np.abs(self._standardised(self.excess[np.newaxis])[0]).argmax())
        change = float(self._changes(self.excess[np.newaxis])[0, strongest])
        start = self.starts[1 + strongest % (len(self.starts) - 1)]
        verdict: DriftVerdict = "steady"
        if p_value <= level:
            verdict = "declines" if change < 0 else "improves"
        return replace(
            result,
            verdict=verdict,
            p_value=p_value,
            position=int(self.places[start]),
            change=change,
        )

    def _windows(self) -> tuple[DriftWindow, ...]:
        ends = np.append(self.starts[1:], len(self.places))
        return tuple(
            DriftWindow(
                start=int(self.places[start]),
                end=int(self.places[end - 1]) + 1,
                agreement=_share(self.agreement[start:end]),
                expected=_mean_of_known(self.expected[start:end]),
                before=float(self.agreement[:start].mean()) if start else None,
            )
            for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)
        )


def _share(agreement: Floats) -> Estimate:
    n = len(agreement)
    low, high = wilson_interval(min(float(agreement.sum()), n), n)
    return Estimate(value=float(agreement.mean()), n=n, low=low, high=high)


def _mean_of_known(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
