"""Learning curves worked out on the server: places on a grid, for an SVG drawn by a template."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 640
HEIGHT = 300
LEFT = 64
RIGHT = 620
TOP = 16
BOTTOM = 250
_NAME_WIDTH = 48
_STEP = 0.1  # of accuracy, between two lines of the grid


@dataclass(frozen=True, slots=True)
class Mark:
    """One point of the curve; `low` and `high` are the ends of its interval.

    `is_named`: there is room for its number of labels below it.
    """

    labels: int
    x: float
    y: float
    low: float
    high: float
    is_named: bool


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line at an accuracy."""

    share: float
    y: float


@dataclass(frozen=True, slots=True)
class CurveChart:
    """`shipped` and `token_f1` are the baselines, None where they are undefined."""

    marks: tuple[Mark, ...]
    grid: tuple[Level, ...]
    shipped: Level | None
    token_f1: Level | None
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def curve_chart(curve: Mapping[str, Any]) -> CurveChart:
    """The chart of a stored learning curve: numbers of labels on a logarithmic scale, accuracies
    from the next tenth below the lowest of them to 1. Undefined points are left out."""
    points = [point for point in curve["points"] if point["accuracy"]["value"] is not None]
    baselines = curve["baselines"]
    estimates = [*(point["accuracy"] for point in points), *baselines.values()]
    floor = _floor([end for each in estimates for end in _ends(each)])
    numbers = [point["labels"] for point in points]
    return CurveChart(
        marks=tuple(_mark(point, numbers, floor) for point in points),
        grid=tuple(_grid(floor)),
        shipped=_level(baselines["shipped"]["value"], floor),
        token_f1=_level(baselines["token_f1"]["value"], floor),
    )


def _mark(point: Mapping[str, Any], numbers: Sequence[int], floor: float) -> Mark:
    accuracy = point["accuracy"]
    low, value, high = _ends(accuracy)
    return Mark(
        labels=point["labels"],
        x=_x(point["labels"], numbers),
        y=_y(value, floor),
        low=_y(low, floor),
        high=_y(high, floor),
        is_named=_has_room(point["labels"], numbers),
    )


def _ends(estimate: Mapping[str, Any]) -> list[float]:
    """Low end, value and high end; without an interval the value is both ends."""
    value = estimate["value"]
    if value is None:
        return []
    low, high = estimate["low"], estimate["high"]
    return [value if low is None else low, value, value if high is None else high]


def _floor(accuracies: Sequence[float]) -> float:
    lowest = min(accuracies, default=0.0)
    return max(0.0, min(math.floor(lowest / _STEP), round(1 / _STEP) - 1) * _STEP)


def _grid(floor: float) -> Iterator[Level]:
    for step in range(round(floor / _STEP), round(1 / _STEP) + 1):
        yield Level(step * _STEP, _y(step * _STEP, floor))


def _level(share: float | None, floor: float) -> Level | None:
    return None if share is None else Level(share, _y(share, floor))


def _x(labels: int, numbers: Sequence[int]) -> float:
    least, most = min(numbers), max(numbers)
    if least == most:
        return (LEFT + RIGHT) / 2
    margin = 24  # for the numbers below the outermost marks
    along = math.log(labels / least) / math.log(most / least)
    return LEFT + margin + along * (RIGHT - LEFT - 2 * margin)


def _has_room(labels: int, numbers: Sequence[int]) -> bool:
    """The next one's name goes first: the last of all is always there."""
    following = [number for number in numbers if number > labels]
    return not following or _x(min(following), numbers) - _x(labels, numbers) >= _NAME_WIDTH


def _y(share: float, floor: float) -> float:
    return BOTTOM - (share - floor) / (1 - floor) * (BOTTOM - TOP)
