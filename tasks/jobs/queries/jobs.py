"""Jobs, what they failed at, and how much waits for how many workers."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import (
    BooleanField,
    Count,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
)
from django.db.models.functions import Now

from tasks.models import SILENT_AFTER, Campaign, Job, JobFailure, JobState, Worker

_OPEN = Q(acknowledged_at=None, is_due=False)


@dataclass(frozen=True, slots=True)
class Queue:
    """All jobs of the site that are not finished.

    `waiting` could be begun now, `oldest_wait` by the database's clock; `delayed` wait for their
    next try.
    """

    waiting: int
    delayed: int
    running: int
    oldest_wait: timedelta | None


def jobs_of(campaign: Campaign) -> QuerySet[Job]:
    """The jobs of a campaign, newest first.

    With `failed_count`, the failures that nobody has settled, and `wait`, how long it is until
    the next try by the database's clock; negative once it is due.
    """
    open_ones = Q(failed__acknowledged_at=None, failed__is_due=False)
    unsettled = Count("failed", filter=open_ones)
    wait = ExpressionWrapper(F("not_before") - Now(), output_field=DurationField())
    jobs = Job.objects.filter(campaign=campaign).annotate(failed_count=unsettled, wait=wait)
    return jobs.order_by("-id")  # the model's own order does not hold for what is counted


def failures_of(job: Job) -> QuerySet[JobFailure]:
    """What a job failed at, in order; what is to be tried again and what was left as well."""
    return (
        JobFailure.objects.filter(job=job)
        .select_related("item__question", "question", "acknowledged_by")
        .order_by("pk")
    )


def failed_jobs(campaign: Campaign, *, acknowledged: bool = False) -> QuerySet[Job]:
    """Jobs that have failed, unless the same has been started anew since, newest first."""
    anew = Job.objects.filter(
        campaign=OuterRef("campaign"), input_hash=OuterRef("input_hash"), pk__gt=OuterRef("pk")
    )
    return (
        Job.objects.filter(~Exists(anew), campaign=campaign, state=JobState.FAILED)
        .filter(acknowledged_at__isnull=not acknowledged)
        .select_related("acknowledged_by")
    )


def failed_subjects_of(campaign: Campaign, *, acknowledged: bool = False) -> QuerySet[JobFailure]:
    """Items and questions that jobs of the campaign failed at, the latest first."""
    state = Q(acknowledged_at__isnull=False) if acknowledged else _OPEN
    return (
        JobFailure.objects.filter(state, job__campaign=campaign)
        .select_related("job", "item__question", "question", "acknowledged_by")
        .order_by("-failed_at", "-pk")
    )


def open_failures(campaign: Campaign) -> int:
    """How many failed jobs, items and questions are neither done since nor left as they are."""
    return failed_jobs(campaign).count() + failed_subjects_of(campaign).count()


def queue() -> Queue:
    """How much there is to do, on the whole site: workers do not ask whose job it is."""
    due = Q(state=JobState.QUEUED, not_before__lte=Now())
    found = Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).aggregate(
        waiting=Count("pk", filter=due),
        delayed=Count("pk", filter=Q(state=JobState.QUEUED, not_before__gt=Now())),
        running=Count("pk", filter=Q(state=JobState.RUNNING)),
        oldest_wait=ExpressionWrapper(
            Now() - Min("not_before", filter=due), output_field=DurationField()
        ),
    )
    return Queue(**found)


def workers() -> QuerySet[Worker]:
    """Every worker process that has reported: `silent_for` how long by the database's clock, and
    whether it `is_silent`, longer than one that lives."""
    silence = ExpressionWrapper(Now() - F("seen_at"), output_field=DurationField())
    is_silent = ExpressionWrapper(Q(seen_at__lt=Now() - SILENT_AFTER), output_field=BooleanField())
    return (
        Worker.objects.select_related("job")
        .annotate(silent_for=silence, is_silent=is_silent)
        .order_by("name", "pid")
    )
