"""A new release: what is chosen, what would come of it, the start of the job; and the datasheet of
a campaign's releases, which only its people can answer.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, is_htmx, member_page
from tasks.models import Campaign, DatasheetAnswer, Membership
from tasks.releases.datasheet_forms import DatasheetForm
from tasks.releases.draft import Preview, ask_for_preview, build, plan_of, previewed
from tasks.releases.forms import ReleaseDraftForm
from tasks.releases.pages.releases import release_figures
from tasks.releases.queries.changes import next_version
from tasks.releases.queries.datasheet import answers_in_force, datasheet_answers
from tasks.releases.workflow.datasheet import answer_datasheet
from tasks.releases.workflow.release import LIVE_PREVIEW
from tasks.votes.all_votes import votes_warning_page
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms, told_while_store_is_down
from tomahto.releases.documents.datasheet import QUESTIONS, Section, blanks_among

FINDINGS_SHOWN = 50


@page_at(
    "c/<slug:slug>/releases/new/",
    name="release-new",
    calls=("api-releases",),
    title=gettext_lazy("New release"),
    help="releases.md#in-the-browser",
)
@told_while_store_is_down
@member_page(RESULTS, BOTH, while_archived=True)
def new(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The draft of a release and its preview; `action` says what is to be done with the draft.

    `preview` shows what would come of it, `ask` has a worker find out, `build` starts the release.
    """
    campaign = membership.campaign
    if asked := votes_warning_page(request, membership):
        return asked
    if request.method != "POST":
        draft = ReleaseDraftForm(
            campaign=campaign,
            initial={"version": next_version(campaign), "seed": campaign.seed},
        )
        return _page(request, membership, draft, None)
    draft, action = ReleaseDraftForm(request.POST, campaign=campaign), request.POST.get("action")
    if not draft.is_valid():
        return _page(request, membership, draft, Preview())
    plan = plan_of(draft.cleaned_data)
    if action == "ask":
        ask_for_preview(plan, membership)
    found = build(plan, membership) if action == "build" else previewed(campaign, plan)
    if not isinstance(found, Preview):
        job = reverse("job", args=[campaign.slug, found.pk])
        return HttpResponseRedirect(f"{job}?open", status=HTTPStatus.SEE_OTHER)
    draft.add_errors(found.errors)
    return _page(request, membership, draft, found)


def _page(
    request: HttpRequest, membership: Membership, draft: ReleaseDraftForm, found: Preview | None
) -> HttpResponseBase:
    is_fragment = is_htmx(request)
    context = {
        "membership": membership,
        "form": draft,
        "preview": found,
        "live_preview": LIVE_PREVIEW,
        "open_questions": len(blanks_among(datasheet_answers(membership.campaign))),
        "is_fragment": is_fragment,
        **_preview_context(membership.campaign, found),
    }
    template = "releases/preview.html" if is_fragment else "releases/new.html"
    is_refused = request.POST.get("action") == "build"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, template, context, status=status)


def _preview_context(campaign: Campaign, found: Preview | None) -> dict[str, Any]:
    if found is None or found.figures is None:
        return {}
    figures = found.figures
    tables = release_figures(
        campaign, figures["agreement"], figures["statistics"], figures["splits"]
    )
    return {
        **tables,
        "findings": figures["findings"][:FINDINGS_SHOWN],
        "more_findings": max(0, len(figures["findings"]) - FINDINGS_SHOWN),
    }


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
