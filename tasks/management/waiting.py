"""Waiting for jobs: `--wait` of the commands that start them."""

import time
from argparse import ArgumentParser

from django.core.management.base import CommandError

from tasks.jobs.workflow.jobs import MAX_ATTEMPTS
from tasks.management.command import print_line
from tasks.models import Job, JobState

_POLL_SECONDS = 0.2
_WORKER_GRACE_SECONDS = 2.0


def add_wait(parser: ArgumentParser, until: str) -> None:
    parser.add_argument(
        "--wait",
        action="store_true",
        help=f"wait until {until}; does the work itself if no worker takes it",
    )


def follow(*jobs: Job, wait: bool) -> None:
    """With `wait`, return once all are finished; what no worker is at after a moment is done here.

    Raises CommandError with what kept any from being done.
    """
    begun = time.monotonic()
    for job in jobs if wait else ():
        told = 0
        while not job.is_finished:
            time.sleep(_POLL_SECONDS)
            if time.monotonic() - begun > _WORKER_GRACE_SECONDS:
                from tasks.jobs.work import run_job  # slow to load, and who waits has the time

                run_job(job.pk)  # nothing happens while a worker is at it
            job.refresh_from_db()
            if job.failures > told:
                said = f"tried {job.failures} of {MAX_ATTEMPTS} times: {job.error}"
                print_line(f"{job.title}: {said}")
            told = job.failures
            if job.total is not None:
                print_line(f"{job.title}: {job.done:,} of {job.total:,}")
    if failed := [job for job in jobs if job.state == JobState.FAILED]:
        raise CommandError("; ".join(f"{job.title} failed: {job.error}" for job in failed))
    if stopped := [job for job in jobs if job.state == JobState.CANCELLED]:
        raise CommandError("; ".join(f"{job.title} was cancelled" for job in stopped))
