"""Pages and files that come of everybody's votes: asked for by those who could still judge them."""

from datetime import datetime
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from tasks.access.guards.pages import is_htmx
from tasks.models import Membership
from tasks.votes.blindness import leaves_out_votes, would_unblind
from tasks.votes.workflow.seen_votes import show_all_votes

SEEN = "seen"  # ?votes=seen says that they want to see them
ASKED = "asked"  # ?votes=asked that they want to know what it costs


def asks_first(
    request: HttpRequest, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """The page that says what it costs the member to see all votes that there were at that
    moment, by default now; None if they said yes, or have nothing to lose. That is noted then."""
    if not _is_sure(request) and would_unblind(membership, until):
        return _question(request, membership)
    if request.method != "HEAD":
        show_all_votes(member=membership, until=until)
    return None


def asks_before_figures(
    request: HttpRequest, membership: Membership, made_at: datetime | None = None
) -> HttpResponseBase | None:
    """As `asks_first`, for figures of the whole campaign: of who rates alone, and noted alone if
    they said yes.

    `made_at` is None for figures of this moment: they leave out what their reader may still rate.
    """
    if _is_sure(request):
        show_all_votes(member=membership, until=made_at)
        return redirect(_without_votes(request))
    is_asked = request.GET.get("votes") == ASKED
    if is_asked or (made_at and leaves_out_votes(membership, made_at)):
        return _question(request, membership)
    return None


def asks_at(
    page: str, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """To the question on the page of this name, which calls `asks_before_figures`, of who rates:
    before a form makes something of the votes there were at that moment, by default now."""
    if not leaves_out_votes(membership, until):
        return None
    return redirect(f"{reverse(page, args=[membership.campaign.slug])}?votes={ASKED}")


def _is_sure(request: HttpRequest) -> bool:
    return request.GET.get("votes") == SEEN


def _without_votes(request: HttpRequest) -> str:
    """The address that is asked for, without what it says of votes."""
    asked = request.GET.copy()
    asked.pop("votes", None)
    return f"{request.path}?{asked.urlencode()}" if asked else request.path


def _question(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    if is_htmx(request):  # a part of a page, which asks anew as a whole
        return HttpResponse(headers={"HX-Redirect": _without_votes(request)})
    given = [(name, value) for name, value in request.GET.items() if name != "votes"]
    is_undone = request.method == "POST"
    context = {"membership": membership, "given": given, "seen": SEEN, "is_undone": is_undone}
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.CONFLICT
    return render(request, "rating/all_votes.html", context, status=status)
