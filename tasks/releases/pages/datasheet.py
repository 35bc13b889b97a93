"""The datasheet of a campaign's releases: what only its people can answer."""

from dataclasses import dataclass

from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import RESULTS
from tasks.models import DatasheetAnswer, Membership
from tasks.releases.datasheet_forms import DatasheetForm
from tasks.releases.queries.datasheet import answers_in_force
from tasks.releases.workflow.datasheet import answer_datasheet
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms
from tomahto.releases.documents.datasheet_questions import QUESTIONS, Section

# the sections in which anything is asked
_SECTIONS: dict[Section, Promise] = {
    "Motivation": gettext_lazy("Motivation"),
    "Composition": gettext_lazy("Composition"),
    "Collection process": gettext_lazy("Collection process"),
    "Labelling": gettext_lazy("Labelling"),
    "Uses": pgettext_lazy("datasheet", "Uses"),
    "Maintenance": gettext_lazy("Maintenance"),
}


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question on the page, and who answered it last."""

    field: BoundField
    answer: DatasheetAnswer | None


@page_at(
    "c/<slug:slug>/releases/datasheet/",
    name="datasheet",
    calls=("api-datasheet",),
    title=gettext_lazy("Datasheet"),
    help="releases.md#datasheet",
)
@member_page(RESULTS, BOTH)
def datasheet(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    answers = answers_in_force(membership.campaign)
    texts = {key: answer.text for key, answer in answers.items()}
    form = DatasheetForm(request.POST if request.method == "POST" else None, initial=texts)
    if form.is_valid():
        answer_datasheet(
            campaign=membership.campaign, answers=form.changes(), written_by=membership.user
        )
        messages.success(request, _("The datasheet has been saved."))
        return redirect("datasheet", membership.campaign.slug)
    context = {
        "membership": membership,
        "form": form,
        "sections": _sections(form, answers),
        "blanks": sum(not texts.get(question.key) for question in QUESTIONS),
    }
    return page_with_forms(request, "releases/datasheet.html", context)


def _sections(
    form: DatasheetForm, answers: dict[str, DatasheetAnswer]
) -> list[tuple[Promise, list[AskedQuestion]]]:
    return [
        (
            title,
            [
                AskedQuestion(form[question.key], answers.get(question.key))
                for question in QUESTIONS
                if question.section == section
            ],
        )
        for section, title in _SECTIONS.items()
    ]
