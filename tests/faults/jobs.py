"""Looking at the jobs of a site from outside, and at the broker that wakes its workers."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redis import Redis

from bootstrap.services import PrivateRedis
from tests.site import Site

_AWAIT = """
import json, time
from tasks.models import Job

deadline = time.monotonic() + {seconds}
wanted = Job.objects.filter(**{fields!r}).order_by("-id")
while not (job := wanted.first()) and time.monotonic() < deadline:
    time.sleep(0.05)
if job is None:
    raise SystemExit(f"no such job: {{list(Job.objects.values())}}")
print(json.dumps({{
    "state": job.state, "attempts": job.attempts, "fence": job.fence,
    "done": job.done, "total": job.total, "result": job.result, "error": job.error,
    "lease_until": job.lease_until and job.lease_until.isoformat(),
}}))
"""

_NEWEST_WORKER = """
from tasks.models import Worker

print(max([0, *Worker.objects.values_list("id", flat=True)]))
"""
_AWAIT_WORKERS = """
import json, time
from tasks.models import Worker

deadline = time.monotonic() + {seconds}
wanted = Worker.objects.filter(**{fields!r}).order_by("pk")
while not (found := list(wanted.values())) and time.monotonic() < deadline:
    time.sleep(0.05)
if not found:
    raise SystemExit(f"no such worker: {{list(Worker.objects.values())}}")
print(json.dumps(found, default=str))
"""

_CANDIDATES = """
import json
from tasks.models import Candidate
found = Candidate.objects.values_list("question__text", "question__context", "text")
print(json.dumps(list(found)))
"""

_SUGGESTIONS = """
import json
from tasks.models import Suggestion
found = Suggestion.objects.filter(**{fields!r}).order_by("matcher", "item__key")
print(json.dumps(list(found.values_list("matcher", "item__key", "score", "is_correct"))))
"""


def await_job(site: Site, *, seconds: float = 40, **fields: Any) -> dict[str, Any]:
    """The newest job with these values (names as in a filter), as soon as there is one."""
    found: dict[str, Any] = json.loads(site.python(_AWAIT.format(seconds=seconds, fields=fields)))
    return found


def stored_suggestions(site: Site, **fields: Any) -> list[tuple[str, str, float, bool]]:
    """Matcher, item, score and decision, ordered by matcher and item; those with these values."""
    return [tuple(row) for row in json.loads(site.python(_SUGGESTIONS.format(fields=fields)))]


def stored_candidates(site: Site) -> list[tuple[str, str, str]]:
    """Question, context and candidate, in order."""
    return sorted(tuple(row) for row in json.loads(site.python(_CANDIDATES)))


def await_workers(site: Site, *, seconds: float = 20, **fields: Any) -> list[dict[str, Any]]:
    """The worker processes with these values, as soon as there are any."""
    code = _AWAIT_WORKERS.format(seconds=seconds, fields=fields)
    found: list[dict[str, Any]] = json.loads(site.python(code))
    return found


def newest_worker(site: Site) -> int:
    """The id of the process that was the last to report for the first time; 0 before the first."""
    return int(site.python(_NEWEST_WORKER))


@contextmanager
def table_away(site: Site, table: str) -> Iterator[None]:
    """A database in which one table is missing for a while."""
    rename = "from django.db import connection\nconnection.cursor().execute({!r})".format
    site.python(rename(f"ALTER TABLE {table} RENAME TO {table}_away"))
    try:
        yield
    finally:
        site.python(rename(f"ALTER TABLE {table}_away RENAME TO {table}"))


def await_line(log: Path, words: str, *, seconds: float = 20) -> None:
    """Returns once the words are in the log."""
    deadline = time.monotonic() + seconds
    while words not in log.read_text():
        assert time.monotonic() < deadline, f"{words!r} is not in {log.read_text()}"
        time.sleep(0.05)


def await_acknowledged(address: str, *, seconds: float = 20) -> None:
    """Returns once workers hold no message of the broker: kombu lets a worker die that loses the
    broker while it acknowledges one, and then whatever started it has to start another."""
    deadline = time.monotonic() + seconds
    with Redis.from_url(address) as redis:
        while redis.hlen("unacked"):
            assert time.monotonic() < deadline, "a message is not acknowledged"
            time.sleep(0.05)


@contextmanager
def broker() -> Iterator[str]:
    """The address of a broker: a Redis server with PostgreSQL; with SQLite none, which is files."""
    if not os.environ.get("DATABASE_URL"):
        yield ""
        return
    with PrivateRedis() as redis:
        yield redis.url


def lose_messages(site: Site) -> int:
    """Empty the broker; how much was in it."""
    if address := site.environment["TOMAHTO_BROKER_URL"]:
        with Redis.from_url(address) as redis:
            waiting = int(redis.llen("celery"))
            redis.flushall()
        return waiting
    # the folder stays: a worker that looks into it just then would die of it
    lost = list((site.folder / "queue" / "messages").iterdir())
    for message in lost:
        message.unlink(missing_ok=True)  # a worker may take it first
    return len(lost)
