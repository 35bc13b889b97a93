"""The heartbeat: every process that does jobs says regularly that it is there, and at which job;
the scheduler says it with what it sends.

It is for people to look at, and for /readyz. What becomes of the jobs of a dead worker is decided
by their leases.
"""

import logging
import math
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.models.functions import Now

from tasks.models import BEAT, SILENT_AFTER, Job, SchedulerTick, Worker

FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


class Heartbeat:
    """The heartbeat of this process, from a thread: a job may keep the main one busy for hours.

    It goes on when the database fails: a worker lives through a restart of it.
    """

    def __init__(self, *, name: str) -> None:
        self._process: dict[str, Any] = {
            "name": name,
            "host": socket.gethostname(),
            "pid": os.getpid(),
        }
        self._job_id: int | None = None
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and leave no trace: who ends as they should is not missed."""
        self._is_over.set()
        self._thread.join()
        with _tolerated():
            Worker.objects.filter(**self._process).delete()

    def turn_to(self, job_id: int | None) -> None:
        """Say at once which job the process is at; None: it waits for one."""
        self._job_id = job_id
        with _tolerated():
            self.beat()

    def beat(self) -> None:
        """Write the row of this process, and remove those that nobody has to see any longer."""
        Worker.objects.bulk_create(
            [Worker(**self._process, job_id=self._job_id)],
            update_conflicts=True,
            unique_fields=["name", "host", "pid"],
            update_fields=["seen_at", "job"],
        )
        others = Worker.objects.exclude(**self._process)
        others.filter(seen_at__lt=Now() - FORGOTTEN_AFTER).delete()
        # the same worker has replaced them
        replaced = others.filter(name=self._process["name"], host=self._process["host"])
        replaced.filter(seen_at__lt=Now() - SILENT_AFTER).delete()

    def _run(self) -> None:
        is_over = False
        while not is_over:
            with _tolerated():
                try:
                    self.beat()
                finally:
                    connection.close()
            is_over = self._is_over.wait(BEAT.total_seconds())


_heartbeat: Heartbeat | None = None


def start_heartbeat(*, name: str) -> None:
    """Begin to report this process, which belongs to the worker of that name."""
    global _heartbeat  # one per process, begun and ended by two signals of Celery
    _heartbeat = Heartbeat(name=name)
    _heartbeat.start()


def stop_heartbeat() -> None:
    """Sign off, if this process has reported at all."""
    if _heartbeat is not None:
        _heartbeat.stop()


@contextmanager
def busy_with(*, job: Job) -> Iterator[None]:
    """Let the heartbeat name the job while the block runs; nothing without a heartbeat."""
    _turn_to(job.pk)
    try:
        yield
    finally:
        _turn_to(None)


def _turn_to(job_id: int | None) -> None:
    if _heartbeat is not None:
        _heartbeat.turn_to(job_id)


class Ticks:
    """That the scheduler ticks, written down at most every BEAT: it sends something every second
    or so, and SQLite has one writer at a time."""

    def __init__(self) -> None:
        self._written = -math.inf

    def note(self) -> None:
        """A sweep has just been sent. While the database fails, the next one is tried."""
        now = time.monotonic()
        if now - self._written < BEAT.total_seconds():
            return
        with _tolerated():
            SchedulerTick.objects.bulk_create(
                [SchedulerTick()],
                update_conflicts=True,
                unique_fields=["id"],
                update_fields=["seen_at"],
            )
            self._written = now


@contextmanager
def _tolerated() -> Iterator[None]:
    try:
        yield
    except DatabaseProblem:
        logger.warning("the heartbeat could not be written", exc_info=True)
