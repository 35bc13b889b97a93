"""Files and pages with everybody's votes: asked for once by those who could still judge blind."""

from datetime import datetime

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from tasks.models import Membership
from tasks.rating.workflow.seen_votes import show_all_votes
from tasks.votes.blindness import would_unblind

SEEN = "seen"  # ?votes=seen says that they want to see them


def asks_first(
    request: HttpRequest, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """The page that says what it costs the member to see all votes that there were at that
    moment, by default now; None if they said yes, or have nothing to lose. That is noted then."""
    is_sure = request.GET.get("votes") == SEEN
    if not is_sure and would_unblind(membership, until):
        given = [(name, value) for name, value in request.GET.items() if name != "votes"]
        context = {"membership": membership, "given": given, "seen": SEEN}
        return render(request, "rating/all_votes.html", context)
    if request.method == "GET":
        show_all_votes(member=membership, until=until)
    return None
