"""Adjudication at a glance: what waits and why, what is decided, how far adjudicators agree."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import member_page
from tasks.adjudication.queries.decisions import (
    adjudication_report_of,
    current_adjudications,
    decisions_open_to,
)
from tasks.adjudication.queries.queue import Queue, Reason, Shelf, shelves_of
from tasks.models import Membership
from tasks.rating.shown.answers import shown_answer
from tasks.web.addresses import Tab, page_at
from tomahto.votes.majority import LOW_CONFIDENCE

PAGE_SIZE = 25
SHOWN = (Shelf.WAITING, Shelf.UNFINISHED, Shelf.SECOND, Shelf.LEFT)


@page_at(
    "c/<slug:slug>/adjudicate/",
    name="adjudicate",
    calls=("api-adjudication-agreement",),
    tab=Tab(230, gettext_lazy("Adjudicate"), RESULTS),
    help="adjudication.md",
)
@member_page(RESULTS)
def overview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The queue, most valuable first: one shelf of it, for one reason if one is chosen."""
    shelves = shelves_of(membership)
    wanted, why = request.GET.get("show", ""), request.GET.get("reason", "")
    shelf = Shelf(wanted) if wanted in SHOWN else Shelf.WAITING
    reason = Reason(why) if why in Reason.values else None
    queue = Queue(membership, shelf, reason, shelves[shelf].number(reason))
    context = {
        "membership": membership,
        "page": Paginator(queue, PAGE_SIZE).get_page(request.GET.get("page")),
        "query": urlencode({"show": shelf.value, "reason": reason.value if reason else ""}) + "&",
        "shelf": shelf,
        "reason": reason,
        "waiting": shelves[Shelf.WAITING].items,
        "own": shelves[Shelf.OWN].items,
        "reasons": [(each, shelves[shelf].reasons[each]) for each in Reason],
        "shelves": [(each, shelves[each].items) for each in SHOWN],
        "low_confidence": LOW_CONFIDENCE,
        "report": adjudication_report_of(membership.campaign),
    }
    return render(request, "adjudication/overview.html", context)


@page_at(
    "c/<slug:slug>/adjudicate/decided/",
    name="adjudicate-decided",
    calls=("api-adjudications",),
    title=gettext_lazy("Decided items"),
)
@member_page(RESULTS)
def decided(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Who decided what and why, newest first; without what the member should judge unseen."""
    campaign = membership.campaign
    decisions = decisions_open_to(membership)
    page = Paginator(decisions, PAGE_SIZE).get_page(request.GET.get("page"))
    protocol = campaign.annotation_protocol
    context = {
        "membership": membership,
        "page": page,
        "rows": [(each, shown_answer(each.outcome, protocol)) for each in page],
        "hidden": current_adjudications(campaign).count() - page.paginator.count,
        "query": "",
    }
    return render(request, "adjudication/decided.html", context)
