"""The charts of tables, and the attributes of cells that these and files read (tables.js)."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from tasks.templatetags.table_charts import with_charts
from tomahto.estimates.estimate import Estimate, estimate_as_json

register = template.Library()


@register.filter
def drawn(
    cell: float | Estimate | Mapping[str, Any] | str | None, times: float | None = None
) -> SafeString:
    """The attributes of a cell with a number, or with an estimate, its interval and n.

    Nothing for None, for "", which templates have for what is not there, and for an undefined
    estimate: such a cell is left out of charts. Numbers are written in full and as programs read
    them, whatever the language of the page. `times` is what the cell shows of one, as 100 in a
    column of percentage points.
    """
    if isinstance(cell, Estimate):
        cell = estimate_as_json(cell)
    elif not isinstance(cell, Mapping):
        cell = {"value": cell}
    names = ("value", "low", "high") if cell.get("low") is not None else ("value",)
    if cell["value"] in (None, ""):
        return SafeString("")
    parts = {name: cell[name] if times is None else times * cell[name] for name in names}
    if "n" in cell:
        parts["n"] = cell["n"]
    return format_html_join(
        " ", 'data-{}="{}"', ((name, repr(part)) for name, part in parts.items())
    )


@register.simple_block_tag
def charts(content: str) -> SafeString:
    """A part of a page, with a picture in every figure that names one of its tables."""
    return mark_safe(with_charts(content))  # noqa: S308 - escapes every text  # nosec
