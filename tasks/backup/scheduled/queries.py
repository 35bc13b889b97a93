"""How the backups of the site stand: which is the last good one, and whether it is too old."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import DurationField, ExpressionWrapper, F, QuerySet
from django.db.models.functions import Now

from tasks.models import BackupState, ScheduledBackup

_SLACK = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class BackupAge:
    """How old the last good backup is; without any, how old the site is."""

    age: timedelta
    is_of_site: bool = False

    @property
    def is_too_old(self) -> bool:
        return self.age > 2 * interval() + _SLACK


def interval() -> timedelta:
    """From one backup to the next; nothing: none are taken."""
    return timedelta(hours=settings.BACKUP_HOURS)


def good_backups() -> QuerySet[ScheduledBackup]:
    """Whose files are there, the newest first: in the order in which they were taken."""
    return ScheduledBackup.objects.filter(state=BackupState.DONE, removed_at=None).order_by("-pk")


def backup_age() -> BackupAge | None:
    """By the database's clock; None where no backups are taken."""
    if not interval():
        return None
    if (age := _age_of(good_backups(), "started_at")) is not None:
        return BackupAge(age)
    first = MigrationRecorder.Migration.objects.order_by("pk")
    return BackupAge(_age_of(first, "applied") or timedelta(), is_of_site=True)


def last_attempt_age() -> tuple[BackupState, timedelta] | None:
    """How the last backup stands, and for how long (below 0 once a clock was set back)."""
    last = ScheduledBackup.objects.order_by("-pk")
    age = _age_of(last, "started_at")
    return None if age is None else (BackupState(last.values_list("state", flat=True)[0]), age)


def _age_of(rows: "QuerySet[models.Model]", column: str) -> timedelta | None:
    age = ExpressionWrapper(Now() - F(column), output_field=DurationField())
    found: timedelta | None = rows.annotate(age=age).values_list("age", flat=True).first()
    return found
