"""What charts read off the cells of their tables (static/js/charts.js)."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tomahto.estimates.estimate import Estimate

register = template.Library()


@register.filter
def drawn(cell: float | Estimate | Mapping[str, Any] | None) -> SafeString:
    """The attributes of a cell that is drawn: those of a number, or of an estimate's interval.

    Nothing for None and for an undefined estimate: such a cell is left out of the chart. Numbers
    are written in full and as programs read them, whatever the language of the page.
    """
    if isinstance(cell, Estimate):
        parts = (cell.value, cell.low, cell.high)
    elif isinstance(cell, Mapping):
        parts = (cell["value"], cell.get("low"), cell.get("high"))
    else:
        parts = (cell, None, None)
    value, low, high = parts
    if value is None:
        return SafeString("")
    if low is None or high is None:
        return format_html('data-value="{}"', repr(value))
    return format_html('data-value="{}" data-low="{}" data-high="{}"', *map(repr, parts))
