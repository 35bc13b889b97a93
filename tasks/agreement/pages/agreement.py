"""How far the raters agree, and what holds them apart: pictures first, tables behind them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.agreement.alert_forms import GoalForm
from tasks.agreement.figure_forms import NarrowingForm
from tasks.agreement.findings.alert_rules import alpha_rule
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.agreement.pages.findings import findings_of
from tasks.agreement.pages.rater_findings import words_about_raters
from tasks.agreement.shown.agreement_pictures import agreement_pictures
from tasks.agreement.shown.pictured import PageFigures
from tasks.agreement.shown.verdict import verdict_of
from tasks.agreement.workflow.alerts import set_goal
from tasks.handbook.queries.terms import TERMS
from tasks.models import Campaign, Membership
from tasks.people.queries.names import names_of_raters
from tasks.votes.blindness import known_looks
from tasks.web.addresses import Tab, page_at
from tomahto.reliability.statistics import on_pages
from tomahto.votes.questions import CHOSEN, NOT_CHOSEN, question_parts
from tomahto.votes.scheme import Level

FIGURES = ("agreement", "alpha", "classes", "raters", "time")


@page_at(
    "c/<slug:slug>/agreement/",
    name="agreement",
    calls=("api-agreement", "api-figures"),
    tab=Tab(320, gettext_lazy("Agreement"), RESULTS),
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
    """Set the goal for alpha, below which an alert is raised."""
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
    is_share: bool


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
    """Every statistic of all labels as tiles, and of each question as a row."""
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
                Reading(each.reading and _(each.reading), figures[each.name], each.is_share)
                for each in several
            ],
            name if name in TERMS and name != "alpha" else "",
        )
        for several in on_pages()
        for name in [several[0].group or several[0].name]
    ]
