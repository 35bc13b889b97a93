"""Who is there to do the jobs, and whether the scheduler is."""

from datetime import timedelta

from django.db import models
from django.db.models.functions import Now

from tasks.models.running.job import Job

BEAT = timedelta(seconds=10)  # SQLite has one writer at a time: not more often
SILENT_AFTER = 3 * BEAT


class Worker(models.Model):
    """A process that does jobs, and when it was last heard of by the database's clock.

    `name` is the Celery worker it belongs to; one with several processes has several rows.
    """

    name = models.CharField(max_length=255)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    job = models.ForeignKey(Job, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "host", "pid"], name="worker_process_once")
        ]

    def __str__(self) -> str:
        return f"{self.name}, process {self.pid}"


class SchedulerTick(models.Model):
    """When a scheduler last sent a sweep, by the database's clock: one row for the site."""

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_scheduler_tick")]

    def __str__(self) -> str:
        return f"scheduler, {self.seen_at}"
