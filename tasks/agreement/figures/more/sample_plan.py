"""How many more ratings it takes to know something as well as is wanted, and what fewer give."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tomahto.estimates.estimate import Estimate, estimate_from_json
from tomahto.estimates.sample_size import SampleSize, items_for_width, predicted_width

POINTS = 8  # of the line of predicted widths


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The quantity asked for, what it takes, and the width predicted at growing numbers."""

    kind: str
    systems: Sequence[str]
    estimate: Estimate
    ratings_each: int
    size: SampleSize
    widths: Sequence[tuple[int, float]]


def sample_plan(quantities: Sequence[Mapping[str, Any]], key: str, width: float) -> SamplePlan:
    """What it takes until the interval of a quantity of the figures `more` is so wide.

    `key` is that of one of the quantities; `width` is of the whole interval, as a share.
    """
    chosen = next(one for one in quantities if one["key"] == key)
    estimate = estimate_from_json(chosen["estimate"])
    size = items_for_width(
        estimate, width, available=chosen["available"], ratings_each=chosen["ratings_each"]
    )
    return SamplePlan(
        kind=chosen["kind"],
        systems=chosen["systems"],
        estimate=estimate,
        ratings_each=chosen["ratings_each"],
        size=size,
        widths=_widths(estimate, size),
    )


def _widths(estimate: Estimate, size: SampleSize) -> list[tuple[int, float]]:
    """From what is there to all there can be, or to what is needed; in equal ratios."""
    if size.reason or size.needed is None or size.available is None:
        return []
    last = max(size.needed, size.available)
    marks = {size.n, size.needed, size.available}
    step = (last / size.n) ** (1 / (POINTS - 1))
    between = (round(size.n * step**place) for place in range(1, POINTS - 1))
    numbers = {one for one in between if all(_is_apart(one, mark, step) for mark in marks)}
    return [(number, predicted_width(estimate, number)) for number in sorted(numbers | marks)]


def _is_apart(one: int, other: int, step: float) -> bool:
    """Whether two numbers are at least two thirds of a step apart, so that both can be read."""
    return abs(math.log(one / other)) > math.log(step) * 2 / 3
