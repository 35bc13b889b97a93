"""What stands below a table of figures: the files it can be taken away as."""

from typing import NamedTuple

from django import template
from django.http import HttpRequest
from django.template.context import RequestContext

register = template.Library()

_TITLES = {"csv": "CSV", "tex": "LaTeX"}  # the formats of tasks.web.tables.files


class TableFile(NamedTuple):
    """The title of a format, and where the table is to be had in it."""

    title: str
    address: str


@register.inclusion_tag("table_files.html", takes_context=True)
def table_files(context: RequestContext, table: str, title: str) -> dict[str, object]:
    """Links to the files of the table with this id, on a page that `gives_tables`; `title` is what
    it is called. What else was asked of the page, as an order, is kept."""
    request: HttpRequest = context["request"]
    files = []
    for format_, name in _TITLES.items():
        query = request.GET.copy()
        query["table"], query["format"] = table, format_
        files.append(TableFile(name, f"{request.path}?{query.urlencode()}"))
    return {"title": title, "files": files}
