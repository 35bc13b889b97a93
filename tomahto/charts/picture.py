"""Pictures before they are written: lines, boxes and words at their places, named by their looks.

A chart is laid out once, as a `Picture`. Pages write it as SVG that takes their colours and prints
(`tomahto.charts.svg`); papers and releases get it as files (`tomahto.charts.chart_files`). So
there is one drawing of each thing.
"""

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from tomahto.charts.table import plain

WIDTH = 352.0  # units, as all lengths here; a column of a paper is as wide
TEXT = 11.0  # height of words
LINE = 15.0  # from one line of words to the next
BASE = 4.0  # from the middle of words down to their base line
_ELLIPSIS = "…"

Heat = Literal["heat-0", "heat-1", "heat-2", "heat-3", "heat-4", "heat-5"]
Judged = Literal["good", "plain", "bad"]
# colours that the colour-blind can tell apart (Okabe and Ito 2008), and grey
Series = Literal["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7"]
# labels in their order, the worst first
Step = Literal["step-1", "step-2", "step-3", "step-4", "step-5", "step-6", "step-7", "step-8"]
Band = Literal["band", "band-1", "band-2", "band-3", "band-4", "band-5", "band-6", "band-7"]
Look: TypeAlias = (
    Literal["ink", "soft", "grid", "goal", "event", "hatch", "paper", "course"]
    | Judged
    | Heat
    | Series
    | Step
    | Band
)
"""The kind of a mark, by which it gets its colour and its stroke. `good`, `plain` and `bad` are
surely above a goal, undecided, and surely below; heats are shades, the lightest first. Bands let
marks below them be seen; `paper` is the ground."""
HEATS: tuple[Heat, ...] = get_args(Heat)
SERIES: tuple[Series, ...] = get_args(Series)
STEPS: tuple[Step, ...] = get_args(Step)
BANDS: tuple[Band, ...] = get_args(Band)[1:]
Shape = Literal["circle", "square", "diamond", "triangle", "wedge", "plus", "cross", "star"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
Stroke = Literal["solid", "dashed", "dash-dot", "dotted", "dash-dot-dot"]
STROKES: dict[Stroke, tuple[float, ...]] = {
    "solid": (),
    "dashed": (6, 2.5),
    "dash-dot": (8, 2.5, 1.5, 2.5),
    "dotted": (1.5, 2.5),
    "dash-dot-dot": (8, 2, 1.5, 2, 1.5, 2),
}
"""Lengths of what is drawn and what is left out, in turn."""
Hatch = Literal["", "rising", "level", "falling", "upright", "crossed"]
HATCHES: tuple[Hatch, ...] = get_args(Hatch)
Anchor = Literal["start", "middle", "end"]


Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke through points (x, y)."""

    points: tuple[Point, ...]
    look: Look
    stroke: Stroke = "solid"


@dataclass(frozen=True, slots=True)
class Strokes:
    """Straight strokes between two points each, as of a hatching."""

    ends: tuple[tuple[Point, Point], ...]
    look: Look


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
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


Mark: TypeAlias = Line | Strokes | Area | Dot | Words


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


# spikes, their reach and that of the corners between them, and the first one's turn from the right
_SPIKES: dict[Shape, tuple[int, float, float, float]] = {
    "square": (4, 1.27, 0.9, 1 / 8),
    "diamond": (4, 1.25, 0.88, 0.0),
    "triangle": (3, 1.4, 0.7, -1 / 4),
    "wedge": (3, 1.4, 0.7, 1 / 4),
    "plus": (4, 1.6, 0.62, 0.0),
    "cross": (4, 1.6, 0.62, 1 / 8),
    "star": (5, 1.5, 0.7, -1 / 4),
}


def corners(dot: Dot) -> list[Point]:
    """Of a shape about as large to the eye as the circle of this size."""
    count, outer, inner, turn = _SPIKES[dot.shape]
    angles = [2 * math.pi * (number / (2 * count) + turn) for number in range(2 * count)]
    return [
        (dot.x + reach * dot.size * math.cos(angle), dot.y + reach * dot.size * math.sin(angle))
        for angle, reach in zip(angles, [outer, inner] * count, strict=True)
    ]


def text_width(text: str, *, is_bold: bool = False) -> float:
    """About how wide words are in a common typeface: nowhere narrower than in DejaVu Sans, in which
    papers have them and which is wider than most."""
    return TEXT * sum(map(_width, text)) * (1.19 if is_bold else 1.0)


_WIDTHS = {
    letter: width
    for width, letters in (
        (0.32, "'ijlI ,’·"),
        (0.37, "./:;\\|-f"),
        (0.42, "()[]t!r"),
        (0.56, '"*_`sz?–“”'),
        (0.62, "cLFkvxyPTYaoe"),
        (0.66, "ESbdghnpqu$0123456789{}Kß€"),
        (0.78, "AVBRXZCUHNDG&"),
        (0.87, "OQw#+<=>^~M−×±≤≥→←"),
        (1.0, "%m@W—…"),
    )
    for letter in letters
}
"""Of letters, as parts of their height."""
_WIDE = re.compile(
    "[ǄǅǱǲ\u1400-\u169f‰‱₧₯⅒Ⅷⅷↀↂ⋘⋙\u2300-\u23ff\u2600-\u260f\u27f0-\u27ff⨌\ua640-\ua7ff"
    "\ufb00-\ufdff\ufe70-\ufeff\U00010300-\U0001032f\U0001ee00-\U0001eeff"
    "\U0001f000-\U0001f0ff😴]"
)


@lru_cache(4096)
def _width(letter: str) -> float:
    width = _WIDTHS.get(letter)
    if width is not None:
        return width
    width = _WIDTHS.get(unicodedata.normalize("NFD", letter)[0])
    if width is not None:  # with an accent or a horn
        return width + 0.13
    if _WIDE.match(letter):
        return 1.75
    if "\u0370" <= letter <= "\u045f":  # Greek and Cyrillic
        return 0.98 if letter.islower() else 1.15
    return 1.25


def fitted(text: str, width: float, *, is_bold: bool = False) -> str:
    """The text in one line, or as much of its beginning and its end as has room: names that begin
    alike often differ there."""
    text = plain(text)
    if text_width(text, is_bold=is_bold) <= width:
        return text
    for kept in range(len(text) - 1, 0, -1):
        end = len(text) - kept // 2
        shorter = f"{text[: kept - kept // 2].rstrip()}{_ELLIPSIS}{text[end:].lstrip()}"
        if text_width(shorter, is_bold=is_bold) <= width:
            return shorter
    return _ELLIPSIS


def in_lines(text: str, width: float, most: int) -> list[str]:
    """The text in at most so many lines, broken after words where that is possible. As much of its
    beginning and its end as has room stands in the last one."""
    text = plain(text)
    if most == 1 or text_width(text) <= width:
        return [fitted(text, width)]
    kept = next(
        end for end in range(len(text), 0, -1) if end == 1 or text_width(text[:end]) <= width
    )
    broken = _LAST_BREAK.match(text[:kept])
    kept = broken.end() if broken else kept
    return [text[:kept].rstrip(), *in_lines(text[kept:], width, most - 1)]


_LAST_BREAK = re.compile(r".+[\W_](?<![(\[{])")  # of a line


def round_steps(
    low: float, high: float, most: int, *, is_beyond: bool = False, least: float = 0.0
) -> list[float]:
    """Round numbers from `low` to `high`, at most so many, and as many as can be, `least` apart;
    with `is_beyond` the first is not above `low` and the last not below `high`. Raises ValueError
    if `low` is not below `high`, or none can be so."""
    if not low < high or (is_beyond and most < 2):
        raise ValueError(f"no scale from {low} to {high}")
    slack = -1e-9 if is_beyond else 1e-9
    exponent = math.floor(math.log10((high - low) / most)) - 1
    while True:
        for factor in (1, 2, 5):
            step = factor * 10.0**exponent
            first, last = low / step - slack, high / step + slack
            first, last = (
                (math.floor(first), math.ceil(last))
                if is_beyond
                else (math.ceil(first), math.floor(last))
            )
            if last - first < most and step >= least:
                return [
                    round(number * step, max(0, -exponent)) for number in range(first, last + 1)
                ]
        exponent += 1


def hatching(
    x: float,
    y: float,
    width: float,
    height: float,
    hatch: Hatch = "rising",
    look: Look = "hatch",
    step: float = 6.0,
) -> Strokes:
    """Strokes across a box."""
    ends: list[tuple[Point, Point]] = []
    if hatch in ("rising", "falling", "crossed"):
        for reach in _steps(width + height, step):
            low, high = max(0.0, reach - height), min(width, reach)
            left, right = (low, reach - low), (high, reach - high)
            if hatch != "falling":
                ends += [((x + left[0], y + left[1]), (x + right[0], y + right[1]))]
            if hatch != "rising":
                mirrored = x + width
                ends += [((mirrored - left[0], y + left[1]), (mirrored - right[0], y + right[1]))]
    elif hatch == "level":
        ends += [((x, y + down), (x + width, y + down)) for down in _steps(height, step / 2)]
    elif hatch == "upright":
        ends += [((x + by, y), (x + by, y + height)) for by in _steps(width, step / 2)]
    return Strokes(tuple(ends), look)


def _steps(length: float, step: float) -> Iterator[float]:
    reach = step / 2
    while reach < length:
        yield reach
        reach += step


def widest(texts: Sequence[str], most: float = WIDTH, *, is_bold: bool = False) -> float:
    """The room that these need beside each other's beginning, `most` at most."""
    return min(most, max((text_width(text, is_bold=is_bold) for text in texts), default=0.0))
