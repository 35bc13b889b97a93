"""What operators watch: how much waits, how long jobs take, how much is rated, who is there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, DurationField, ExpressionWrapper, F, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Now

from tasks.jobs.queries.jobs import queue
from tasks.models import SILENT_AFTER, Job, JobState, Rating, SchedulerTick, Worker


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
    return Operation(
        jobs={(kind, state): n for kind, state, n in counts.annotate(n=Count("pk"))},
        oldest_wait=0.0 if wait is None else wait.total_seconds(),
        times=_job_times(),
        ratings=_ratings_of_the_last_hour(),
        workers=Worker.objects.filter(seen_at__gte=Now() - SILENT_AFTER).count(),
    )


def is_scheduler_there() -> bool:
    """Whether a scheduler has sent a sweep lately. Never before the first one has."""
    return SchedulerTick.objects.filter(seen_at__gte=Now() - SILENT_AFTER).exists()


def _job_times() -> dict[str, JobTimes]:
    """Of jobs that are done: one that was cancelled or failed says nothing of the time needed."""
    took = ExpressionWrapper(F("finished_at") - F("created_at"), output_field=DurationField())
    done = Job.objects.filter(state=JobState.DONE, finished_at__isnull=False)
    by_kind = done.order_by("kind").values_list("kind").annotate(n=Count("pk"), took=Sum(took))
    return {kind: JobTimes(n, took.total_seconds()) for kind, n, took in by_kind}


def _ratings_of_the_last_hour() -> int:
    """Read from the newest back: no more rows than there are in an hour, and one."""
    older = Rating.objects.filter(created_at__lt=Now() - timedelta(hours=1)).order_by("-pk")
    newest_before = Coalesce(Subquery(older.values("pk")[:1]), Value(0))
    return Rating.objects.filter(pk__gt=newest_before).count()
