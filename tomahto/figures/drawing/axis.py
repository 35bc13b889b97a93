"""The axis of values: where a value is on the page, and round numbers along the way."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from tomahto.figures.table import MINUS

_INTERVALS = 6  # between ticks, at most
_NEARLY = 1e-9


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low`, at the place `start` of the page, to `high`, at `end`; ticks are the
    multiples of `step`."""

    low: float
    high: float
    step: float
    start: float
    end: float
    unit: str = ""

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> Iterator[float]:
        first = math.ceil(self.low / self.step - _NEARLY)
        last = math.floor(self.high / self.step + _NEARLY)
        return (number * self.step for number in range(first, last + 1))

    def shown(self, tick: float) -> str:
        """The tick with as many decimals as the step needs."""
        decimals = max(0, -math.floor(math.log10(self.step) + _NEARLY))
        text = f"{tick:,.{decimals}f}"
        is_zero = not text.strip("-0.,")
        text = text.removeprefix("-") if is_zero else text.replace("-", MINUS)
        return f"{text} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Range:
    """What an axis has to hold. Given ends are kept unless a value lies beyond them."""

    values: tuple[float, ...]
    low: float | None = None
    high: float | None = None
    unit: str = ""

    @classmethod
    def of(
        cls,
        values: Iterable[float],
        *,
        low: float | None = None,
        high: float | None = None,
        unit: str = "",
    ) -> "Range":
        return cls(tuple(values), low, high, unit)

    def axis(self, start: float, end: float) -> Axis:
        """The axis between two places of the page; ends that were not given are round numbers."""
        ends = [*self.values, *(given for given in (self.low, self.high) if given is not None)]
        lowest, highest = min(ends, default=0.0), max(ends, default=1.0)
        if lowest == highest:
            reach = abs(lowest) / 2 or 0.5
            lowest, highest = lowest - reach, highest + reach
        step = _step(highest - lowest)
        low = lowest if lowest == self.low else step * math.floor(lowest / step + _NEARLY)
        high = highest if highest == self.high else step * math.ceil(highest / step - _NEARLY)
        return Axis(low, high, step, start, end, self.unit)


def _step(span: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that makes at most _INTERVALS steps."""
    least = span / _INTERVALS
    power = math.floor(math.log10(least))
    steps = (float(f"{digit}e{power + more}") for more in count() for digit in (1, 2, 5))
    return next(step for step in steps if step >= least * (1 - _NEARLY))
