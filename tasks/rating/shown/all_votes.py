"""Files and pages with everybody's votes: asked for once by those who could still judge blind."""

from datetime import datetime

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from tasks.models import Membership
from tasks.rating.shown.all_votes_asked import SEEN, wants_all_votes
from tasks.rating.workflow.seen_votes import show_all_votes
from tasks.votes.blindness import would_unblind


def asks_first(
    request: HttpRequest, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """The page that says what it costs the member to see all votes that there were at that
    moment, by default now; None if they said yes, or have nothing to lose. That is noted then."""
    if not wants_all_votes(request) and would_unblind(membership, until):
        given = [(name, value) for name, value in request.GET.items() if name != "votes"]
        context = {"membership": membership, "given": given, "seen": SEEN}
        return render(request, "rating/all_votes.html", context)
    if request.method == "GET":
        show_all_votes(member=membership, until=until)
    return None
