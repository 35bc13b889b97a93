"""The work of each rater, and setting their ratings aside."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.agreement.figures.raters_figures import disagreements_of, other_labels
from tasks.agreement.forms import SetAsideForm
from tasks.agreement.pages.dashboards import ROW, dashboard_page
from tasks.agreement.pages.findings import findings_of, sentences_about_raters, words_about_raters
from tasks.agreement.shown.labels import heat_rows
from tasks.models import Campaign, Membership
from tasks.people.queries import names_of_raters
from tasks.storing.refusals import InTheWay
from tasks.votes.all_votes import show_all
from tasks.votes.blindness import is_held_by, known_looks, votes_are_open_to
from tasks.votes.ratings import concerned, items_rated_since, ratings_to_set_aside, set_asides_of
from tasks.votes.workflow import NothingToSetAside, SetAsideUndone, set_aside, undo_set_aside
from tasks.web.addresses import Tab, page_at

DISAGREEMENTS_ON_PAGE = 25


@page_at(
    "c/<slug:slug>/agreement/raters/",
    name="raters",
    calls=("api-figures",),
    tab=Tab(gettext_lazy("Raters"), RESULTS, ROW),
    help="dashboards.md#raters",
)
@member_page(RESULTS)
def raters(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign, names = membership.campaign, names_of_raters(membership)
    findings = findings_of(known_looks(campaign), sentences_about_raters(campaign, names))
    words = words_about_raters(findings.latest)

    def tables(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "rows": [
                _row(each, names) | {"words": words.get(each["rater"], [])}
                for each in figures["raters"]
            ],
            "is_ordinal": campaign.annotation_protocol.level != "nominal",
        }

    return dashboard_page(request, membership, "raters", tables, findings=findings)


@page_at(
    "c/<slug:slug>/agreement/raters/<text:pseudonym>/",
    name="rater",
    calls=("api-figures", "api-ratings"),
)
@member_page(RESULTS, BOTH, while_archived=True)
def rater(request: HttpRequest, membership: Membership, pseudonym: str) -> HttpResponseBase:
    campaign, names = membership.campaign, names_of_raters(membership)
    found = get_object_or_404(Membership, campaign=campaign, pseudonym=pseudonym)
    if request.method == "POST":
        items = disagreements_of(campaign, found.pk).values_list("item", flat=True)
        return show_all(request, membership, list(items))
    looks = known_looks(campaign)

    def sentences(findings: Mapping[str, Any]) -> Any:
        own = {
            test: {"raters": [one for one in told.get("raters", []) if one["rater"] == pseudonym]}
            for test, told in findings.items()
        }
        return sentences_about_raters(campaign, names)(own)

    def tables(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
        own = next((one for one in figures["raters"] if one["rater"] == pseudonym), None)
        if own is None:  # newer than the figures
            return {"row": None}
        titles = campaign.annotation_protocol.titles
        ordered = [titles[label] for label in figures["labels"]]
        return {
            "row": _row(own, names),
            "confusion": heat_rows(ordered, own["confusion"]) if own["confusion"] else [],
        }

    return dashboard_page(
        request,
        membership,
        "raters",
        tables,
        template="rater",
        findings=findings_of(looks, sentences),
        rater=found,
        shown_name=names[pseudonym],
        **_disagreements(request, membership, found),
    )


def _row(figures: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    moment = figures["last_rated_at"]
    return {
        **figures,
        "name": names.get(figures["rater"], figures["rater"]),
        "last_rated_at": moment and datetime.fromisoformat(moment),
    }


def _disagreements(
    request: HttpRequest, membership: Membership, found: Membership
) -> dict[str, Any]:
    """The rater's votes that others contradict, a page of them at a time."""
    campaign = membership.campaign
    everything = disagreements_of(campaign, found.pk).exclude(is_held_by(membership))
    paginator = Paginator(everything.filter(votes_are_open_to(membership)), DISAGREEMENTS_ON_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    others = other_labels(campaign, [rating.item_id for rating in page], found.pk)
    titles = campaign.annotation_protocol.titles
    return {
        "page": page,
        "withheld": everything.count() - paginator.count,
        "differing": [
            (
                rating,
                titles[rating.outcome.label],
                [(titles[label], votes) for label, votes in others[rating.item_id].items()],
            )
            for rating in page
        ],
    }


ACTS_ON_PAGE = 50


@page_at(
    "c/<slug:slug>/agreement/set-aside/",
    name="set-asides",
    calls=("api-set-asides",),
    tab="raters",
    title=gettext_lazy("Ratings set aside"),
    help="dashboards.md#ratings-set-aside",
)
@member_page(RESULTS)
def set_asides(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Every act, newest first; for admins with what undoing it would mean."""
    page = Paginator(set_asides_of(membership.campaign), ACTS_ON_PAGE).get_page(
        request.GET.get("page")
    )
    names = names_of_raters(membership)
    context = {
        "membership": membership,
        "page": page,
        "acts": [
            (act, names[act.rater.pseudonym], 0 if act.undone_at else items_rated_since(act))
            for act in page
        ],
    }
    return render(request, "agreement/set_asides.html", context)


@page_at(
    "c/<slug:slug>/agreement/raters/<text:pseudonym>/set-aside/",
    name="set-aside",
    calls=("api-set-aside",),
    tab="raters",
    help="dashboards.md#ratings-set-aside",
)
@member_page(ADMIN, BOTH)
def set_ratings_aside(
    request: HttpRequest, membership: Membership, pseudonym: str
) -> HttpResponseBase:
    """A preview of what would be set aside; with `confirm`, set it aside."""
    rater = get_object_or_404(Membership, campaign=membership.campaign, pseudonym=pseudonym)
    form = SetAsideForm(request.POST if request.method == "POST" else None)
    is_valid = form.is_bound and form.is_valid()
    asked: dict[str, Any] = form.cleaned_data if form.is_bound else {}
    context: dict[str, Any] = {"membership": membership, "rater": rater, "form": form}
    if is_valid and "confirm" in request.POST:
        try:
            set_aside(rater=rater, by=membership, **asked)
        except (NothingToSetAside, InTheWay) as refusal:
            context["is_in_the_way"] = isinstance(refusal, InTheWay)
        else:
            messages.success(request, _("The ratings are set aside. Others get their places."))
            return redirect("set-asides", membership.campaign.slug)
    context |= {
        "concerned": concerned(ratings_to_set_aside(rater, since=asked.get("since"))),
        "is_previewed": is_valid,
        "shown_name": names_of_raters(membership)[pseudonym],
    }
    return render(request, "agreement/set_aside.html", context, status=_status(form, context))


@page_at(
    "c/<slug:slug>/agreement/set-aside/<int:set_aside_id>/undo/",
    name="set-aside-undo",
    calls=("api-set-aside-undo",),
)
@member_page(ADMIN, WRITE)
def undo(request: HttpRequest, membership: Membership, set_aside_id: int) -> HttpResponseBase:
    act = get_object_or_404(set_asides_of(membership.campaign), pk=set_aside_id)
    try:
        undo_set_aside(act=act, by=membership)
    except SetAsideUndone:
        messages.error(request, _("That had been undone before."))
    except InTheWay:
        messages.error(request, _("Others are working on these items right now. Try again."))
    else:
        messages.success(request, _("The ratings count again."))
    return redirect("set-asides", membership.campaign.slug)


def _status(form: SetAsideForm, context: dict[str, Any]) -> HTTPStatus:
    if "is_in_the_way" in context:
        return HTTPStatus.CONFLICT
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
