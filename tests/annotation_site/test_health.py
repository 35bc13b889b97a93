"""/readyz: what is wrong has a name."""

import errno
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Now
from django.test import Client

from annotation_site import health, storage
from tasks.jobs.workflow.workers import Ticks
from tasks.models import SILENT_AFTER, SchedulerTick
from tasks.storing import outages

pytestmark = pytest.mark.django_db

WELL = {"database": True, "storage": True, "broker": True, "scheduler": True}
# what a server can store only the server knows
WITHOUT_DATABASE = {"database": False, "scheduler": None} | (
    {"storage": None} if connection.vendor == "postgresql" else {}
)
NO_SCHEDULER = {
    **WELL,
    "scheduler": False,
    "missing": "scheduler: none was heard of in the last 30 seconds; `./run` has one, else start "
    "`./run python -m celery --app annotation_site beat` or the service beat of "
    "docker/compose.yaml",
}


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has just begun."""
    monkeypatch.setattr(outages._Memory, "why", None)
    monkeypatch.setattr(storage._Migrations, "are_known", False)
    monkeypatch.setattr(storage._Room, "until", 0.0)


def readiness() -> tuple[int, dict[str, Any]]:
    response = Client().get("/readyz")
    return response.status_code, response.json()


def test_a_site_is_ready_once_its_scheduler_has_ticked() -> None:
    assert readiness() == (503, NO_SCHEDULER)
    Ticks().note()
    assert readiness() == (200, WELL)


@pytest.mark.parametrize(("late", "status"), [(-1, 200), (1, 503)])
def test_a_scheduler_is_missed_after_a_while_by_the_databases_clock(late: int, status: int) -> None:
    ago = SILENT_AFTER + timedelta(seconds=late)
    SchedulerTick.objects.create()
    SchedulerTick.objects.update(seen_at=Now() - ago)
    assert readiness() == (status, WELL if status == 200 else NO_SCHEDULER)
    Ticks().note()
    assert readiness() == (200, WELL)
    assert SchedulerTick.objects.count() == 1


def test_one_process_writes_no_more_than_has_to_be() -> None:
    ticks = Ticks()
    ticks.note()
    SchedulerTick.objects.update(seen_at=Now() - timedelta(days=1))
    ticks.note()
    assert readiness() == (503, NO_SCHEDULER)


def test_a_tick_that_cannot_be_written_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = Ticks()
    with monkeypatch.context() as patch:
        patch.setattr(SchedulerTick.objects, "bulk_create", failing(DatabaseError("away")))
        ticks.note()
    ticks.note()
    assert readiness() == (200, WELL)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("_database_answers", WITHOUT_DATABASE),
        ("_broker_answers", {"broker": False}),
    ],
)
def test_what_cannot_be_reached_is_named(
    monkeypatch: pytest.MonkeyPatch, check: str, said: dict[str, Any]
) -> None:
    Ticks().note()
    monkeypatch.setattr(health, check, lambda: False)
    (part,) = (part for part, is_well in said.items() if is_well is False)
    missing = f"{part}: {health.HOW_TO_START[part]}"
    assert readiness() == (503, {**WELL, **said, "missing": missing})


def test_all_that_is_missing_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_broker_answers", lambda: False)
    status, said = readiness()
    broker, scheduler = (health.HOW_TO_START[part] for part in ("broker", "scheduler"))
    assert (status, said["missing"]) == (503, f"broker: {broker}; scheduler: {scheduler}")
    assert "\n" not in said["missing"]


def test_database_of_newer_software_is_not_served() -> None:
    Ticks().note()
    MigrationRecorder(connection).record_applied("tasks", "9999_from_the_future")
    newer = (
        "database: is newer than this version of Tomahto, which does not know its migration "
        "tasks.9999_from_the_future: use the version that made it"
    )
    assert readiness() == (503, {**WELL, "database": False, "missing": newer})


def test_database_that_is_migrated_while_a_process_serves_it_is_served_on() -> None:
    Ticks().note()
    assert readiness() == (200, WELL)
    MigrationRecorder(connection).record_applied("tasks", "9999_from_the_future")
    assert readiness() == (200, WELL)


def test_what_an_app_left_that_is_there_no_more_does_not_matter() -> None:
    Ticks().note()
    MigrationRecorder(connection).record_applied("axes", "9999_from_the_future")
    assert readiness() == (200, WELL)


def test_write_without_room_is_remembered_for_half_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Ticks().note()
    outages.remember(OSError(errno.ENOSPC, "No space left on device"))
    said = (
        "storage: a disk of the site was full a moment ago: make room on it, and the site goes on "
        "by itself"
    )
    assert readiness() == (503, {**WELL, "storage": False, "missing": said})
    monkeypatch.setattr(outages._Memory, "until", 0.0)
    assert readiness() == (200, WELL)


def test_who_asks_again_and_again_has_little_written(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0 if connection.vendor == "postgresql" else 1  # a server's disk is its own
    synced = list[int]()
    monkeypatch.setattr("os.fsync", synced.append)
    monkeypatch.setattr("time.monotonic", lambda: 5_000.0)
    Ticks().note()
    for _ in range(20):
        assert readiness() == (200, WELL)
    assert len(synced) == tries
    monkeypatch.setattr("time.monotonic", lambda: 5_001.0)
    readiness()
    assert len(synced) == 2 * tries


def failing(error: Exception) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise error

    return fail
