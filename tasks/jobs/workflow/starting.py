"""Queue jobs, and wake workers for them."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from tasks.jobs.workflow import jobs
from tasks.models import Campaign, Job, JobKind, User
from tasks.storing.messages import send

RUN_JOB = "tasks.run_job"


def start_job(
    *,
    campaign: Campaign,
    kind: JobKind,
    parameters: Mapping[str, Any],
    created_by: User | None = None,
) -> Job:
    """Queue a job and wake a worker once the transaction is committed."""
    job = jobs.enqueue(campaign=campaign, kind=kind, parameters=parameters, created_by=created_by)
    transaction.on_commit(send_waiting_jobs)
    return job


def send_waiting_jobs() -> None:
    """Wake workers for what is due.

    While the broker cannot be reached nothing is sent, and nobody has to wait for it more than
    once: the sweep sends it all later.
    """
    for job_id in jobs.jobs_to_send():
        if not send(RUN_JOB, job_id):
            return
