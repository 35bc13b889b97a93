"""How far the raters agree: the report of the command, as a page."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.handbook.queries.terms import TERMS
from tasks.models import Campaign, Membership
from tasks.web.addresses import Tab, page_at
from tomahto.reliability.statistics import on_pages
from tomahto.votes.questions import CHOSEN, NOT_CHOSEN, question_parts
from tomahto.votes.scheme import Level


@page_at(
    "c/<slug:slug>/agreement/",
    name="agreement",
    calls=("api-agreement", "api-figures"),
    tab=Tab(320, gettext_lazy("Agreement"), RESULTS),
    help="dashboards.md#agreement",
)
@member_page(RESULTS)
def agreement(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    return dashboard_page(request, membership, "agreement", _tables)


class Reading(NamedTuple):
    """A statistic's estimate, and in which sense it is meant where there are several."""

    name: str
    estimate: Mapping[str, Any]
    is_share: bool


class Tile(NamedTuple):
    """A statistic of the labels, or several readings of one; `term` explains it if there is one."""

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


def _tables(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
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
            name if name in TERMS else "",
        )
        for several in on_pages()
        for name in [several[0].group or several[0].name]
    ]
