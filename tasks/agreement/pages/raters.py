"""How each rater works: how much, how fast, how far in agreement with the rest."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.figures.disagreements import disagreements_of, other_labels
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.agreement.pages.findings import findings_of
from tasks.agreement.pages.rater_findings import sentences_about_raters, words_about_raters
from tasks.agreement.shown.heat_map import heat_rows
from tasks.models import Campaign, Membership
from tasks.people.queries.names import names_of_raters
from tasks.rating.shown.withheld import show_all
from tasks.votes.blindness import is_held_by, known_looks, votes_are_open_to
from tasks.web.addresses import Tab, page_at

PAGE_SIZE = 25


@page_at(
    "c/<slug:slug>/agreement/raters/",
    name="raters",
    calls=("api-figures",),
    tab=Tab(60, gettext_lazy("Raters"), RESULTS, under="agreement"),
    help="dashboards.md#raters",
)
@member_page(RESULTS)
def raters(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Every rater in a row, and what the looks found about them."""
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
    """One rater: agreement over time, confusion with the rest, and where they differ."""
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
    paginator = Paginator(everything.filter(votes_are_open_to(membership)), PAGE_SIZE)
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
