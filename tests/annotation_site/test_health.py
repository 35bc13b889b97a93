"""/readyz: what is wrong has a name."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models.functions import Now
from django.test import Client

from annotation_site import health
from tasks.jobs.workflow.workers import Ticks
from tasks.models import SILENT_AFTER, SchedulerTick

pytestmark = pytest.mark.django_db

WELL = {"database": True, "broker": True, "scheduler": True}
NO_SCHEDULER = {
    **WELL,
    "scheduler": False,
    "missing": "scheduler: no sign of life in the last 30 seconds; `./run` includes one, "
    "otherwise start `./run python -m celery --app annotation_site beat` or the "
    "service beat of docker/compose.yaml",
}


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
        ("_database_answers", {"database": False, "scheduler": None}),
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


def failing(error: Exception) -> Callable[..., None]:
    def fail(*_arguments: object, **_options: object) -> None:
        raise error

    return fail
