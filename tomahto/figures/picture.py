"""Pictures before they are written: lines, boxes and words at their places, named by their looks.

A chart is laid out once, as a `Picture`. Pages write it as SVG that takes their colours and prints
(`tomahto.figures.svg`); papers and releases get it as files (`tomahto.figures.chart_files`). So
there is one drawing of each thing.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from tomahto.figures.words import plain

WIDTH = 352.0  # units, as all lengths here; a column of a paper is as wide
TEXT = 12.0  # height of words
_ELLIPSIS = "…"

Heat = Literal["heat-0", "heat-1", "heat-2", "heat-3", "heat-4", "heat-5"]
Judged = Literal["good", "plain", "bad"]
Look: TypeAlias = (
    Literal["ink", "soft", "grid", "goal", "event", "hatch", "course", "band"] | Judged | Heat
)
"""What a mark is, by which it gets its colour and its stroke. `good`, `plain` and `bad` are surely
above a goal, undecided, and surely below; heats are shades, the lightest first."""
HEATS: tuple[Heat, ...] = get_args(Heat)
Shape = Literal["circle", "square", "diamond"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke through points (x, y)."""

    points: tuple[tuple[float, float], ...]
    look: Look


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    look: Look


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark around a point; its shape says the same as its colour."""

    x: float
    y: float
    look: Look
    shape: Shape = "circle"
    size: float = 4.0


@dataclass(frozen=True, slots=True)
class Words:
    """Words whose `anchor` is at x and whose base line is at y."""

    x: float
    y: float
    text: str
    look: Look = "ink"
    anchor: Anchor = "start"
    is_bold: bool = False


Mark: TypeAlias = Line | Area | Dot | Words


@dataclass(frozen=True, slots=True)
class Spot:
    """A part of the picture that says more on a page: `text` when it is pointed at or has the
    focus, and `address` is where it leads."""

    x: float
    y: float
    width: float
    height: float
    text: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawing, WIDTH wide. `title` names it and `description` says what it shows, for those who
    do not see it."""

    title: str
    description: str
    height: float
    marks: tuple[Mark, ...]
    spots: tuple[Spot, ...] = ()


def box(x: float, y: float, width: float, height: float, look: Look) -> Area:
    right, bottom = x + width, y + height
    return Area(((x, y), (right, y), (right, bottom), (x, bottom)), look)


def corners(dot: Dot) -> list[tuple[float, float]]:
    """Of a square or a diamond as large to the eye as the circle of this size."""
    reach = (0.9 if dot.shape == "square" else 1.25) * dot.size
    ways = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    if dot.shape == "diamond":
        ways = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    return [(dot.x + across * reach, dot.y + down * reach) for across, down in ways]


def text_width(text: str) -> float:
    """About how wide words are in a common typeface, rather too wide than too narrow."""
    return TEXT * sum(map(_width, text))


def _width(letter: str) -> float:
    """Of a letter, as a part of its height."""
    if letter in "iljtfrI.,:;'’|!()[] ":
        return 0.36
    if letter in "mwMW@%—":
        return 0.95
    if letter > "\u2e7f":  # Chinese, Japanese, Korean and signs that are as wide
        return 1.05
    return 0.7 if letter.isupper() else 0.62


def fitted(text: str, width: float) -> str:
    """The text in one line, or as much of its beginning and its end as has room: names that begin
    alike often differ there."""
    text = plain(text)
    if text_width(text) <= width:
        return text
    for kept in range(len(text) - 1, 0, -1):
        end = len(text) - kept // 2
        shorter = f"{text[: kept - kept // 2].rstrip()}{_ELLIPSIS}{text[end:].lstrip()}"
        if text_width(shorter) <= width:
            return shorter
    return _ELLIPSIS


def round_steps(low: float, high: float, most: int) -> list[float]:
    """Round numbers from `low` to `high`, at most so many, and as many as can be. Raises ValueError
    if `low` is not below `high`."""
    if not low < high:
        raise ValueError(f"no scale from {low} to {high}")
    exponent = -12
    while True:
        for factor in (1, 2, 5):
            step = factor * 10.0**exponent
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            if last - first < most:
                return [round(number * step, 12) for number in range(first, last + 1)]
        exponent += 1


def hatching(x: float, y: float, size: float, step: float = 6.0) -> Iterator[Line]:
    """Strokes across a square, from its lower left to its upper right."""
    reach = step / 2
    while reach < 2 * size:
        low, high = max(0.0, reach - size), min(size, reach)
        yield Line(((x + low, y + high), (x + high, y + low)), "hatch")
        reach += step


def widest(texts: Sequence[str], most: float) -> float:
    """The room that these need beside each other's beginning, `most` at most."""
    return min(most, max(map(text_width, texts), default=0.0))
