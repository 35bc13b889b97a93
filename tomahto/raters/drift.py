"""Does a rater's agreement with the others change over time?

Each rating that others can be compared with has an agreement and an expectation that allows for
items that are hard for everybody (`tomahto.raters.agreement_with_others`). So a run of hard items
alone is no drift; with one other vote per item that holds of hard labels only.

A rater's sequence of agreement less expectation is cut into windows. Every window from the second
on is compared with all that came before it, alone and together with all that follows; the largest
of these differences, in standard errors, is the rater's statistic (a CUSUM over windows: Page
1954, "Continuous Inspection Schemes", Biometrika 41). Its distribution without drift comes from
permuting the rater's own sequence, so it asks for no model of the agreement. What is reported as
p-value is the expected number of raters, over the whole campaign, whose permuted statistic is as
large: the union bound with one common limit, whatever the dependence between raters. So with
`level` 0.05 at most one steady campaign in twenty raises any alarm, over all raters and windows.
Where no rater's p-value can come down to the level any more, no more is permuted: the verdicts
are those of all permutations (Besag and Clifford 1991, "Sequential Monte Carlo p-values",
Biometrika 78).

A rater who drifts pulls down all whom they share items with. So whoever is found is taken out of
the others' comparisons, and the rest are looked at again.

A campaign that is looked at again and again spends its level: see `level_of_look`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, blocks_of, growing_rounds, sequential_p_values
from tomahto.raters.agreement_with_others import (
    WINDOW,
    AgreementSequence,
    AgreementWindow,
    AgreementWithOthers,
)
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows

DriftVerdict = Literal["declines", "improves", "steady", "too-few"]
_Judgement = tuple[DriftVerdict, float | None, int | None, float | None]
_TOO_FEW: _Judgement = ("too-few", None, None, None)


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
    windows: tuple[AgreementWindow, ...]
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
    rows: RatingRows, *, bootstrap: Bootstrap, window: int = WINDOW, level: float = 0.05
) -> tuple[RaterDrift, ...]:
    """Every rater's agreement over time, in the order of `rater_names`.

    `rows` stand in the order in which the ratings were given. A window holds `window` ratings
    that others can be compared with, the last one up to twice as many less one. `bootstrap`
    says how many permutations are drawn at most and from which seed; the smallest p-value is
    1 / (replicates + 1).

    Raises ValueError if a rater rated an item twice, a window holds fewer than 2 ratings, or
    the permutations are too few for any p-value to reach `level`.
    """
    if window < 2:
        raise ValueError(f"a window of {window} ratings")
    bootstrap.require_level(level, "permutations")
    rows.require_once()
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
        rater: AgreementSequence.of(votes, rater, window)
        for rater in range(len(rows.rater_names))
        if rater not in left_out
    }
    tested = {rater: _Changes(one) for rater, one in sequences.items() if len(one.starts) > 1}
    own = np.array([one.statistic for one in tested.values()])
    rounds = _permuted(tested, bootstrap) if tested else ()
    p_values = dict(zip(tested, sequential_p_values(own, rounds, bootstrap, level), strict=True))
    return {
        rater: RaterDrift(
            rows.rater_names[rater],
            sequence.ratings,
            len(sequence.places),
            sequence.windows(),
            *(tested[rater].judged(p_values[rater], level) if rater in tested else _TOO_FEW),
        )
        for rater, sequence in sequences.items()
    }


def _permuted(tested: dict[int, "_Changes"], bootstrap: Bootstrap) -> Iterator[tuple[int, Floats]]:
    generators = [np.random.default_rng([bootstrap.seed, rater]) for rater in tested]
    for more in growing_rounds(bootstrap.replicates):
        statistics = [
            one.permuted_statistics(more, generator)
            for one, generator in zip(tested.values(), generators, strict=True)
        ]
        yield more, np.concatenate(statistics)


@dataclass(frozen=True, eq=False)
class _Changes:
    sequence: AgreementSequence

    @cached_property
    def excess(self) -> Floats:
        return self.sequence.excess

    @cached_property
    def _sizes(self) -> Floats:
        sizes = np.diff(np.append(self.sequence.starts, len(self.excess)))
        return sizes.astype(np.float64)

    def _changes(self, values: Floats) -> Floats:
        """Differences from before, for rows of values (B, n): (B, 2 (W - 1)).

        First those of every window from the second on, then those of all from there on.
        """
        sums = np.add.reduceat(values, self.sequence.starts, axis=1)
        before, until = sums.cumsum(axis=1)[:, :-1], self._sizes.cumsum()[:-1]
        earlier = before / until
        alone = sums[:, 1:] / self._sizes[1:] - earlier
        onwards = (sums.sum(axis=1, keepdims=True) - before) / (values.shape[1] - until) - earlier
        return np.concatenate([alone, onwards], axis=1)

    @cached_property
    def _standard_errors(self) -> Floats:
        until = self._sizes.cumsum()[:-1]
        after = len(self.excess) - until
        scale = np.concatenate([1 / self._sizes[1:] + 1 / until, 1 / after + 1 / until])
        errors: Floats = self.excess.std() * np.sqrt(scale)
        return errors

    def _standardised(self, values: Floats) -> Floats:
        changes, errors = self._changes(values), self._standard_errors
        return np.divide(changes, errors, out=np.zeros_like(changes), where=errors > 1e-12)

    @property
    def statistic(self) -> float:
        return float(np.abs(self._standardised(self.excess[np.newaxis])).max())

    def permuted_statistics(self, draws: int, generator: np.random.Generator) -> Floats:
        """The statistic of so many random orders of the rater's values (draws,)."""
        drawn = []
        for size in blocks_of(draws, len(self.excess)):
            orders = np.tile(self.excess, (size, 1))
            generator.permuted(orders, axis=1, out=orders)
            drawn.append(np.abs(self._standardised(orders)).max(axis=1))
        return np.concatenate(drawn)

    def judged(self, p_value: float, level: float) -> _Judgement:
        """The last four fields of a `RaterDrift`."""
        strongest = int(np.abs(self._standardised(self.excess[np.newaxis])[0]).argmax())
        change = float(self._changes(self.excess[np.newaxis])[0, strongest])
        starts: Integers = self.sequence.starts
        start = starts[1 + strongest % (len(starts) - 1)]
        verdict: DriftVerdict = "steady"
        if p_value <= level:
            verdict = "declines" if change < 0 else "improves"
        return verdict, p_value, int(self.sequence.places[start]), change
