"""A worker that is killed while it puts a release into the object store.

`KILLED_AFTER` lists the files after which, one death after another, it gets SIGKILL. Each death
leaves a line in the file `DEATHS`: how many releases are listed at that moment.
"""

import os
import signal
from pathlib import Path

import django
from django.conf import settings

from annotation_site.celery import app

settings.JOB_LEASE_SECONDS = 0.5
django.setup()

from tasks.models import Release  # noqa: E402 - the lease is read on import
from tasks.release_store.bucket import Bucket  # noqa: E402 - as above

__all__ = ["app"]

app.conf.beat_schedule = {
    "sweep": {"task": "tasks.sweep", "schedule": 0.5, "options": {"expires": 1}}
}
app.conf.worker_lost_wait = 0.1

_deaths = Path(os.environ["DEATHS"])
_killed_after = os.environ["KILLED_AFTER"].split()
_put = Bucket.put


def put(bucket: Bucket, key: str, path: Path) -> None:
    _put(bucket, key, path)
    died = len(_deaths.read_text().splitlines()) if _deaths.exists() else 0
    if died < len(_killed_after) and key.endswith(f"/{_killed_after[died]}"):
        with _deaths.open("a") as deaths:
            deaths.write(f"{Release.objects.count()}\n")
        os.kill(os.getpid(), signal.SIGKILL)


Bucket.put = put  # type: ignore[method-assign, assignment]  # on purpose
