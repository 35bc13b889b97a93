"""Which labels are confused: between raters, and between raters and suggestions."""

from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.agreement.pages.findings import Finding, Sentences, findings_of, p_value
from tasks.agreement.shown.heat_map import heat_rows
from tasks.agreement.shown.items_address import items_with_both
from tasks.models import Campaign, Membership
from tasks.votes.blindness import known_looks
from tasks.web.addresses import Tab, page_at
from tasks.web.number_texts import percent

MOST_FREQUENT = 10


@page_at(
    "c/<slug:slug>/agreement/classes/",
    name="classes",
    calls=("api-figures",),
    tab=Tab(70, gettext_lazy("Classes"), RESULTS, under="agreement"),
    help="dashboards.md#classes",
)
@member_page(RESULTS)
def classes(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Disagreement by label and by pair of labels, and labels against suggestions."""
    campaign = membership.campaign
    findings = findings_of(known_looks(campaign), _sentences(campaign))
    return dashboard_page(request, membership, "classes", _tables, findings=findings)


def _tables(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    titles, order = campaign.annotation_protocol.titles, figures["order"]
    ordered = [titles[label] for label in order]
    suggestions = figures["suggestions"]
    classes = suggestions["classes"]
    addresses = [
        ["" if one == other else items_with_both(campaign, one, other) for other in order]
        for one in order
    ]
    return {
        "labels": [each | {"title": titles[each["label"]]} for each in figures["labels"]],
        "coincidences": heat_rows(ordered, figures["coincidences"], addresses),
        "pairs": list(islice(_pairs(campaign, figures), MOST_FREQUENT)),
        "suggested": list(zip(ordered, suggestions["labels"], strict=True)),
        "suggested_classes": (
            heat_rows(ordered, classes["table"]) if classes and classes["table"] else []
        ),
    }


def _pairs(campaign: Campaign, figures: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Pairs of labels that meet on an item, most frequent first, with their part of all pairs."""
    titles = campaign.annotation_protocol.titles
    order, table = figures["order"], figures["coincidences"]
    total = sum(map(sum, table))
    places = combinations(range(len(order)), 2)
    for one, other in sorted(places, key=lambda pair: -table[pair[0]][pair[1]]):
        if table[one][other]:
            yield {
                "titles": (titles[order[one]], titles[order[other]]),
                "share": 2 * table[one][other] / total,
                "address": items_with_both(campaign, order[one], order[other]),
            }


def _sentences(campaign: Campaign) -> Sentences:
    """Labels and pairs of labels that are confused more than their frequency explains."""
    titles = campaign.annotation_protocol.titles

    def sentences(findings: Mapping[str, Any]) -> Iterator[Finding]:
        found = findings.get("confusions", {})
        for each in (*found.get("pairs", []), *found.get("labels", [])):
            if each["is_confused"]:
                yield _told(campaign, [titles[label] for label in each["labels"]], each)

    return sentences


def _told(campaign: Campaign, named: list[str], each: Mapping[str, Any]) -> Finding:
    facts = {
        "first": named[0],
        "second": named[-1],
        "observed": percent(each["observed"], 1),
        "expected": percent(each["expected"], 1),
        "p": p_value(each["p_value"]),
    }
    if len(named) == 1:
        text = _(
            "If one vote is “%(first)s”, another differs in %(observed)s of cases; by the label’s "
            "frequency alone, %(expected)s would be expected (p %(p)s)."
        )
        return Finding(text % facts, reverse("classes", args=[campaign.slug]) + "#labels")
    text = _(
        "“%(first)s” and “%(second)s” are confused: they make up %(observed)s of all pairs of "
        "votes; by their frequency alone, %(expected)s would be expected (p %(p)s)."
    )
    return Finding(text % facts, items_with_both(campaign, *each["labels"]))
