"""Numbers as people read them, and estimates with their intervals."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django import template

from tasks.web.number_texts import count, decimals, duration, percent, points

register = template.Library()

for _filter in (count, decimals, duration, percent, points):
    register.filter(_filter.__name__, _filter)

_NOTATIONS: Final[Mapping[str, Callable[[float], str]]] = {
    "": partial(decimals, places=3),
    "brief": decimals,
    "duration": duration,
    "percent": percent,
    "points": points,
    "seconds": partial(decimals, places=1),
    "share": partial(percent, places=1),
}


@register.filter
def written(value: float, notation: str) -> str:
    """The value of an estimate, or an end of its interval."""
    return _NOTATIONS[notation](value)


@register.inclusion_tag("estimate.html")
def estimate(of: Any, notation: str = "", **more: Any) -> dict[str, Any]:
    """Its value, or why there is none; its interval `interval_in` an element of this class, or why
    there is none unless that `is_brief`; and n if `with_n`."""
    return {"estimate": of, "notation": notation, **more}


@register.inclusion_tag("interval.html")
def interval(of: Any, notation: str = "") -> dict[str, Any]:
    """The interval of an estimate, or why there is none."""
    return {"estimate": of, "notation": notation}


@register.inclusion_tag("estimate_cell.html")
def estimate_cell(of: Any, notation: str = "", *, with_n: bool = True) -> dict[str, Any]:
    """A cell of a table with an estimate, its interval and n."""
    times = 100 if notation == "points" else None
    return {"estimate": of, "notation": notation, "times": times, "with_n": with_n}


@register.inclusion_tag("estimate_cell.html")
def brief_cell(of: Any, notation: str = "brief", *, with_n: bool = False) -> dict[str, Any]:
    """As `estimate_cell`, in short: it does not say why there is no interval."""
    return estimate_cell(of, notation, with_n=with_n) | {"is_brief": True}


@register.inclusion_tag("tile_estimate.html")
def tile_estimate(of: Any, notation: str = "") -> dict[str, Any]:
    """The paragraphs of a tile with an estimate, its interval, and what that rests on."""
    return {"estimate": of, "notation": notation}
