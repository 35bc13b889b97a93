"""The job table: what there is to do, who is at it until when, how far it is.

Claiming is one conditional UPDATE. A worker holds a lease on the database's clock and a fence;
one that lost its lease can no longer report. The sweep finds jobs whose worker died and jobs
whose message got lost.
"""

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import UNFINISHED, Campaign, Job, JobKind, JobState, User

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)
SEND_AGAIN_AFTER = LEASE
MAX_ATTEMPTS = 5

_RENEWALS_PER_LEASE = 3

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Somebody else has taken the job over; stop working on it."""


def enqueue(
    *,
    campaign: Campaign,
    kind: JobKind,
    parameters: Mapping[str, Any],
    created_by: User | None = None,
) -> Job:
    """A new job, or the same one if it is queued or running already."""
    text = json.dumps([kind, dict(parameters)], sort_keys=True)
    input_hash = hashlib.sha256(text.encode()).hexdigest()
    with transaction.atomic():
        job, _created = Job.objects.get_or_create(
            campaign=campaign,
            input_hash=input_hash,
            state__in=UNFINISHED,
            defaults={
                "kind": kind,
                "parameters": dict(parameters),
                "state": JobState.QUEUED,
                "created_by": created_by,
            },
        )
    return job


def begin(*, job_id: int) -> Job | None:
    """Take the job if it is there to be taken; None if it is done or somebody is at it."""
    free = Q(state=JobState.QUEUED) | (_abandoned() & Q(attempts__lt=MAX_ATTEMPTS))
    # one transaction, so that the fence that is read is the one that was written
    with transaction.atomic():
        taken = Job.objects.filter(free, pk=job_id).update(
            state=JobState.RUNNING,
            fence=F("fence") + 1,
            attempts=F("attempts") + 1,
            lease_until=Now() + LEASE,
            error="",
        )
        return Job.objects.select_related("campaign").get(pk=job_id) if taken else None


@contextmanager
def renewed_lease(*, job: Job) -> Iterator[None]:
    """Renew the lease from a thread for as long as the block runs.

    A job may be busy for longer than a lease without a word: a slow matcher with one batch, a
    release with its files. The lease then tells only whether the process lives.
    """
    is_over = Event()
    thread = Thread(target=_renew_until, args=(job, is_over), name=f"lease-{job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _renew_until(job: Job, is_over: Event) -> None:
    while not is_over.wait(LEASE.total_seconds() / _RENEWALS_PER_LEASE):
        try:
            if not _held(job).update(lease_until=Now() + LEASE):
                return
        except DatabaseError:
            logger.warning("the lease of job %s could not be renewed", job.pk, exc_info=True)
        finally:
            connection.close()


def report_progress(*, job: Job, done: int, total: int) -> None:
    """Say how far the job is and renew the lease. Raises LeaseLost."""
    held = _held(job).update(done=done, total=total, lease_until=Now() + LEASE)
    if not held:
        raise LeaseLost(f"job {job.pk}")


def finish(*, job: Job, result: Mapping[str, Any]) -> None:
    """Raises LeaseLost."""
    held = _held(job).update(
        state=JobState.DONE, result=dict(result), lease_until=None, finished_at=Now()
    )
    if not held:
        raise LeaseLost(f"job {job.pk}")


def give_up(*, job: Job, error: str) -> None:
    """Record that the job cannot be done; a person may start it again."""
    _fail(_held(job), error)


def hand_back(*, job: Job, error: str) -> None:
    """Queue the job again after a failure that may pass, at most MAX_ATTEMPTS times.

    It is sent again after SEND_AGAIN_AFTER.
    """
    if job.attempts >= MAX_ATTEMPTS:
        give_up(job=job, error=error)
    else:
        _held(job).update(state=JobState.QUEUED, error=error, lease_until=None, sent_at=Now())


def restart(*, job: Job) -> bool:
    """Queue a failed job again; false if it has not failed, or if the same job is unfinished
    under another number."""
    failed = Job.objects.filter(pk=job.pk, state=JobState.FAILED)
    try:
        with transaction.atomic():
            return bool(
                failed.update(
                    state=JobState.QUEUED, attempts=0, error="", sent_at=None, finished_at=None
                )
            )
    except IntegrityError:
        return False


def jobs_to_send() -> list[int]:
    """Jobs that need a worker woken: queued and not started for a while, or left by a dead one.

    Each is handed to one caller only, which must send it. A job whose workers died MAX_ATTEMPTS
    times is given up instead: it may be what kills them.
    """
    _fail(
        Job.objects.filter(_abandoned(), attempts__gte=MAX_ATTEMPTS),
        f"its worker died {MAX_ATTEMPTS} times",
    )
    overdue = Q(state=JobState.QUEUED) & (Q(sent_at=None) | Q(sent_at__lt=Now() - SEND_AGAIN_AFTER))
    unsent = Q(sent_at=None) | Q(sent_at__lt=Now() - LEASE)
    due = Job.objects.filter(overdue | (_abandoned() & unsent))
    return [
        job_id
        for job_id in due.order_by("id").values_list("id", flat=True)
        if due.filter(pk=job_id).update(sent_at=Now())
    ]


def _abandoned() -> Q:
    return Q(state=JobState.RUNNING, lease_until__lt=Now())


def _held(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, fence=job.fence, state=JobState.RUNNING)


def _fail(jobs: QuerySet[Job], error: str) -> None:
    jobs.update(state=JobState.FAILED, error=error, lease_until=None, finished_at=Now())
