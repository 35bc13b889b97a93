"""manage.py prefill SLUG [--matcher NAME ...] [--answerer NAME ...] [--wait]"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError

from inference.answerers.registry import answerer_names
from inference.matchers.registry import available_matchers, matcher_names
from tasks.jobs import run_job, start_job
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Job, JobKind, JobState
from tasks.queries.jobs import failures_of
from tasks.workflow.jobs import MAX_ATTEMPTS

_POLL_SECONDS = 0.2
_WORKER_GRACE_SECONDS = 2.0


class Command(TomahtoCommand):
    help = "Let workers score all items with matchers, or make candidates with answerers."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--matcher",
            action="append",
            default=[],
            choices=matcher_names(),
            metavar="NAME",
            help=f"one of {', '.join(matcher_names())}; all that can be used here "
            "if neither option is given",
        )
        parser.add_argument(
            "--answerer",
            action="append",
            default=[],
            choices=answerer_names(),
            metavar="NAME",
            help=f"one of {', '.join(answerer_names())}",
        )
        parser.add_argument(
            "--wait",
            action="store_true",
            help="until all is done; does the work itself where no worker takes it",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        matchers = options["matcher"] or ([] if options["answerer"] else available_matchers())
        wanted = [(JobKind.ANSWER, name) for name in options["answerer"]]
        wanted += [(JobKind.SUGGEST, name) for name in matchers]
        jobs = [
            start_job(campaign=campaign, kind=kind, parameters={"name": name})
            for kind, name in wanted
        ]
        if options["wait"]:
            begun_waiting = time.monotonic()
            for job in jobs:
                _wait(job, begun_waiting)
        if failed := [job for job in jobs if job.state == JobState.FAILED]:
            raise CommandError("; ".join(f"{job.title} failed: {job.error}" for job in failed))
        if stopped := [job for job in jobs if job.state == JobState.CANCELLED]:
            raise CommandError("; ".join(f"{job.title} was cancelled" for job in stopped))
        return {"jobs": [_as_json(job) for job in jobs]}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for job in result["jobs"]:
            failed = f", failed at {job['failed']:,}" if job["failed"] else ""
            yield f"job {job['id']}: {job['kind']} {job['name']}, {job['state']}{failed}"

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        """Items that a job failed at are missing, although it is done."""
        return any(job["failed"] for job in result["jobs"])


def _wait(job: Job, since: float) -> None:
    """Until the job is finished; what no worker is at after a moment is done here."""
    told = 0
    while not job.is_finished:
        time.sleep(_POLL_SECONDS)
        if time.monotonic() - since > _WORKER_GRACE_SECONDS:
            run_job(job.pk)  # nothing happens while a worker is at it
        job.refresh_from_db()
        if job.failures > told:
            said = f"tried {job.failures} of {MAX_ATTEMPTS} times: {job.error}"
            print(f"{job.title}: {said}", file=sys.stderr, flush=True)
        told = job.failures
        if job.total is not None:
            print(f"{job.title}: {job.done:,} of {job.total:,}", file=sys.stderr, flush=True)


def _as_json(job: Job) -> dict[str, Any]:
    return {
        "id": job.pk,
        "kind": job.kind,
        "name": job.parameters["name"],
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "failed": failures_of(job).filter(acknowledged_at=None).count(),
        "result": job.result,
    }
