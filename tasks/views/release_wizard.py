"""A new release: what is chosen, what would come of it, and the start of the job."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from exporters.datasheet import blanks_among
from exporters.errors import ReleaseError
from exporters.split_spec import SplitError
from exporters.versions import parse_version
from tasks.jobs import start_job
from tasks.models import Campaign, Job, JobKind, Membership, Release
from tasks.queries.datasheet import datasheet_answers
from tasks.queries.next_version import next_version
from tasks.release_forms import ReleaseDraftForm
from tasks.views.access import RESULTS, is_htmx, member_page
from tasks.views.errors import told_while_store_is_down
from tasks.views.release_figures import release_figures
from tasks.workflow.release_listing import ReleaseRefused
from tasks.workflow.release_preview import (
    LIVE_PREVIEW,
    figures_of,
    is_live,
    latest_preview,
    preview,
    preview_parameters,
)

FINDINGS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known of a release that is not there yet.

    `figures` are those of exporters.preview, None where there are none: the draft is not well
    written, the release is refused for the reason that `refusal` gives, or a worker has to make
    the preview, whose `job` is then the latest that was asked for.
    """

    figures: dict[str, Any] | None = None
    refusal: str = ""
    is_live: bool = True
    job: Job | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told_while_store_is_down
@member_page(*RESULTS)
def new(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The draft of a release and its preview; `action` says what is to be done with the draft.

    `preview` shows what would come of it, `ask` has a worker find out, `build` starts the release.
    """
    campaign = membership.campaign
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
        _ask(membership, draft)
    return _page(request, membership, draft, _preview(campaign, draft))


def _build(
    request: HttpRequest, membership: Membership, draft: ReleaseDraftForm
) -> HttpResponseBase:
    """Start the release, unless it is known to fail."""
    campaign = membership.campaign
    _require_free_version(campaign, draft)
    found = _preview(campaign, draft)
    if found.figures and draft.is_valid():
        _require_honest_version(found.figures["step"], draft)
    if found.refusal or not draft.is_valid():
        return _page(request, membership, draft, found)
    started = start_job(
        campaign=campaign,
        kind=JobKind.RELEASE,
        parameters=draft.plan().as_json(),
        created_by=membership.user,
    )
    response = redirect("job", campaign.slug, started.pk)
    response.status_code = HTTPStatus.SEE_OTHER
    return response


def _require_free_version(campaign: Campaign, draft: ReleaseDraftForm) -> None:
    if not draft.is_valid():
        return
    version = draft.cleaned_data["version"]
    if Release.objects.filter(campaign=campaign, version=version).exists():
        text = _("There is a release of this version already, and releases never change.")
        draft.add_error("version", text)


def _require_honest_version(step: Mapping[str, Any], draft: ReleaseDraftForm) -> None:
    """A number above the newest one says what changed since; whether a lower one mends an older
    release, the job finds out."""
    if step["previous"] is None:
        return
    newest, least = parse_version(step["previous"]), parse_version(step["least"])
    if newest < parse_version(draft.cleaned_data["version"]) < least:
        text = _("This number says too little of what changed; the least honest one is %(least)s.")
        draft.add_error("version", text % {"least": step["least"]})


def _ask(membership: Membership, draft: ReleaseDraftForm) -> None:
    start_job(
        campaign=membership.campaign,
        kind=JobKind.PREVIEW,
        parameters=preview_parameters(draft.plan()),
        created_by=membership.user,
    )


def _preview(campaign: Campaign, draft: ReleaseDraftForm) -> Preview:
    """The preview of the draft, which gets the errors that only making it shows."""
    if not draft.is_valid():
        return Preview()
    plan = draft.plan()
    if not is_live(campaign):
        job = latest_preview(campaign, plan)
        return _judged(draft, Preview(figures_of(job) if job else None, is_live=False, job=job))
    try:
        return _judged(draft, Preview(preview(campaign=campaign, plan=plan)))
    except SplitError as error:
        draft.add_split_error(str(error))
        return Preview()
    except (ReleaseError, ReleaseRefused) as error:
        return Preview(refusal=str(error))


def _judged(draft: ReleaseDraftForm, found: Preview) -> Preview:
    """Personal data in comments is an error of the draft until somebody says why it may stay."""
    if found.figures and found.figures["findings"] and not draft.plan().personal_data_reason:
        draft.add_error(
            "personal_data_reason",
            _("Comments may hold personal data. Leave them out, or say why they may be released."),
        )
    return found


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
