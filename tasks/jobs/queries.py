"""Jobs, what they failed at, how much waits for how many workers; and what operators watch: how
long jobs take, how much is rated, who is there."""

from collections.abc import Mapping
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
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce, Now

from tasks.models import (
    SILENT_AFTER,
    Campaign,
    Job,
    JobFailure,
    JobState,
    Rating,
    SchedulerTick,
    Worker,
)

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
    """The failures of a job, in order; those to be tried again and those left as well."""
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
    """The number of failed jobs, items and questions that are neither done since nor left as they
    are."""
    return failed_jobs(campaign).count() + failed_subjects_of(campaign).count()


def queue() -> Queue:
    """The amount of work on the whole site: workers do not ask whose job it is."""
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


@dataclass(frozen=True, slots=True)
class JobTimes:
    """Finished jobs of a kind: how many, and the seconds from being queued to the end, summed."""

    jobs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Operation:
    """The site at this moment.

    `jobs` counts all jobs by kind and state. `oldest_wait`: seconds for which the job has waited
    that could have been begun first; 0 if none waits. `ratings`: those of the last hour, revisions
    included. `workers`: processes that were heard of lately.
    """

    jobs: Mapping[tuple[str, str], int]
    oldest_wait: float
    times: Mapping[str, JobTimes]
    ratings: int
    workers: int


def operation() -> Operation:
    wait = queue().oldest_wait
    counts = Job.objects.order_by("kind", "state").values_list("kind", "state")
    # one that was cancelled or failed says nothing of the time needed
    took = ExpressionWrapper(F("finished_at") - F("created_at"), output_field=DurationField())
    done = Job.objects.filter(state=JobState.DONE, finished_at__isnull=False)
    by_kind = done.order_by("kind").values_list("kind").annotate(n=Count("pk"), took=Sum(took))
    # read from the newest back: no more rows than there are in an hour, and one
    older = Rating.objects.filter(created_at__lt=Now() - timedelta(hours=1)).order_by("-pk")
    newest_before = Coalesce(Subquery(older.values("pk")[:1]), Value(0))
    return Operation(
        jobs={(kind, state): n for kind, state, n in counts.annotate(n=Count("pk"))},
        oldest_wait=0.0 if wait is None else wait.total_seconds(),
        times={kind: JobTimes(n, took.total_seconds()) for kind, n, took in by_kind},
        ratings=Rating.objects.filter(pk__gt=newest_before).count(),
        workers=Worker.objects.filter(seen_at__gte=Now() - SILENT_AFTER).count(),
    )


def is_scheduler_there() -> bool:
    """Whether a scheduler has sent a sweep lately. Never before the first one has."""
    return SchedulerTick.objects.filter(seen_at__gte=Now() - SILENT_AFTER).exists()
