"""Looking back: a rater's own ratings, the guidelines they rate by, and the flags that raters raise
beside an item and admins settle."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.pages import WRITE, is_htmx, member_page
from tasks.models import Guideline, Membership
from tasks.protocols.wording import worded
from tasks.rating.forms import FlagForm, SettlementForm
from tasks.rating.pages.rate import own_assignment
from tasks.rating.queries.own_work import flags_seen_by, open_flags, time_spent_by
from tasks.rating.shown.answers import wording_for
from tasks.rating.shown.passage import shown_passage
from tasks.rating.shown.reading import shown_references
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.talk.workflow import TooManyMessages
from tasks.votes.ratings import history_of, with_words
from tasks.web.addresses import Tab, page_at
from tasks.web.page import row_number

PAGE_SIZE = 50

MAX_WORDS = 200


@page_at(
    "c/<slug:slug>/history/",
    name="history",
    calls=("api-history", "api-campaign"),
    tab=Tab(gettext_lazy("My ratings"), MEMBERS),
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
    tab=Tab(gettext_lazy("Guidelines"), MEMBERS),
    help="rating.md#guidelines",
)
@member_page(MEMBERS)
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    versions = Guideline.objects.filter(campaign=membership.campaign).order_by("-version")
    wanted = row_number(request.GET.get("version", ""))
    older = None if wanted is None else versions.filter(version=wanted).first()
    context = {
        "membership": membership,
        "guideline": older or membership.campaign.guideline,
        "versions": versions,
    }
    return render(request, "rating/guidelines.html", context)


@page_at(
    "c/<slug:slug>/rate/<int:assignment_id>/flag/",
    name="flag",
    calls=("api-flag", "api-assignment"),
)
@member_page(MEMBERS, WRITE)
def raise_(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponseBase:
    """Flag the item of an assignment. The form beside it stays as it is."""
    assignment = own_assignment(membership, assignment_id)
    form = FlagForm(request.POST)
    context: dict[str, object] = {"membership": membership, "assignment_id": assignment_id}
    if not form.is_valid():
        context["trouble"] = _("Tell the admins in a few words what to look at.")
    else:
        try:
            context["flag"] = raise_flag(assignment=assignment, reason=form.cleaned_data["reason"])
        except TooManyMessages:
            context["trouble"] = _("You have sent many messages in the last hour. Wait a while.")
    if is_htmx(request):
        status = HTTPStatus.UNPROCESSABLE_ENTITY if "trouble" in context else HTTPStatus.OK
        return render(request, "rating/flag.html", context, status=status)
    if "trouble" in context:
        messages.error(request, str(context["trouble"]))
    return redirect("rate-assignment", membership.campaign.slug, assignment_id)


@page_at(
    "c/<slug:slug>/flags/",
    name="flags",
    calls=("api-flags",),
    tab=Tab(gettext_lazy("Flags"), ADMIN, waiting=open_flags, what=gettext_lazy("to settle")),
    help="rating.md#flags",
)
@member_page(ADMIN)
def flags(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The flags of the campaign, open ones first, 50 on a page."""
    page = Paginator(flags_seen_by(membership), PAGE_SIZE).get_page(request.GET.get("page"))
    campaign = membership.campaign
    flags = [
        (flag, shown_references(flag.item.references), shown_passage(flag.item, campaign))
        for flag in page
    ]
    context = {"membership": membership, "page": page, "flags": flags}
    return render(request, "rating/flags.html", context)


@page_at("c/<slug:slug>/flags/<int:flag_id>/", name="flag-settle", calls=("api-flag-settle",))
@member_page(ADMIN, WRITE)
def settle(request: HttpRequest, membership: Membership, flag_id: int) -> HttpResponseBase:
    flag = get_object_or_404(flags_seen_by(membership), pk=flag_id)
    form = SettlementForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Describe in a few words how the flag was settled."))
    elif settle_flag(flag=flag, by=membership, settlement=form.cleaned_data["settlement"]):
        messages.success(request, _("The flag has been settled."))
    else:
        messages.error(request, _("The flag had already been settled."))
    return redirect("flags", membership.campaign.slug)
