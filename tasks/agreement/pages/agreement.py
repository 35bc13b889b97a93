"""The raters' agreement, the causes that hold it down, and the labels that are confused."""

from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import WRITE, member_page
from tasks.agreement.findings import alpha_rule
from tasks.agreement.forms import GoalForm, NarrowingForm
from tasks.agreement.pages.dashboards import ROW, dashboard_page
from tasks.agreement.pages.findings import (
    Finding,
    Sentences,
    findings_of,
    p_value,
    words_about_raters,
)
from tasks.agreement.shown.agreement_pictures import agreement_pictures
from tasks.agreement.shown.labels import heat_rows, items_with_both
from tasks.agreement.shown.pictured import PageFigures
from tasks.agreement.shown.verdict import verdict_of
from tasks.agreement.workflow.alerts import set_goal
from tasks.handbook.queries.terms import TERMS
from tasks.models import Campaign, Membership
from tasks.people.queries import names_of_raters
from tasks.votes.blindness import known_looks
from tasks.web.addresses import Tab, page_at
from tasks.web.number_texts import percent
from tomahto.reliability.statistics import on_pages
from tomahto.votes.scheme import CHOSEN, NOT_CHOSEN, Level, question_parts

FIGURES = ("agreement", "alpha", "classes", "raters", "time")


@page_at(
    "c/<slug:slug>/agreement/",
    name="agreement",
    calls=("api-agreement", "api-figures"),
    tab=Tab(gettext_lazy("Agreement"), RESULTS),
    help="dashboards.md#agreement",
)
@member_page(RESULTS)
def agreement(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Of all ratings, or of those that the address asks for."""
    campaign = membership.campaign
    form = NarrowingForm(campaign, request.GET)
    campaign.narrowed_to = form.narrowing
    rule = alpha_rule(campaign)
    goal = rule.threshold
    words = words_about_raters(findings_of(known_looks(campaign), lambda _: iter(())).latest)

    def tables(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
        shown = PageFigures(
            campaign=campaign,
            figures=figures,
            names=names_of_raters(membership),
            goal=goal,
            events=[
                (localtime(each.created_at).date(), _("guidelines %(n)d") % {"n": each.version})
                for each in campaign.guidelines.filter(version__gt=1)
            ],
            words=words,
        )
        return {
            "verdict": verdict_of(campaign, figures, goal, shown.name_of),
            "pictures": agreement_pictures(shown),
            **_statistics(campaign, figures["agreement"]),
        }

    return dashboard_page(
        request,
        membership,
        FIGURES,
        tables,
        template="agreement",
        filters=form,
        goal_form=GoalForm(initial={"goal": goal}),
        is_watched=rule.is_active,
    )


@page_at("c/<slug:slug>/agreement/goal/", name="agreement-goal", calls=("api-alert-rules",))
@member_page(ADMIN, WRITE)
def goal(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = GoalForm(request.POST)
    if form.is_valid():
        set_goal(campaign=membership.campaign, goal=form.cleaned_data["goal"])
        messages.success(request, _("The goal has been saved."))
    else:
        messages.error(request, _("Enter a goal from −1 to 1."))
    return redirect("agreement", membership.campaign.slug)


class Reading(NamedTuple):
    """A statistic's estimate, and in which sense it is meant where there are several."""

    name: str
    estimate: Mapping[str, Any]
    notation: str


class Tile(NamedTuple):
    """A statistic of the labels, or several readings of one; `term` explains it if there is one
    that no picture explains."""

    title: str
    explanation: str
    readings: list[Reading]
    term: str


class QuestionRow(NamedTuple):
    """Agreement on a question, or on one value of a question with several, as a row."""

    key: str
    wording: str
    counts: list[tuple[str, int]]
    several: int
    estimates: list[Reading]


def _statistics(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    protocol = campaign.annotation_protocol
    questions = {question.key: question for question in protocol.questions}
    rows = []
    for part in question_parts(protocol.question_schemes):
        question, agreement = questions[part.question], figures["questions"][part.key]
        titles = {choice.value: choice.title for choice in question.choices}
        if part.value is None:
            name, wording, answers = part.key, question.text, titles
        else:
            name, wording = "", titles[part.value]
            answers = {CHOSEN: _("Chosen"), NOT_CHOSEN: _("Not chosen")}
        counts = [(answers[value], number) for value, number in agreement["answers"].items()]
        estimates = [tile.readings[0] for tile in _tiles(agreement, "nominal")]
        several = agreement["alpha"]["n"]
        rows.append(QuestionRow(name.upper(), wording, counts, several, estimates))
    return {
        "tiles": _tiles(figures, figures["level"]),
        "question_heads": [tile.title for tile in _tiles(figures, "nominal")],
        "questions": rows,
    }


def _tiles(figures: Mapping[str, Any], level: Level) -> list[Tile]:
    return [
        Tile(
            _(several[0].title_at(level)),
            several[0].explanation and _(several[0].explanation),
            [
                Reading(
                    each.reading and _(each.reading),
                    figures[each.name],
                    "share" if each.is_share else "",
                )
                for each in several
            ],
            name if name in TERMS and name != "alpha" else "",
        )
        for several in on_pages()
        for name in [several[0].group or several[0].name]
    ]


MOST_FREQUENT = 10


@page_at(
    "c/<slug:slug>/agreement/classes/",
    name="classes",
    calls=("api-figures",),
    tab=Tab(gettext_lazy("Classes"), RESULTS, ROW),
    help="dashboards.md#classes",
)
@member_page(RESULTS)
def classes(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign = membership.campaign
    findings = findings_of(known_looks(campaign), _sentences(campaign))
    return dashboard_page(request, membership, "classes", _class_tables, findings=findings)


def _class_tables(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
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
                yield _confusion_finding(
                    campaign, [titles[label] for label in each["labels"]], each
                )

    return sentences


def _confusion_finding(campaign: Campaign, named: list[str], each: Mapping[str, Any]) -> Finding:
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
