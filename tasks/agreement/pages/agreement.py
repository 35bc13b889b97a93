"""How far the raters agree: the report of the command, as a page."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.models import Campaign, Membership
from tasks.web.addresses import page_at
from tomahto.votes.questions import CHOSEN, NOT_CHOSEN, question_parts


@page_at("c/<slug:slug>/agreement/", name="agreement", calls=("api-agreement", "api-figures"))
@member_page(RESULTS)
def agreement(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    return dashboard_page(request, membership, "agreement", _tables)


class QuestionRow(NamedTuple):
    """Agreement on a question, or on one value of a question with several, as a row."""

    key: str
    wording: str
    counts: list[tuple[str, int]]
    agreement: Mapping[str, Any]


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
        rows.append(QuestionRow(name.upper(), wording, counts, agreement))
    return {"questions": rows}
