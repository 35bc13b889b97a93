"""What I have rated, to look up and to revise; and the guidelines I rate by."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import MEMBERS
from tasks.models import Guideline, Membership
from tasks.protocols.wording import worded
from tasks.rating.queries.time_spent import time_spent_by
from tasks.rating.shown.wording import wording_for
from tasks.votes.ratings import history_of, with_words
from tasks.web.addresses import Tab, page_at
from tasks.web.digits import row_number

PAGE_SIZE = 50
MAX_WORDS = 200


@page_at(
    "c/<slug:slug>/history/",
    name="history",
    calls=("api-history", "api-campaign"),
    tab=Tab(220, gettext_lazy("My ratings"), MEMBERS),
    help="rating.md#your-ratings",
)
@member_page(MEMBERS)
def history(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The member's ratings, newest first, by words and label, and the time they took."""
    words = request.GET.get("q", "").replace("\0", "").strip()[:MAX_WORDS]
    wording = wording_for(request, membership.campaign)
    protocol = worded(membership.campaign.annotation_protocol, wording)
    labels = {label.value: label for label in protocol.labels}
    label = request.GET.get("label", "")
    ratings = history_of(membership).filter(with_words(words))
    if label in labels:
        ratings = ratings.filter(outcome__label=label)
    page = Paginator(ratings, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "membership": membership,
        "page": page,
        "rows": [(rating, labels[rating.outcome.label]) for rating in page],
        "words": words,
        "labels": labels.values(),
        "label": label,
        "wording": wording,
        "protocol": protocol,
        "query": urlencode({"q": words, "label": label}) + "&",
        "time": time_spent_by(membership),
    }
    return render(request, "rating/history.html", context)


@page_at(
    "c/<slug:slug>/guidelines/",
    name="guidelines",
    calls=("api-guideline-in-force", "api-guidelines", "api-guideline"),
    tab=Tab(130, gettext_lazy("Guidelines"), MEMBERS),
    help="rating.md#guidelines",
)
@member_page(MEMBERS)
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The guidelines in force, or an older version."""
    versions = Guideline.objects.filter(campaign=membership.campaign).order_by("-version")
    wanted = row_number(request.GET.get("version", ""))
    older = None if wanted is None else versions.filter(version=wanted).first()
    context = {
        "membership": membership,
        "guideline": older or membership.campaign.guideline,
        "versions": versions,
    }
    return render(request, "rating/guidelines.html", context)
