from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError

from tasks.jobs.queries import failures_of, jobs_of, queue, workers
from tasks.jobs.workflow.jobs import cancel, restart, send_waiting_jobs
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Campaign, Job, JobFailure, Worker


class Command(TomahtoCommand):
    help = "List the jobs of a campaign, their failures and the workers of the site."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--cancel", type=int, metavar="ID", help="stop a job")
        what.add_argument(
            "--retry",
            type=int,
            metavar="ID",
            help="restart a stopped job, or the items it failed at",
        )
        what.add_argument("--failures", type=int, metavar="ID", help="list the failures of one job")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        if options["failures"] is not None:
            job = _job(campaign, options["failures"])
            return {"failures": [_failure_as_json(failure) for failure in failures_of(job)]}
        if options["cancel"] is not None:
            job = _job(campaign, options["cancel"])
            if not cancel(job=job):
                raise CommandError(f"job {job.pk} is {job.state}: nothing to cancel")
        if options["retry"] is not None:
            job = _job(campaign, options["retry"])
            if not restart(job=job):
                raise CommandError(f"job {job.pk} is {job.state}: nothing to try again")
            send_waiting_jobs()
        found = queue()
        wait = found.oldest_wait
        return {
            "queue": {
                "waiting": found.waiting,
                "delayed": found.delayed,
                "running": found.running,
                "oldest_wait": None if wait is None else wait.total_seconds(),
            },
            "workers": [_worker_as_json(worker) for worker in workers()],
            "jobs": [_job_as_json(job) for job in jobs_of(campaign)],
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if "failures" in result:
            yield from (f"{each['id']}: {each['reason']}" for each in result["failures"])
            return
        waiting = result["queue"]
        yield f"{waiting['running']} running, {waiting['waiting']} waiting"
        for worker in result["workers"]:
            state = "alive" if worker["alive"] else "silent"
            yield f"worker {worker['name']}, process {worker['pid']}: {state}"
        for job in result["jobs"]:
            yield _line(job)


def _line(job: Mapping[str, Any]) -> str:
    parts = [f"job {job['id']}: {job['kind']} {job['name']}".rstrip(), job["state"]]
    if job["total"] is not None:
        parts.append(f"{job['done']:,} of {job['total']:,}")
    if job["failed"]:
        parts.append(f"failed at {job['failed']:,}")
    if job["next_try_in"] is not None:
        parts.append(f"next try in {job['next_try_in']:.0f} s")
    if job["error"]:
        parts.append(" ".join(job["error"].split()))
    return ", ".join(parts)


def _job(campaign: Campaign, job_id: int) -> Job:
    try:
        return Job.objects.get(campaign=campaign, pk=job_id)
    except Job.DoesNotExist:
        raise CommandError(f"{campaign.slug} has no job {job_id}") from None


def _job_as_json(job: Job) -> dict[str, Any]:
    # annotated by jobs_of
    wait, failed = job.wait.total_seconds(), job.failed_count  # type: ignore[attr-defined]  # annotated
    return {
        "id": job.pk,
        "kind": job.kind,
        "name": str(job.parameters.get("name", job.parameters.get("version", ""))),
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "failed": failed,
        "attempts": job.attempts,
        "failures": job.failures,
        "deaths": job.deaths,
        "next_try_in": wait if not job.is_finished and wait > 0 else None,
        "error": job.error,
        "result": job.result,
        "created_at": job.created_at.isoformat(),
        "finished_at": job.finished_at and job.finished_at.isoformat(),
    }


def _failure_as_json(failure: JobFailure) -> dict[str, Any]:
    subject = failure.item or failure.question
    return {
        "kind": "item" if failure.item else "question",
        "id": subject and subject.key,
        "reason": failure.reason,
        "attempts": failure.attempts,
        "failed_at": failure.failed_at.isoformat(),
        "is_due": failure.is_due,
        "acknowledged_by": failure.acknowledged_by and failure.acknowledged_by.name,
    }


def _worker_as_json(worker: Worker) -> dict[str, Any]:
    # annotated by workers
    silence: float = worker.silent_for.total_seconds()  # type: ignore[attr-defined]  # annotated
    return {
        "name": worker.name,
        "host": worker.host,
        "pid": worker.pid,
        "alive": not worker.is_silent,  # type: ignore[attr-defined]  # annotated
        "silent_for": silence,
        "started_at": worker.started_at.isoformat(),
        "job": worker.job_id,
    }
