"""A new release: what is chosen, what would come of it, and the start of the job."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, is_htmx, member_page
from tasks.access.guards.roles import RESULTS
from tasks.models import Campaign, Membership
from tasks.releases.draft import Preview, ask_for_preview, build, previewed
from tasks.releases.forms import ReleaseDraftForm
from tasks.releases.pages.figures import release_figures
from tasks.releases.queries.datasheet import datasheet_answers
from tasks.releases.queries.next_version import next_version
from tasks.releases.workflow.preview import LIVE_PREVIEW
from tasks.votes.all_votes import asks_first
from tasks.web.addresses import page_at
from tasks.web.error_pages import told_while_store_is_down
from tomahto.releases.documents.datasheet import blanks_among

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
    if asked := asks_first(request, membership):
        return asked
    if request.method != "POST":
        draft = ReleaseDraftForm(
            campaign=campaign,
            initial={"version": next_version(campaign), "seed": campaign.seed},
        )
        return _page(request, membership, draft, None)
    draft = ReleaseDraftForm(request.POST, campaign=campaign)
    if request.POST.get("action") == "build":
        return _build(request, membership, draft)
    if request.POST.get("action") == "ask" and draft.is_valid():
        ask_for_preview(draft, membership)
    return _page(request, membership, draft, previewed(campaign, draft))


def _build(
    request: HttpRequest, membership: Membership, draft: ReleaseDraftForm
) -> HttpResponseBase:
    built = build(draft, membership)
    if isinstance(built, Preview):
        return _page(request, membership, draft, built)
    job = reverse("job", args=[membership.campaign.slug, built.pk])
    return HttpResponseRedirect(f"{job}?open", status=HTTPStatus.SEE_OTHER)


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
        **_shown(membership.campaign, found),
    }
    template = "releases/preview.html" if is_fragment else "releases/new.html"
    is_refused = request.POST.get("action") == "build"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, template, context, status=status)


def _shown(campaign: Campaign, found: Preview | None) -> dict[str, Any]:
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
