"""The heartbeat of a worker's process, by the database's clock."""

import logging
import os
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from tasks.jobs.queries import workers as workers_shown
from tasks.jobs.workflow import jobs, workers
from tasks.models import SILENT_AFTER, Campaign, Job, JobKind, Worker
from tests.tasks.conftest import MakeCampaign

NAME = "celery@here"


@pytest.fixture
def heartbeat(db: None) -> workers.Heartbeat:
    return workers.Heartbeat(name=NAME)


@pytest.fixture
def job(make_campaign: MakeCampaign) -> Job:
    campaign: Campaign = make_campaign(items=1)
    return jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})


def rows() -> list[tuple[Any, ...]]:
    return list(Worker.objects.order_by("name", "pid").values_list("name", "pid", "job"))


def heard(name: str, ago: timedelta, pid: int = 1, host: str = "") -> None:
    worker = Worker.objects.create(name=name, host=host or os.uname().nodename, pid=pid)
    Worker.objects.filter(pk=worker.pk).update(seen_at=Now() - ago)


def test_beat_writes_one_row_and_keeps_when_it_started(heartbeat: workers.Heartbeat) -> None:
    heartbeat.beat()
    Worker.objects.update(seen_at=Now() - SILENT_AFTER, started_at=Now() - SILENT_AFTER)
    heartbeat.beat()
    assert rows() == [(NAME, os.getpid(), None)]
    (shown,) = workers_shown()
    assert shown.silent_for < timedelta(seconds=5)  # type: ignore[attr-defined]  # annotated
    assert shown.seen_at - shown.started_at > SILENT_AFTER - timedelta(seconds=5)


def test_beat_forgets_those_it_replaces_and_those_long_gone(heartbeat: workers.Heartbeat) -> None:
    barely, long = SILENT_AFTER - timedelta(seconds=5), SILENT_AFTER + timedelta(seconds=5)
    heard(NAME, barely, pid=1)
    heard(NAME, long, pid=2)
    heard(NAME, long, pid=3, host="another machine with a worker of that name")
    heard("celery@silent", long)
    heard("celery@forgotten", timedelta(days=1, seconds=5))
    heartbeat.beat()
    found = sorted(rows())
    assert [(name, pid) for name, pid, _job in found] == sorted(
        [("celery@silent", 1), (NAME, 1), (NAME, 3), (NAME, os.getpid())]
    )


@pytest.mark.parametrize(("seconds", "is_silent"), [(-5, False), (5, True)])
def test_a_worker_is_silent_after_three_beats(db: None, seconds: int, is_silent: bool) -> None:
    heard(NAME, SILENT_AFTER + timedelta(seconds=seconds))
    (shown,) = workers_shown()
    assert shown.is_silent is is_silent  # type: ignore[attr-defined]  # annotated


def test_turn_to_says_at_once_which_job_it_is(heartbeat: workers.Heartbeat, job: Job) -> None:
    heartbeat.turn_to(job.pk)
    assert rows() == [(NAME, os.getpid(), job.pk)]
    heartbeat.turn_to(None)
    assert rows() == [(NAME, os.getpid(), None)]


def test_busy_with_does_nothing_in_a_process_without_a_heartbeat(job: Job) -> None:
    with workers.busy_with(job=job):
        assert rows() == []
    workers.stop_heartbeat()


def test_a_beat_survives_the_database(
    heartbeat: workers.Heartbeat, job: Job, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def fail() -> None:
        raise OperationalError("the database is shutting down")

    monkeypatch.setattr(heartbeat, "beat", fail)
    with caplog.at_level(logging.WARNING):
        heartbeat.turn_to(job.pk)
    assert [record.message for record in caplog.records] == ["the heartbeat could not be written"]
    monkeypatch.undo()
    heartbeat.beat()
    assert rows() == [(NAME, os.getpid(), job.pk)]
