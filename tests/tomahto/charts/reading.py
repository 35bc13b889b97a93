"""Numbers read off a picture, as its readers do: by the numbers along its axes."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, TypeVar

from tomahto.charts.picture import BASE, Area, Dot, Look, Mark, Picture, Words

M = TypeVar("M", bound=Mark)


def marks(picture: Picture, kind: type[M], *looks: Look) -> list[M]:
    """Of a kind, and of these looks where there are any."""
    return [
        mark
        for mark in picture.marks
        if isinstance(mark, kind) and (not looks or mark.look in looks)
    ]


def texts(picture: Picture) -> list[str]:
    return [words.text for words in marks(picture, Words)]


def axis_texts(picture: Picture, along: Literal["x", "y"]) -> list[str]:
    return [text for _, text in _ticks(picture, along)]


def reader(picture: Picture, along: Literal["x", "y"]) -> Callable[[float], float]:
    """From places along an axis to their numbers, by its first and its last number."""
    ticks = [(place, _number(text)) for place, text in _ticks(picture, along)]
    (begin, low), (end, high) = ticks[0], ticks[-1]
    return lambda place: round(low + (high - low) * (place - begin) / (end - begin), 6)


def read(picture: Picture, points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points at the numbers of both axes."""
    across, up = reader(picture, "x"), reader(picture, "y")
    return [(across(x), up(y)) for x, y in points]


def dots(picture: Picture, *looks: Look) -> list[tuple[float, float]]:
    """Places of dots in the plot."""
    return [(dot.x, dot.y) for dot in marks(_plot(picture), Dot, *looks)]


def boxes(picture: Picture, *looks: Look) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of bars in the plot."""
    areas = (area.points for area in marks(_plot(picture), Area, *looks))
    return [(*area[0], *area[2]) for area in areas]


def _plot(picture: Picture) -> Picture:
    """Without the legend, which is drawn before the grid."""
    looks = [mark.look for mark in picture.marks]
    return replace(picture, marks=picture.marks[looks.index("grid") :])


def _ticks(picture: Picture, along: Literal["x", "y"]) -> list[tuple[float, str]]:
    anchor = "middle" if along == "x" else "end"
    return [
        (words.x if along == "x" else words.y - BASE, words.text)
        for words in marks(picture, Words, "soft")
        if words.anchor == anchor and _is_number(words.text)
    ]


def _is_number(text: str) -> bool:
    try:
        _number(text)
    except ValueError:
        return False
    return True


def _number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").removesuffix("%"))
