"""A rater's agreement with the others over time, window by window.

A window holds ratings that others can be compared with; what should be expected of them allows
for items that are hard for everybody (`tomahto.raters.agreement_with_others`).
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.binomial import wilson_share
from tomahto.estimates.estimate import Estimate
from tomahto.raters.agreement_with_others import AgreementWithOthers
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows

WINDOW = 50  # ratings that others can be compared with


@dataclass(frozen=True, slots=True)
class AgreementWindow:
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


def agreement_windows(
    rows: RatingRows, *, window: int = WINDOW
) -> tuple[tuple[AgreementWindow, ...], ...]:
    """Every rater's windows, in the order of `rater_names`.

    `rows` stand in the order in which the ratings were given, and no rater rated an item twice.
    A window holds `window` ratings that others can be compared with, the last one up to twice as
    many less one. Who shares no item has no window.
    """
    votes = AgreementWithOthers.of(rows)
    raters = range(len(rows.rater_names))
    return tuple(AgreementSequence.of(votes, rater, window).windows() for rater in raters)


@dataclass(frozen=True, eq=False)
class AgreementSequence:
    """A rater's comparable ratings in order: places in all their ratings, and values (n,).

    `starts` are the first ratings of the windows, `ratings` is the number of all their ratings.
    """

    places: Integers
    agreement: Floats
    expected: Floats
    starts: Integers
    ratings: int

    @classmethod
    def of(cls, votes: AgreementWithOthers, rater: int, window: int) -> "AgreementSequence":
        own = votes.raters == rater
        agreement, expected = votes.agreement[own], votes.expected[own]
        places = np.flatnonzero(~np.isnan(agreement))
        starts = np.arange(max(1, len(places) // window)) * window
        return cls(places, agreement[places], expected[places], starts, int(own.sum()))

    @property
    def excess(self) -> Floats:
        """Agreement less expectation (n,); without an expectation the agreement itself."""
        known = np.where(np.isnan(self.expected), 0, self.expected)
        excess: Floats = self.agreement - known
        return excess

    def windows(self) -> tuple[AgreementWindow, ...]:
        if not len(self.places):
            return ()
        ends = np.append(self.starts[1:], len(self.places))
        until = self.agreement.cumsum()
        return tuple(
            AgreementWindow(
                start=int(self.places[start]),
                end=int(self.places[end - 1]) + 1,
                agreement=share_of_agreement(self.agreement[start:end]),
                expected=_mean_of_known(self.expected[start:end]),
                before=float(until[start - 1]) / start if start else None,
            )
            for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)
        )


def share_of_agreement(agreement: Floats) -> Estimate:
    """The mean of agreements (n,), each the share of the others that agree, with an interval."""
    return wilson_share(float(agreement.sum()), len(agreement))


def _mean_of_known(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None
