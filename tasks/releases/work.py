"""The jobs that preview and publish releases."""

from functools import partial
from typing import Any

from exporters.planned_release import ReleasePlan
from tasks.jobs.registry import does
from tasks.jobs.workflow.jobs import report_rows, require_held
from tasks.models import Job, JobKind
from tasks.release_store.places import release_place
from tasks.releases.workflow.listing import ReleaseRefused
from tasks.releases.workflow.release import preview, preview_result, publish_release
from tomahto.releases.records.fields import ReleaseError

REFUSED = (ReleaseRefused, ReleaseError)


@does(JobKind.RELEASE, final=REFUSED)
def release(job: Job) -> dict[str, Any]:
    plan = ReleasePlan.from_json(job.parameters)
    notes: list[str] = []
    published = publish_release(
        campaign=job.campaign,
        plan=plan,
        out=release_place(job.campaign.slug, plan.version),
        created_by=job.created_by,
        require_held=partial(require_held, job=job),
        note=notes.append,
        report=partial(report_rows, job),
    )
    result = {"version": published.version, "digest": published.digest}
    return result | ({"notes": "; ".join(notes)} if notes else {})


@does(JobKind.PREVIEW, final=REFUSED)
def release_preview(job: Job) -> dict[str, Any]:
    plan = ReleasePlan.from_json(job.parameters)
    figures = preview(campaign=job.campaign, plan=plan, report=partial(report_rows, job))
    return preview_result(figures)
