"""A worker whose `f1` matcher works in small batches, waits, or dies, as the environment says.

`BATCH` is the number of items in a batch. `DEATHS` lists where it dies, as `number:stage:whom`:
in the batch of that number, counted from 1 over all lives in the file `BEGUN`; when it is
`scoring`, has `scored`, `stored` or `reported`; the `process` that does the job alone, or all of
its `worker`. `0:stage:whom`: in every batch. `PACE` is the
number of seconds that every batch takes at least. With `WAIT_FOR` set, the third batch is not begun
before that file is there. `WITHOUT` names a guard to be taken away.
"""

import os
import signal
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import django
from django.conf import settings

from annotation_site.celery import app

settings.JOB_LEASE_SECONDS = float(os.environ.get("LEASE", "0.5"))
django.setup()

from tasks.jobs.workflow import jobs, workers  # noqa: E402 - as above
from tasks.models import Campaign, Item, Job  # noqa: E402 - as above
from tasks.prefill.workflow import matchers  # noqa: E402 - as above
from tasks.votes.items import items_of  # noqa: E402 - as above
from tomahto.matching import f1  # noqa: E402 - the lease is read on import
from tomahto.matching.f1 import TokenF1  # noqa: E402 - as above
from tomahto.matching.interface import Matcher, Pair  # noqa: E402 - as above

__all__ = ["app"]

WAITS_AT = 3

app.conf.beat_schedule = {
    "sweep": {"task": "tasks.sweep", "schedule": 0.5, "options": {"expires": 1}}
}
app.conf.worker_lost_wait = 0.1

_begun = Path(os.environ["BEGUN"])
_deaths = {
    int(number): (stage, whom)
    for number, stage, whom in (each.split(":") for each in os.environ["DEATHS"].split())
}
_batch = 0


def die_if_told(stage: str) -> None:
    """SIGKILL, as the system does when memory runs out, or a person does."""
    told, whom = _deaths.get(_batch, _deaths.get(0, ("", "")))
    if stage != told or not _batch:
        return
    if whom == "worker":
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


class MortalF1(TokenF1):
    def score(self, pairs: Sequence[Pair]) -> list[float]:
        global _batch
        with _begun.open("ab") as begun:
            begun.write(b".")
        _batch = _begun.stat().st_size
        waited_for = os.environ.get("WAIT_FOR")
        while waited_for and _batch == WAITS_AT and not Path(waited_for).exists():
            Event().wait(0.02)
        Event().wait(float(os.environ.get("PACE", "0")))
        die_if_told("scoring")
        scores = super().score(pairs)
        die_if_told("scored")
        return scores


def store_suggestions(items: Sequence[Item], matcher: Matcher) -> dict[int, str]:
    reasons = _store(items, matcher)
    die_if_told("stored")
    return reasons


def report_progress(*, job: Job, done: int, total: int) -> None:
    if WITHOUT == "progress":
        job.done = total  # nothing is further than that
    _report(job=job, done=done, total=total)
    die_if_told("reported")


def all_items(campaign: Campaign, **_scored: Any) -> Any:
    return items_of(campaign)


WITHOUT = os.environ.get("WITHOUT", "")
_store, _report = matchers.store_suggestions, jobs.report_progress
if WITHOUT == "sweep":
    app.conf.beat_schedule = {}

for module, name, replacement in [
    (workers, "BEAT", timedelta(seconds=0.25)),
    (f1, "TokenF1", MortalF1),
    (jobs, "report_progress", report_progress),
    (matchers, "store_suggestions", store_suggestions),
    (matchers, "BATCH", int(os.environ.get("BATCH", "10"))),
    *([(matchers, "items_without_suggestion", all_items)] if WITHOUT == "once" else []),
]:
    setattr(module, name, replacement)
