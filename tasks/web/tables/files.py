"""Tables of a page as files: CSV for programs and spreadsheets, LaTeX for papers.

They are asked for at the page's own address, with `table` and `format`, so that whoever may see a
table may take it away, and nobody else. Files are in English, as the documents of a release.
"""

import re
from collections.abc import Iterable, Iterator
from functools import wraps
from itertools import chain, count
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from tasks.web.page import View
from tasks.web.tables.shown import ShownCell, ShownHead, ShownPage, ShownTable, shown_page
from tomahto.estimates.estimate import Estimate
from tomahto.figures.csv_text import PARTS, csv_table
from tomahto.figures.latex import latex_table
from tomahto.figures.table import UNDEFINED, Cell, Column, ColumnKind, PaperTable

FORMATS = {"csv": "text/csv; charset=utf-8", "tex": "text/x-tex; charset=utf-8"}
_LETTERS = str.maketrans({"α": "alpha", "ε": "epsilon", "κ": "kappa", "ρ": "rho", "τ": "tau"})
_UNITS = {"seconds": "s"}
_KINDS: dict[str, ColumnKind] = {"points": "percent", "percent": "percent", "seconds": "number"}
_NO_REASON = "it is not known"


def gives_tables(page: View) -> View:
    """Every table of the page that has an id and a row can be had as a file, as the page has it.

    404 for other tables and formats. What is no page, as where one has to sign in, is answered.
    """

    @wraps(page)
    def giving(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        name = request.GET.get("table", "")
        if not name or request.method not in ("GET", "HEAD"):
            return page(request, *args, **kwargs)
        with override("en"):
            response = page(request, *args, **kwargs)
            if response.status_code != 200 or not isinstance(response, HttpResponse):
                return response
            shown = shown_page(response.content.decode())
            return _file(shown, name, request.GET.get("format", ""), kwargs.get("slug", ""))

    return giving


def _file(page: ShownPage, name: str, format_: str, campaign: str) -> HttpResponse:
    table = page.tables.get(name)
    if table is None or not table.rows or format_ not in FORMATS:
        raise Http404
    paper = paper_table(page, table)
    text = csv_table(paper) if format_ == "csv" else latex_table(paper, paper.key)
    file_name = "-".join(filter(None, (campaign, f"{paper.key}.{format_}")))
    return HttpResponse(
        text,
        content_type=FORMATS[format_],
        headers={"Content-Disposition": f'attachment; filename="{file_name}"'},
    )


def paper_table(page: ShownPage, table: ShownTable) -> PaperTable:
    """The table as papers print it; its columns are called by their heads."""
    columns = [_column(head, cells) for head, cells in _columns(table)]
    keys = _distinct(key_of(column.title) for column in columns)
    named = (
        Column(key, column.title, column.kind) for key, column in zip(keys, columns, strict=True)
    )
    has_interval = any(cell.low is not None for row in table.rows for cell in row)
    made = date_format(timezone.localtime(), "SHORT_DATETIME_FORMAT")
    return PaperTable(
        key=table.id.removesuffix("-table"),
        title=table.title,
        columns=tuple(named),
        rows=tuple(
            tuple(_cell(column, cell) for column, cell in zip(columns, row, strict=True))
            for row in table.rows
        ),
        notes=("Intervals are in brackets.",) if has_interval else (),
        source=f"{page.title.removesuffix(' · Tomahto')}, {made}",
        reasons=tuple(dict.fromkeys(_reasons(columns, table))),
    )


def key_of(title: str) -> str:
    """As in "kappa_with_the_rest"."""
    return re.sub(r"[^a-z0-9]+", "_", title.lower().translate(_LETTERS)).strip("_") or "column"


def _columns(table: ShownTable) -> Iterator[tuple[ShownHead, list[ShownCell]]]:
    for place, head in enumerate(table.heads):
        yield head, [row[place] for row in table.rows]


def _column(head: ShownHead, cells: list[ShownCell]) -> Column:
    unit = _UNITS.get(head.unit, "")
    title = f"{head.title} ({unit})" if unit else head.title
    return Column("", title, _kind(head, cells))


def _kind(head: ShownHead, cells: list[ShownCell]) -> ColumnKind:
    values = [cell.value for cell in cells if cell.value is not None]
    if not values:
        return "text"
    if head.unit in _KINDS:
        return _KINDS[head.unit]
    if any("%" in cell.text for cell in cells if cell.value is not None):
        return "percent"
    are_counts = {isinstance(value, int) for value in values}
    return "mixed" if len(are_counts) > 1 else "count" if are_counts == {True} else "number"


def _cell(column: Column, cell: ShownCell) -> Cell:
    if column.is_text:
        return cell.text
    if cell.value is None or (cell.low is None and cell.n is None):
        return cell.value
    return Estimate(value=cell.value, n=cell.n or 0, low=cell.low, high=cell.high)


def _reasons(columns: list[Column], table: ShownTable) -> Iterator[str]:
    """What the page says in place of numbers."""
    for row in table.rows:
        for column, cell in zip(columns, row, strict=True):
            if not column.is_text and cell.value is None:
                yield cell.text if cell.text not in ("", UNDEFINED) else _NO_REASON


def _distinct(keys: Iterable[str]) -> list[str]:
    """The keys, those that are taken numbered from 2. Some are four columns of a file."""
    found: list[str] = []
    taken = set[str]()
    for key in keys:
        names = chain([key], (f"{key}__{number}" for number in count(2)))
        own = next(name for name in names if taken.isdisjoint(f"{name}{part}" for part in PARTS))
        taken.update(f"{own}{part}" for part in PARTS)
        found.append(own)
    return found
