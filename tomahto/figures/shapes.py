"""What charts are drawn with: shapes on a page and their colours."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal, Protocol, TypeAlias

WIDTH, HEIGHT = 480, 320  # units of a page; the origin is at its upper left
FONT_SIZE = 12
INK, GRID, PAPER = "#1a1a1a", "#d9d9d9", "#ffffff"
# Told apart by people who see colours otherwise (Okabe and Ito 2008).
_COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f",
)  # fmt: skip
_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!()[]/- "), frozenset("mwMW@%—…→")
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle; x and y are its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line from (x, y) to (to_x, to_y), `width` wide, with round ends."""

    x: float
    y: float
    to_x: float
    to_y: float
    colour: str
    width: float = 1.5


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle round (x, y)."""

    x: float
    y: float
    radius: float
    colour: str


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon; `opacity` 1 hides what is below."""

    corners: tuple[tuple[float, float], ...]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text at its baseline; turned by a quarter to the left if `is_upright`."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    is_upright: bool = False


Shape: TypeAlias = Box | Line | Circle | Polygon | Text


class Chart(Protocol):
    """What a renderer draws: a page of `width` by `height` units. `title` is for who cannot see
    it; pages and papers print it as a caption."""

    @property
    def title(self) -> str: ...

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    def shapes(self) -> tuple[Shape, ...]:
        """Everything on the page, what comes first lies below."""
        ...


def colours() -> Iterator[str]:
    """The colours, then ever lighter tints of them."""
    for tint in count():
        for colour in _COLOURS:
            parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
            yield "#" + "".join(f"{255 - (255 - part) // (tint + 1):02x}" for part in parts)


def text_width(text: str) -> float:
    """About how wide a line of text is in Helvetica and its like; rather too wide than too
    narrow."""
    return FONT_SIZE * sum(map(_letter_width, text))


def shortened(text: str, width: float) -> str:
    """The text, or as much of its beginning as fits into `width` with an ellipsis after it."""
    if text_width(text) <= width:
        return text
    kept = text
    while kept and text_width(kept + _ELLIPSIS) > width:
        kept = kept[:-1]
    return kept.rstrip() + _ELLIPSIS


def _letter_width(letter: str) -> float:
    """In parts of the font's size."""
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE or unicodedata.east_asian_width(letter) in "FW":
        return 1.0
    return 0.72 if letter.isupper() else 0.57
