"""When a backup is taken, and who takes it; what it consists of is in test_taking.py."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from tasks.backup.errors import BackupError
from tasks.backup.scheduled import workflow
from tasks.backup.scheduled.queries import backup_age
from tasks.backup.scheduled.shelf import shelf
from tasks.backup.scheduled.workflow import DEAD_AFTER, back_up_if_due, is_due
from tasks.models import BackupState, ScheduledBackup, User
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def place(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that takes a backup each day, which is an empty file."""
    settings.BACKUP_HOURS, settings.BACKUPS_URL, settings.BACKUPS_DIR = 24, "", tmp_path
    settings.BACKUPS_DAILY, settings.BACKUPS_WEEKLY = 2, 0
    monkeypatch.setattr(workflow, "_take", lambda backup: (tmp_path / backup.name).touch())
    return tmp_path


def begun(ago: timedelta, state: BackupState = BackupState.DONE, name: str = "") -> ScheduledBackup:
    made = ScheduledBackup.objects.create(
        name=name or f"backup {ago}", place=str(shelf()), state=state
    )
    ScheduledBackup.objects.filter(pk=made.pk).update(started_at=Now() - ago, seen_at=Now() - ago)
    return made


@pytest.mark.parametrize(
    ("ago", "state", "expected"),
    [
        (24 * HOUR, BackupState.DONE, True),
        (23 * HOUR, BackupState.DONE, False),
        (HOUR, BackupState.FAILED, True),
        (HOUR / 2, BackupState.FAILED, False),
        (-2 * HOUR, BackupState.DONE, True),  # a clock has been set back since
    ],
)
def test_backup_is_due_by_the_databases_clock(
    ago: timedelta, state: BackupState, *, expected: bool
) -> None:
    begun(ago, state)
    assert is_due() is expected


def test_first_backup_is_due_at_once_and_none_where_none_is_wanted(settings: Settings) -> None:
    assert is_due()
    settings.BACKUP_HOURS = 0
    assert not is_due()
    assert backup_age() is None


def test_a_clock_set_back_and_forth_makes_no_storm() -> None:
    """The last one that was begun counts, not the one with the latest time."""
    begun(-1000 * HOUR)
    assert back_up_if_due() is not None
    assert [back_up_if_due() for _ in range(5)] == [None] * 5
    ScheduledBackup.objects.update(started_at=Now() - 1000 * HOUR)  # and a year ahead
    assert back_up_if_due() is not None
    assert [back_up_if_due() for _ in range(5)] == [None] * 5


def test_one_process_takes_it_and_a_dead_one_is_given_up() -> None:
    running = begun(DEAD_AFTER / 2, BackupState.RUNNING)
    assert workflow.take_backup() is None
    ScheduledBackup.objects.update(seen_at=Now() - DEAD_AFTER - HOUR, started_at=Now() - 2 * HOUR)
    taken = back_up_if_due()
    assert taken is not None
    assert taken.state == BackupState.DONE
    running.refresh_from_db()
    assert (running.state, running.error) == ("failed", "the process that took it has ended")


def test_failure_is_kept_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_backup: ScheduledBackup) -> None:
        raise BackupError("it cannot\nbe restored")

    monkeypatch.setattr(workflow, "_take", fail)
    taken = back_up_if_due()
    assert taken is not None
    taken.refresh_from_db()
    assert (taken.state, taken.error, taken.ended_at is not None) == (
        "failed",
        "it cannot be restored",
        True,
    )


def test_files_that_newer_ones_replace_are_removed(place: Path) -> None:
    old = [begun(days * 24 * HOUR, name=f"old-{days}") for days in (4, 3, 2)]
    for each in old:
        (place / each.name).touch()
    elsewhere = begun(9 * 24 * HOUR, name="elsewhere")
    ScheduledBackup.objects.filter(pk=elsewhere.pk).update(place="s3://old/place")
    (place / "somebody's").touch()
    begun(48 * HOUR, BackupState.FAILED)
    taken = back_up_if_due()
    assert taken is not None
    assert {each.name for each in place.iterdir()} == {taken.name, "old-2", "somebody's"}
    removed = ScheduledBackup.objects.exclude(removed_at=None).values_list("name", flat=True)
    assert set(removed) == {"old-4", "old-3"}


def test_the_newest_stays_whatever_the_clock_says(place: Path, settings: Settings) -> None:
    settings.BACKUPS_DAILY = 1
    begun(-1000 * HOUR, name="of-the-future")
    taken = back_up_if_due()
    assert taken is not None
    assert (place / taken.name).exists()


@pytest.mark.parametrize(("ago", "is_late"), [(48 * HOUR, False), (50 * HOUR, True)])
def test_monitors_are_told_of_a_backup_that_is_too_old(ago: timedelta, *, is_late: bool) -> None:
    begun(ago)
    said = Client().get("/readyz").json()
    hours = ago / HOUR
    wanted = f"backup: the last good one is {hours:.0f} hours old" if is_late else None
    assert said.get("warning") == wanted


def test_operators_see_the_backups_and_how_old_the_last_one_is() -> None:
    operator = User.objects.create(username="op", is_staff=True, is_superuser=True)
    made = begun(50 * HOUR)
    ScheduledBackup.objects.filter(pk=made.pk).update(
        bytes=3 << 20, rows=12, trial="restored", key="630dcd2966c43366"
    )
    first = signed_in(operator).get("/").content.decode()
    assert "The last good backup is 50 hours old. That is too old" in first
    assert "/admin/tasks/scheduledbackup/" in first
    page = signed_in(operator).get("/admin/tasks/scheduledbackup/").content.decode()
    assert "The last good backup is 50 hours old. That is too old" in page
    for said in ("restored into an empty database", "630dcd2966c43366", "3.0\xa0MB"):
        assert said in page
