"""Work on whole campaigns: copy their data, remove deleted ones."""

from typing import Any

from celery import shared_task

from tasks.campaigns.workflow.lives import remove_due
from tasks.home.workflow import CopyRefused, copy_data
from tasks.jobs.registry import does
from tasks.models import Job, JobKind


@does(JobKind.COPY, final=(CopyRefused,))
def copy(job: Job) -> dict[str, Any]:
    return dict(copy_data(job=job))


@shared_task(name="tasks.remove_deleted", expires=3600)
def remove_deleted() -> None:
    remove_due()
