"""Previews of releases: at once for campaigns of some size, by a worker beyond."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from exporters.plan import ReleasePlan
from exporters.preview import release_preview
from tasks.models import Campaign, Job, JobKind, JobState
from tasks.releases.workflow.progress import ReleaseProgress, Report
from tasks.releases.workflow.release import planned_with_progress, release_content
from tasks.releases.workflow.versions import honest_version
from tasks.votes.ratings import current_ratings

LIVE_PREVIEW = 10_000  # ratings: 1.5 s of a processor, most of it to read them


def is_live(campaign: Campaign) -> bool:
    """Whether the campaign is small enough for a preview within a request."""
    return current_ratings(campaign)[: LIVE_PREVIEW + 1].count() <= LIVE_PREVIEW


def preview(
    *, campaign: Campaign, plan: ReleasePlan, report: Report = lambda _done, _total: None
) -> dict[str, Any]:
    """The figures of the release as it would be now, as `release_preview` makes them, and with
    `step` which number would be honest (tasks.releases.workflow.versions).

    Raises SplitError or another ReleaseError if it cannot be made, and StoreError.
    """
    progress = ReleaseProgress(report)
    planned = planned_with_progress(release_content(campaign=campaign, plan=plan), progress)
    step = asdict(honest_version(planned.compared(), campaign))
    figures = release_preview(planned) | {"step": step | {"reasons": list(step["reasons"])}}
    progress.finished()
    return figures


def preview_result(figures: Mapping[str, Any]) -> dict[str, str]:
    """Of a job: the figures as text, since PostgreSQL does not keep the order of an object's keys,
    and splits and labels have one."""
    return {"figures": json.dumps(figures, allow_nan=False)}


def figures_of(job: Job) -> dict[str, Any] | None:
    """What a job has found, None while it has found nothing."""
    return json.loads(job.result["figures"]) if job.result else None


def preview_parameters(plan: ReleasePlan) -> dict[str, Any]:
    """Of a job: the plan without what no figure depends on."""
    return replace(
        plan, version="0.0.0", personal_data_reason="", requires_datasheet=False
    ).as_json()


def latest_preview(campaign: Campaign, plan: ReleasePlan) -> Job | None:
    """The latest job that was to preview the plan, cancelled ones left out."""
    asked = Job.objects.filter(
        campaign=campaign, kind=JobKind.PREVIEW, parameters=preview_parameters(plan)
    )
    return asked.exclude(state=JobState.CANCELLED).first()
