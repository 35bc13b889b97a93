"""A release that people are about to make: what would come of it, and the start of the job.

The one way of page and API from a plan to a job.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from exporters.planned_release import ReleasePlan
from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, Job, JobKind, Membership, Release
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
    """The known facts of a release that does not exist yet.

    `figures` are those of `release_preview`, None where there are none: `errors` say by the field
    of the plan what cannot be, the release is refused for the reason that `refusal` gives, or a
    worker has to make the preview, whose `job` is then the latest that was asked for.
    """

    figures: dict[str, Any] | None = None
    errors: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    is_live: bool = True
    job: Job | None = None


def plan_of(chosen: Mapping[str, Any]) -> ReleasePlan:
    """A reason why personal data may be released says nothing without comments."""
    plan = ReleasePlan.of(chosen)
    return plan if plan.comments else replace(plan, personal_data_reason="")


def previewed(campaign: Campaign, plan: ReleasePlan) -> Preview:
    """The preview of the plan. Personal data in comments is an error until somebody says why it
    may stay."""
    if not is_live(campaign):
        job = latest_preview(campaign, plan)
        found = Preview(figures_of(job) if job else None, is_live=False, job=job)
    else:
        try:
            found = Preview(preview(campaign=campaign, plan=plan))
        except SplitError as error:
            return Preview(errors={"split": str(error)})
        except (ReleaseError, ReleaseRefused) as error:
            return Preview(refusal=str(error))
    if found.figures and found.figures["findings"] and not plan.personal_data_reason:
        text = _(
            "Comments may contain personal data. Leave them out, or explain why they may be "
            "released."
        )
        return replace(found, errors={"personal_data_reason": text})
    return found


def ask_for_preview(plan: ReleasePlan, by: Membership) -> Job:
    return start_job(
        campaign=by.campaign,
        kind=JobKind.PREVIEW,
        parameters=preview_parameters(plan),
        created_by=by.user,
    )


def build(plan: ReleasePlan, by: Membership) -> Job | Preview:
    """Start the release, unless it is known to fail: then what is known of it."""
    campaign = by.campaign
    if Release.objects.filter(campaign=campaign, version=plan.version).exists():
        text = _("A release with this version already exists, and releases never change.")
        return Preview(errors={"version": text})
    found = previewed(campaign, plan)
    if found.figures and not found.errors:
        found = replace(found, errors=_version_errors(found.figures["step"], plan.version))
    if found.refusal or found.errors:
        return found
    return start_job(
        campaign=campaign,
        kind=JobKind.RELEASE,
        parameters=plan.as_json(),
        created_by=by.user,
    )


def _version_errors(step: Mapping[str, Any], version: str) -> dict[str, str]:
    """A number above the newest one says what changed since; whether a lower one mends an older
    release, the job finds out."""
    if step["previous"] is None:
        return {}
    newest, least = parse_version(step["previous"]), parse_version(step["least"])
    if not newest < parse_version(version) < least:
        return {}
    text = _("The changes since the last release ask for at least version %(least)s.")
    return {"version": text % {"least": step["least"]}}
