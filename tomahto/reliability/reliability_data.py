"""Agreement of values from a table of unit, rater and value, with no protocol behind it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.reliability.statistics import published_alpha
from tomahto.text.normalisation import plain_name
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme, Level

Row = tuple[str, str, str]


class RowError(ValueError):
    """A row that cannot be used: `row` is its number, the first being 1, `field` its column."""

    def __init__(self, row: int, field: str, problem: str) -> None:
        super().__init__(f"row {row}, {field}: {problem}")
        self.row = row
        self.field = field
        self.problem = problem


class _Value(NamedTuple):
    label: str
    rank: float


@dataclass(frozen=True, slots=True)
class UnitsAgreement:
    """Alpha of a table of ratings, and how much it holds.

    `ratings` is its number of rows, `values` how many different values it holds at the level.
    """

    level: Level
    alpha: Estimate
    units: int
    raters: int
    ratings: int
    values: int

    def as_json(self) -> dict[str, Any]:
        """The agreement as a JSON object; what is undefined is null beside a "reason"."""
        return {
            "level": self.level,
            **estimate_as_json(self.alpha),
            "units": self.units,
            "raters": self.raters,
            "ratings": self.ratings,
            "values": self.values,
        }


def agreement_of_units(
    rows: Iterable[Row], level: Level, *, seed: int = 0, replicates: int = 2000
) -> UnitsAgreement:
    """Krippendorff's alpha with its bootstrap interval over rows (unit, rater, value).

    At the nominal level a value is any text. At the ordinal and interval levels it is a number:
    `1` and `1.0` are the same value. All three are taken in their plain form
    (tomahto.text.normalisation): `ann` with a blank behind it is `ann`. A missing rating is a
    missing row. `n` of alpha is the number of units with at least two ratings.

    Raises RowError if a field is empty, a rater rated a unit twice, or a value is not a finite
    number where the level needs one.
    """
    votes: dict[str, list[_Value]] = {}
    seen: set[tuple[str, str]] = set()
    for number, row in enumerate(rows, start=1):
        unit, rater, text = map(plain_name, row)
        for field, content in (("unit", unit), ("rater", rater), ("value", text)):
            if not content:
                raise RowError(number, field, "is empty")
        if (unit, rater) in seen:
            raise RowError(number, "rater", f"{rater!r} rated unit {unit!r} before")
        seen.add((unit, rater))
        votes.setdefault(unit, []).append(_value(number, text, level))
    values = sorted(set(chain.from_iterable(votes.values())), key=lambda value: value[::-1])
    scheme = LabelScheme(
        tuple(value.label for value in values), tuple(value.rank for value in values), level
    )
    of_units = ([value.label for value in unit] for unit in votes.values())
    patterns = VotePatterns.from_votes(scheme, of_units)
    return UnitsAgreement(
        level=level,
        alpha=published_alpha(patterns, seed=seed, replicates=replicates),
        units=len(votes),
        raters=len({rater for _, rater in seen}),
        ratings=len(seen),
        values=len(values),
    )


def _value(number: int, text: str, level: Level) -> _Value:
    if level == "nominal":
        return _Value(text, 0.0)
    try:
        rank = float(text) + 0.0  # -0 and 0 are one value
    except ValueError:
        raise RowError(number, "value", f"{text!r} is not a number") from None
    if not math.isfinite(rank):
        raise RowError(number, "value", f"{text!r} is not a finite number")
    return _Value(repr(rank), rank)
