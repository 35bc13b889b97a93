"""The job table: what there is to do, who is at it until when, how far it is; and waking workers.

Claiming is one conditional UPDATE. A worker holds a lease on the database's clock and a fence;
one that lost its lease, or whose job was cancelled, can no longer report. The sweep finds jobs
whose worker died, jobs whose message got lost, and jobs whose next try is due.
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
from django.db.models import Case, F, Manager, PositiveSmallIntegerField, Q, QuerySet, When
from django.db.models.functions import Now

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import (
    UNFINISHED,
    AuditAction,
    Campaign,
    EventKind,
    Job,
    JobFailure,
    JobKind,
    JobState,
    User,
)
from tasks.storing.acts import record
from tasks.storing.messages import send
from tasks.storing.refusals import as_reason

LEASE = timedelta(seconds=settings.JOB_LEASE_SECONDS)
SEND_AGAIN_AFTER = LEASE
MAX_ATTEMPTS = 5  # that fail, or whose workers die, without the job getting any further
FIRST_DELAY = timedelta(seconds=15)
DELAY_GROWS_BY = 4  # 15 s, 1, 4 and 16 min: longer than a server takes to come back
MAX_ERROR = 2000  # characters

_RENEWALS_PER_LEASE = 3

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """The job was cancelled, or somebody else has taken it over; stop working on it."""


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
        job, is_new = Job.objects.get_or_create(
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
        if is_new:
            _record(AuditAction.JOB_STARTED, job)
    return job


def begin(*, job_id: int) -> Job | None:
    """Take the job if it is there to be taken; None if it is finished, if somebody is at it, or
    if its next try is not due yet."""
    free = _queued() | (_abandoned() & ~_too_many_worker_deaths())
    # one transaction, so that the fence that is read is the one that was written
    with transaction.atomic():
        taken = Job.objects.filter(free, pk=job_id).update(
            state=JobState.RUNNING,
            fence=F("fence") + 1,
            attempts=F("attempts") + 1,
            deaths=Case(
                When(_abandoned(), then=F("deaths") + 1),
                default=F("deaths"),
                output_field=PositiveSmallIntegerField(),
            ),
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

    def renew() -> None:
        while not is_over.wait(LEASE.total_seconds() / _RENEWALS_PER_LEASE):
            try:
                if not _held(job).update(lease_until=Now() + LEASE):
                    return
            except DatabaseError:
                logger.warning("the lease of job %s could not be renewed", job.pk, exc_info=True)
            finally:
                connection.close()

    thread = Thread(target=renew, name=f"lease-{job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def report_progress(*, job: Job, done: int, total: int) -> None:
    """Say how far the job is and renew the lease. Raises LeaseLost.

    Getting further than ever clears the failures and deaths that were counted: what gets further
    each time will end, and only what does not is given up.
    """
    if done > job.done:
        job.done, job.failures, job.deaths = done, 0, 0
    counts = {"failures": job.failures, "deaths": job.deaths}
    _write(job, done=done, total=total, lease_until=Now() + LEASE, **counts)


def report_rows(job: Job, done: int, total: int) -> None:
    """`report_progress` for those who count by themselves."""
    report_progress(job=job, done=done, total=total)


def report_batches(job: Job, left_after_each: Iterator[int], all_there_is: Manager[Any]) -> int:
    """Work through batches; the number there is, whether done now or by an earlier attempt."""
    total = 0
    for left in left_after_each:
        total = all_there_is.count()
        report_progress(job=job, done=total - left, total=total)
    return total


def require_held(*, job: Job) -> None:
    """Renew the lease before something that only who holds it may do. Raises LeaseLost.

    Within a transaction nobody can take the job over, or cancel it, before that ends.
    """
    _write(job, lease_until=Now() + LEASE)


def finish(*, job: Job, result: Mapping[str, Any]) -> None:
    """The job is done, whatever single items it failed at. Raises LeaseLost."""
    with transaction.atomic():
        _write(job, state=JobState.DONE, result=dict(result), lease_until=None, finished_at=Now())
        # what was due has been tried by now, and what an earlier job of the same kind failed at
        same = Q(job__campaign=job.campaign_id, job__input_hash=job.input_hash, job__lt=job.pk)
        resolved = Q(job=job, is_due=True) | (same & Q(acknowledged_at=None))
        JobFailure.objects.filter(resolved).delete()
        note_events(job.campaign_id, NewEvent(EventKind.JOB_DONE, _as_data(job)))


def give_up(*, job: Job, error: str) -> None:
    """Record that the job cannot be done; a person may start it again."""
    _fail(_held(job), error)


def hand_back(*, job: Job, error: str) -> None:
    """Queue the job again after a failure that may pass, until MAX_ATTEMPTS have failed."""
    failures = job.failures + 1
    if failures >= MAX_ATTEMPTS:
        _held(job).update(failures=failures)
        give_up(job=job, error=error)
        return
    _held(job).update(
        state=JobState.QUEUED,
        failures=failures,
        error=as_reason(error, MAX_ERROR),
        lease_until=None,
        sent_at=None,
        not_before=Now() + delay_after(job_id=job.pk, failures=failures),
    )


def delay_after(*, job_id: int, failures: int) -> timedelta:
    """The wait after the n-th failure: growing, and up to a quarter more or less.

    The part that looks like chance keeps jobs apart that failed at the same moment; it is made
    of the job and the failure, so that it can be told in advance.
    """
    digest = hashlib.sha256(f"{job_id}:{failures}".encode()).digest()
    chance = int.from_bytes(digest[:4]) / 2**32  # 0 <= chance < 1
    factor: int = DELAY_GROWS_BY ** (failures - 1)
    return FIRST_DELAY * factor * (0.75 + chance / 2)


@transaction.atomic
def cancel(*, job: Job) -> bool:
    """Stop a job that is not finished; false if it is. What it has done stays.

    A worker that is at it notices with its next report.
    """
    unfinished = Job.objects.filter(pk=job.pk, state__in=UNFINISHED)
    cancelled = unfinished.update(state=JobState.CANCELLED, lease_until=None, finished_at=Now())
    if cancelled:
        _record(AuditAction.JOB_CANCELLED, job)
    return bool(cancelled)


def restart(*, job: Job, failure: JobFailure | None = None) -> bool:
    """Queue a job that failed or was cancelled again, or one that is done but for some failures.

    It does what is missing: of its failures those that nobody has acknowledged, or the given one
    alone. False if there is nothing to do, or if the same job is unfinished under another number.
    """
    stopped = Q(state__in=[JobState.FAILED, JobState.CANCELLED])
    try:
        with transaction.atomic():
            due = _make_due(job, failure)
            wanted = Q(state=JobState.DONE) | stopped if due else stopped
            restarted = Job.objects.filter(wanted, pk=job.pk).update(
                state=JobState.QUEUED,
                attempts=0,
                failures=0,
                deaths=0,
                done=0,
                total=None,
                error="",
                sent_at=None,
                not_before=Now(),
                finished_at=None,
                acknowledged_at=None,
                acknowledged_by=None,
            )
            if restarted:
                _record(AuditAction.JOB_RESTARTED, job)
            transaction.set_rollback(not restarted)
            return bool(restarted)
    except IntegrityError:
        return False


def _make_due(job: Job, failure: JobFailure | None) -> int:
    failed = JobFailure.objects.filter(job=job)
    if failure is not None:
        chosen = failed.filter(pk=failure.pk)
        return chosen.update(is_due=True, acknowledged_at=None, acknowledged_by=None)
    return failed.filter(acknowledged_at=None).update(is_due=True)


def jobs_to_send() -> list[int]:
    """Jobs that need a worker woken: queued and not started for a while, or left by a dead one.

    Each is handed to one caller only, which must send it. A job whose workers died MAX_ATTEMPTS
    times without getting any further is given up instead: it may be what kills them.
    """
    _fail(
        Job.objects.filter(_abandoned(), _too_many_worker_deaths()),
        f"its worker died {MAX_ATTEMPTS} times without getting any further",
    )
    unsent = Q(sent_at=None) | Q(sent_at__lt=Now() - SEND_AGAIN_AFTER)
    due = Job.objects.filter(_queued() | _abandoned(), unsent)
    return [
        job_id
        for job_id in due.order_by("id").values_list("id", flat=True)
        if due.filter(pk=job_id).update(sent_at=Now())
    ]


def _queued() -> Q:
    return Q(state=JobState.QUEUED, not_before__lte=Now())


def _abandoned() -> Q:
    return Q(state=JobState.RUNNING, lease_until__lt=Now())


def _too_many_worker_deaths() -> Q:
    """Of an abandoned job: the death of the worker that left it is the last that is borne."""
    return Q(deaths__gte=MAX_ATTEMPTS - 1)


def _record(action: AuditAction, job: Job) -> None:
    name = job.parameters.get("name", job.parameters.get("version", ""))
    subject = ("job", " ".join(f"{job.pk} {job.kind} {name}".split()))
    only_reads = job.kind in {JobKind.RELEASE, JobKind.PREVIEW}
    record(action, campaign=job.campaign, subject=subject, while_archived=only_reads)


def _write(job: Job, **changes: Any) -> None:
    if not _held(job).update(**changes):
        raise LeaseLost(f"job {job.pk}")


def _held(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, fence=job.fence, state=JobState.RUNNING)


def _fail(jobs: QuerySet[Job], error: str) -> None:
    error = as_reason(error, MAX_ERROR)
    failed = {"state": JobState.FAILED, "lease_until": None, "finished_at": Now()}
    for job in jobs:
        with transaction.atomic():
            if jobs.filter(pk=job.pk).update(error=error, **failed):
                note_events(job.campaign_id, NewEvent(EventKind.JOB_FAILED, _as_data(job)))


def _as_data(job: Job) -> dict[str, Any]:
    return {"job": job.pk, "kind": job.kind}


RUN_JOB = "tasks.run_job"


def start_job(
    *,
    campaign: Campaign,
    kind: JobKind,
    parameters: Mapping[str, Any],
    created_by: User | None = None,
) -> Job:
    job = enqueue(campaign=campaign, kind=kind, parameters=parameters, created_by=created_by)
    transaction.on_commit(send_waiting_jobs)
    return job


def send_waiting_jobs() -> None:
    """Wake workers for what is due.

    While the broker cannot be reached nothing is sent, and nobody has to wait for it more than
    once: the sweep sends it all later.
    """
    for job_id in jobs_to_send():
        if not send(RUN_JOB, job_id):
            return
