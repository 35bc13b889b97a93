"""What I have rated, to look up and to revise; and the guidelines I rate by."""

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.models import Guideline, Membership
from tasks.queries.ratings import history_of
from tasks.views.access import member_page

PAGE_SIZE = 25


@require_safe
@member_page()
def history(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The member's ratings, newest first, 25 on a page, found by words of the item or comment."""
    ratings = history_of(membership)
    words = request.GET.get("q", "").strip()[:200]
    for word in words.split():
        ratings = ratings.filter(
            Q(item__question__text__icontains=word)
            | Q(item__candidate__icontains=word)
            | Q(comment__icontains=word)
        )
    page = Paginator(ratings, PAGE_SIZE).get_page(request.GET.get("page"))
    labels = {label.value: label for label in membership.campaign.annotation_protocol.labels}
    context = {
        "membership": membership,
        "page": page,
        "rows": [(rating, labels[rating.outcome.label]) for rating in page],
        "words": words,
    }
    return render(request, "campaign/history.html", context)


@require_safe
@member_page()
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The guidelines in force, or an older version."""
    versions = Guideline.objects.filter(campaign=membership.campaign).order_by("-version")
    wanted = request.GET.get("version", "")
    older = versions.filter(version=int(wanted)).first() if wanted.isdecimal() else None
    context = {
        "membership": membership,
        "guideline": older or membership.campaign.guideline,
        "versions": versions,
    }
    return render(request, "campaign/guidelines.html", context)
