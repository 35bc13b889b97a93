"""One way to show a dashboard: figures of this moment, or of when a worker made them."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from tasks.access.guards.pages import is_htmx, member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.workflow.assessment import (
    Shown,
    all_figures_of,
    ask_for_figures,
    figures_of,
)
from tasks.models import Campaign, Membership
from tasks.votes.all_votes import asks_before_figures
from tasks.votes.blindness import leaves_out_votes
from tasks.votes.set_aside import set_aside_now
from tasks.web.addresses import Tab, page_at

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

_STAMP = "X-Figures"  # what the page shows already


Tables = Callable[[Campaign, Mapping[str, Any]], dict[str, Any]]


def dashboard(
    name: str,
    place: int,
    title: "StrPromise",
    *,
    help: str = "",  # noqa: A002 - as `page_at` calls it
) -> Callable[[Tables], Tables]:
    """The page of the figures called `name`, with its address, call, tab and help: what this stands
    above makes the tables of `dashboard_page`."""

    def register(tables: Tables) -> Tables:
        @page_at(
            f"c/<slug:slug>/agreement/{name}/",
            name=name,
            calls=("api-figures",),
            tab=Tab(place, title, RESULTS, under="agreement"),
            help=help,
        )
        @member_page(RESULTS)
        def _page(request: HttpRequest, membership: Membership) -> HttpResponseBase:
            return dashboard_page(request, membership, name, tables)

        return tables

    return register


def dashboard_page(
    request: HttpRequest,
    membership: Membership,
    names: str | Sequence[str],
    tables: Tables,
    *,
    template: str = "",
    **context: Any,
) -> HttpResponseBase:
    """The page of figures, which the template gets as `figures`: those of one name, or of several
    as a mapping.

    The template is that of the same name; other pages have their own.

    `tables` makes of campaign and figures what the template shows beside them; it is not called
    while there are none. Asked by htmx, it answers 204 while this is what the page
    shows. Figures that are not there yet, or old, are asked for.
    """
    if isinstance(names, str):
        shown = figures_of(membership.campaign, names)
    else:
        shown = all_figures_of(membership.campaign, names)
    if asked := asks_before_figures(request, membership, shown.made_at):
        return asked
    if not shown.is_current:
        ask_for_figures(membership.campaign)
    stamp = _stamp(shown)
    if is_htmx(request) and request.headers.get(_STAMP) == stamp:
        return HttpResponse(status=204)
    if shown.content is not None:
        context |= tables(membership.campaign, shown.content)
    page = {
        "membership": membership,
        "shown": shown,
        "figures": shown.content,
        "stamp": stamp,
        "leaves_out": leaves_out_votes(membership),
        "set_aside": set_aside_now(membership.campaign),
        "narrowing": narrowed.key if (narrowed := membership.campaign.narrowed_to) else "",
    }
    return render(request, f"agreement/{template or names}.html", page | context)


def _stamp(shown: Shown) -> str:
    """What stands for all that is shown: the figures, of when they are, and what went wrong."""
    parts = [shown.content, str(shown.made_at), shown.is_current, shown.error]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
