"""The tables of a page, from which its charts are drawn: their cells, and what is around them."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

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
def table(
    content: str,
    label: str = "",
    *,
    labelledby: str = "",
    box: str = "scroll",
    caption: str = "",
    file: str = "",
    sortable: bool = False,
    folded: str = "",
    **named: str,
) -> SafeString:
    """A table of the rows in this block, the first of which is its head; `named` its id and class.

    With a `label`, or `labelledby` the id of a title, it scrolls by itself in a `box` of these
    classes. `folded` is the id of what hides it until its numbers are asked for. A table with the
    name of a `file` can be sorted and saved.
    """
    head, _end, rows = content.partition("</tr>")
    if sortable or file:
        named["data-sortable"] = ""
    if file:
        named["data-file"] = file
    html = format_html(
        "<table{}>{}<thead>{}</tr></thead><tbody>{}</tbody></table>",
        in_tag(named),
        format_html('<caption class="unseen">{}</caption>', caption) if caption else "",
        mark_safe(head),  # noqa: S308 - rendered before  # nosec
        mark_safe(rows),  # noqa: S308 - rendered before  # nosec
    )
    if title := label or labelledby:
        titled = in_tag({"aria-label" if label else "aria-labelledby": title})
        scrolls = '<div class="{}" role="region" tabindex="0"{}>{}</div>'
        html = format_html(scrolls, box, titled, html)
    if folded:
        summary = gettext("Show the numbers")
        fold = '<details class="numbers" id="{}"><summary>{}</summary>{}</details>'
        html = format_html(fold, folded, summary, html)
    return html


def in_tag(attributes: Mapping[str, object]) -> SafeString:
    return format_html_join("", ' {}="{}"', attributes.items())
