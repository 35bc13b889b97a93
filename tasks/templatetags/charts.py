"""What charts, sorting and files read off the cells of tables (static/js/charts.js and tables.js,
tasks/web/tables/shown.py)."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tomahto.estimates.estimate import Estimate

register = template.Library()


@register.filter
def drawn(cell: float | str | Estimate | Mapping[str, Any] | None) -> SafeString:
    """The attributes of a cell that shows a number, or an estimate with its interval and n.

    Nothing for None, for no object and for an undefined estimate: such a cell is left out of charts
    and comes last in every order. Numbers are written in full and as programs read them, whatever
    the language of the page.
    """
    parts = _parts(cell)
    if parts["value"] is None:
        return SafeString("")
    return format_html_join(
        " ",
        'data-{}="{}"',
        ((name, repr(part)) for name, part in parts.items() if part is not None),
    )


def _parts(cell: float | str | Estimate | Mapping[str, Any] | None) -> Mapping[str, Any]:
    if isinstance(cell, Estimate):
        return {"value": cell.value, "low": cell.low, "high": cell.high, "n": cell.n}
    if isinstance(cell, Mapping):
        return {name: cell.get(name) for name in ("value", "low", "high", "n")}
    return {"value": None if cell == "" else cell}
