"""A release that people are about to make: what would come of it, and the start of the job.

The one way of page and API from a draft to a job.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, Job, JobKind, Membership, Release
from tasks.releases.forms import ReleaseDraftForm
from tasks.releases.workflow.listing import ReleaseRefused
from tasks.releases.workflow.release import (
    figures_of,
    is_live,
    latest_preview,
    preview,
    preview_parameters,
)
from tomahto.releases.dataset.choices import SplitError
from tomahto.releases.records.fields import ReleaseError, parse_version


@dataclass(frozen=True, slots=True)
class Preview:
    """What is known of a release that is not there yet.

    `figures` are those of `release_preview`, None where there are none: the draft is not well
    written, the release is refused for the reason that `refusal` gives, or a worker has to make
    the preview, whose `job` is then the latest that was asked for.
    """

    figures: dict[str, Any] | None = None
    refusal: str = ""
    is_live: bool = True
    job: Job | None = None


def previewed(campaign: Campaign, draft: ReleaseDraftForm) -> Preview:
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


def ask_for_preview(draft: ReleaseDraftForm, by: Membership) -> Job:
    """Have a worker find out what would come of a draft that is valid."""
    return start_job(
        campaign=by.campaign,
        kind=JobKind.PREVIEW,
        parameters=preview_parameters(draft.plan()),
        created_by=by.user,
    )


def build(draft: ReleaseDraftForm, by: Membership) -> Job | Preview:
    """Start the release, unless it is known to fail: then what is known of it.

    The draft has the errors, unless the preview has a refusal.
    """
    campaign = by.campaign
    _require_free_version(campaign, draft)
    found = previewed(campaign, draft)
    if found.figures and draft.is_valid():
        _require_honest_version(found.figures["step"], draft)
    if found.refusal or not draft.is_valid():
        return found
    return start_job(
        campaign=campaign,
        kind=JobKind.RELEASE,
        parameters=draft.plan().as_json(),
        created_by=by.user,
    )


def _require_free_version(campaign: Campaign, draft: ReleaseDraftForm) -> None:
    if not draft.is_valid():
        return
    version = draft.cleaned_data["version"]
    if Release.objects.filter(campaign=campaign, version=version).exists():
        text = _("A release with this version already exists, and releases never change.")
        draft.add_error("version", text)


def _require_honest_version(step: Mapping[str, Any], draft: ReleaseDraftForm) -> None:
    """A number above the newest one says what changed since; whether a lower one mends an older
    release, the job finds out."""
    if step["previous"] is None:
        return
    newest, least = parse_version(step["previous"]), parse_version(step["least"])
    if newest < parse_version(draft.cleaned_data["version"]) < least:
        text = _("The changes since the last release ask for at least version %(least)s.")
        draft.add_error("version", text % {"least": step["least"]})


def _judged(draft: ReleaseDraftForm, found: Preview) -> Preview:
    """Personal data in comments is an error of the draft until somebody says why it may stay."""
    if found.figures and found.figures["findings"] and not draft.plan().personal_data_reason:
        draft.add_error(
            "personal_data_reason",
            _(
                "Comments may contain personal data. Leave them out, or explain why they may be "
                "released."
            ),
        )
    return found
