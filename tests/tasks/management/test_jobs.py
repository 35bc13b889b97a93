"""`manage.py jobs`: the jobs of a campaign, seen, cancelled and tried again."""

from typing import Any

import pytest

from tasks.jobs.work import run_job
from tasks.jobs.workflow import jobs
from tasks.models import Campaign, Job, JobKind, JobState, Worker
from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import ITEM
from tests.tomahto.interchange.files import Write
from tomahto.matching.f1 import TokenF1

ODD = {**ITEM, "id": "i2", "candidate": "odd"}


class Picky(TokenF1):
    """Cannot read an odd candidate."""

    def score(self, pairs: Any) -> list[float]:
        if any(pair.candidate == "odd" for pair in pairs):
            raise ValueError("cannot read it")
        return super().score(pairs)


@pytest.fixture(autouse=True)
def _nobody_else_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.jobs.workflow.jobs.send_waiting_jobs", lambda: None)
    monkeypatch.setattr("tasks.management.commands.jobs.send_waiting_jobs", lambda: None)
    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: Picky())


def queue_job(slug: str, name: str = "f1") -> Job:
    campaign = Campaign.objects.get(slug=slug)
    return jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name})


def state_of(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def test_jobs_lists_queue_workers_and_jobs(manage: Manage, campaign: str) -> None:
    job = queue_job(campaign)
    Worker.objects.create(name="celery@here", host="here", pid=7, job=job)
    printed = manage.json("jobs", campaign)
    (worker,) = printed["workers"]
    silence, started = worker.pop("silent_for"), worker.pop("started_at")
    assert worker == {
        "name": "celery@here",
        "host": "here",
        "pid": 7,
        "alive": True,
        "job": job.pk,
    }
    assert (0 <= silence < 5, started[:2]) == (True, "20")
    assert 0 <= printed["queue"].pop("oldest_wait") < 5
    assert printed["queue"] == {"waiting": 1, "delayed": 0, "running": 0}
    (shown,) = printed["jobs"]
    assert shown.pop("created_at")
    assert shown == {
        "id": job.pk,
        "kind": "suggest",
        "name": "f1",
        "state": "queued",
        "done": 0,
        "total": None,
        "failed": 0,
        "attempts": 0,
        "failures": 0,
        "deaths": 0,
        "next_try_in": None,
        "error": "",
        "result": None,
        "finished_at": None,
    }


def test_jobs_says_when_the_next_try_is(manage: Manage, campaign: str) -> None:
    job = queue_job(campaign)
    begun = jobs.begin(job_id=job.pk)
    assert begun is not None
    jobs.hand_back(job=begun, error="endpoint\ndown")
    wait = jobs.delay_after(job_id=job.pk, failures=1).total_seconds()
    shown = manage.json("jobs", campaign)["jobs"][0]
    assert (shown["failures"], shown["error"]) == (1, "endpoint\ndown")
    assert shown["next_try_in"] == pytest.approx(wait, abs=5)
    line = manage("jobs", campaign).splitlines()[-1]
    assert line.startswith(f"job {job.pk}: suggest f1, queued, next try in ")
    assert line.endswith(" s, endpoint down")


def test_jobs_cancels_and_tries_again(manage: Manage, campaign: str) -> None:
    job = queue_job(campaign)
    assert manage.json("jobs", campaign, "--cancel", job.pk)["jobs"][0]["state"] == "cancelled"
    assert state_of(job) == JobState.CANCELLED
    assert manage.json("jobs", campaign, "--retry", job.pk)["jobs"][0]["state"] == "queued"
    assert state_of(job) == JobState.QUEUED


@pytest.mark.parametrize(
    ("option", "error"),
    [("--cancel", "nothing to cancel"), ("--retry", "nothing to try again")],
)
def test_jobs_refuses_what_cannot_be_done(
    manage: Manage, campaign: str, option: str, error: str
) -> None:
    job = queue_job(campaign)
    run_job(job.pk)
    printed = manage.error("jobs", campaign, option, job.pk)
    assert printed == f"CommandError: job {job.pk} is done: {error}\n"


@pytest.mark.parametrize("option", ["--cancel", "--retry", "--failures"])
def test_jobs_knows_only_jobs_of_the_campaign(
    manage: Manage, campaign: str, cap_campaign: str, option: str
) -> None:
    job = queue_job(cap_campaign)
    printed = manage.error("jobs", campaign, option, job.pk)
    assert printed == f"CommandError: rivers has no job {job.pk}\n"
    assert state_of(job) == JobState.QUEUED


def test_jobs_lists_what_a_job_failed_at(manage: Manage, campaign: str, write: Write) -> None:
    manage("import_items", campaign, write("i.jsonl", [ITEM, ODD]))
    job = queue_job(campaign)
    run_job(job.pk)
    assert manage.json("jobs", campaign)["jobs"][0]["failed"] == 1
    assert "done, 2 of 2, failed at 1" in manage("jobs", campaign)
    (failure,) = manage.json("jobs", campaign, "--failures", job.pk)["failures"]
    assert failure.pop("failed_at")
    key = Campaign.objects.get(slug=campaign).items.get(candidate="odd").key
    assert failure == {
        "kind": "item",
        "id": key,
        "reason": "ValueError: cannot read it",
        "attempts": 1,
        "is_due": False,
        "acknowledged_by": None,
    }
    assert manage("jobs", campaign, "--failures", job.pk) == f"{key}: ValueError: cannot read it\n"
