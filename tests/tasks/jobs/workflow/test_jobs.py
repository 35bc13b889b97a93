"""The job table: who may take a job, for how long, and what becomes of it."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now

from tasks.jobs.workflow import jobs
from tasks.models import Campaign, Job, JobKind, JobState
from tests.tasks.conftest import MakeCampaign


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


def enqueue(campaign: Campaign, name: str = "f1") -> Job:
    return jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name})


def begin(job: Job) -> Job:
    begun = jobs.begin(job_id=job.pk)
    assert begun is not None
    return begun


def let_time_pass(job: Job) -> None:
    """As if the job had been sent, its lease ended and its next try come, two leases ago."""
    past = Now() - 2 * jobs.LEASE
    Job.objects.filter(pk=job.pk, not_before__gt=Now()).update(not_before=past)
    Job.objects.filter(pk=job.pk, sent_at__isnull=False).update(sent_at=past)
    Job.objects.filter(pk=job.pk, lease_until__isnull=False).update(lease_until=past)


def row(job: Job, *fields: str) -> tuple[Any, ...]:
    stored: tuple[Any, ...] = Job.objects.values_list(*fields).get(pk=job.pk)
    return stored


def seconds_left(job: Job) -> float:
    """Of the lease, by the database's clock."""
    found = Job.objects.annotate(now=Now()).get(pk=job.pk)
    assert found.lease_until is not None
    left: timedelta = found.lease_until - found.now
    return left.total_seconds()


def test_enqueue_gives_the_unfinished_job_again(campaign: Campaign) -> None:
    first = enqueue(campaign)
    assert enqueue(campaign) == first
    begin(first)
    assert enqueue(campaign) == first
    other = enqueue(campaign, "em")
    jobs.finish(job=begin(other), result={})
    anew = enqueue(campaign, "em")
    assert len({first.pk, other.pk, anew.pk}) == Job.objects.count() == 3


def test_begin_gives_a_job_to_one_worker_only(campaign: Campaign) -> None:
    job = enqueue(campaign)
    begun = begin(job)
    assert (begun.state, begun.attempts, begun.fence) == (JobState.RUNNING, 1, 1)
    assert seconds_left(job) == pytest.approx(jobs.LEASE.total_seconds(), abs=5)
    assert jobs.begin(job_id=job.pk) is None


def test_begin_takes_over_what_a_dead_worker_left(campaign: Campaign) -> None:
    job = enqueue(campaign)
    begin(job)
    let_time_pass(job)
    again = begin(job)
    assert (again.attempts, again.fence) == (2, 2)


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED, JobState.CANCELLED])
def test_begin_leaves_a_finished_job_alone(campaign: Campaign, state: JobState) -> None:
    job = enqueue(campaign)
    Job.objects.filter(pk=job.pk).update(state=state)
    assert jobs.begin(job_id=job.pk) is None
    assert row(job, "state", "attempts") == (state, 0)


def test_begin_knows_no_job_that_is_not_there(campaign: Campaign) -> None:
    assert jobs.begin(job_id=enqueue(campaign).pk + 1) is None


def test_report_progress_renews_the_lease(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    let_time_pass(job)
    jobs.report_progress(job=job, done=2, total=5)
    assert row(job, "done", "total") == (2, 5)
    assert seconds_left(job) == pytest.approx(jobs.LEASE.total_seconds(), abs=5)


def test_a_worker_that_lost_its_lease_cannot_write(campaign: Campaign) -> None:
    slow = begin(enqueue(campaign))
    let_time_pass(slow)
    begin(slow)
    with pytest.raises(jobs.LeaseLost):
        jobs.report_progress(job=slow, done=1, total=1)
    with pytest.raises(jobs.LeaseLost):
        jobs.finish(job=slow, result={"by": "slow"})
    jobs.give_up(job=slow, error="slow")
    jobs.hand_back(job=slow, error="slow")
    stored = row(slow, "state", "done", "result", "error", "fence")
    assert stored == (JobState.RUNNING, 0, None, "", 2)


def test_finish_keeps_the_result(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    jobs.finish(job=job, result={"items": 1})
    stored = row(job, "state", "result", "lease_until")
    assert stored == (JobState.DONE, {"items": 1}, None)
    assert Job.objects.get().finished_at is not None
    with pytest.raises(jobs.LeaseLost):
        jobs.finish(job=job, result={"items": 2})


def test_give_up_says_why(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    jobs.give_up(job=job, error="no such matcher")
    assert row(job, "state", "error", "lease_until") == (JobState.FAILED, "no such matcher", None)


def test_hand_back_tries_again_until_the_last_attempt(campaign: Campaign) -> None:
    job = enqueue(campaign)
    states = []
    for _attempt in range(jobs.MAX_ATTEMPTS):
        jobs.hand_back(job=begin(job), error="disk full")
        states.append(row(job, "state", "failures", "error"))
        let_time_pass(job)
    tried = [(JobState.QUEUED, n, "disk full") for n in range(1, jobs.MAX_ATTEMPTS)]
    assert states == [*tried, (JobState.FAILED, jobs.MAX_ATTEMPTS, "disk full")]


def test_hand_back_waits_before_the_next_try(campaign: Campaign) -> None:
    job = enqueue(campaign)
    jobs.jobs_to_send()
    jobs.hand_back(job=begin(job), error="disk full")
    assert jobs.jobs_to_send() == []
    assert jobs.begin(job_id=job.pk) is None
    found = Job.objects.annotate(now=Now()).get(pk=job.pk)
    wait = jobs.delay_after(job_id=job.pk, failures=1)
    assert (found.not_before - found.now).total_seconds() == pytest.approx(
        wait.total_seconds(), abs=5
    )
    let_time_pass(job)
    assert jobs.jobs_to_send() == [job.pk]
    assert begin(job).attempts == 2


def test_delay_after_grows_within_a_quarter_of_its_base() -> None:
    # 15 s x 1, 4, 16 and 64
    for failures, base in enumerate([15, 60, 240, 960], start=1):
        delays = [jobs.delay_after(job_id=n, failures=failures).total_seconds() for n in range(100)]
        assert 0.75 * base <= min(delays) < max(delays) < 1.25 * base
        assert len(set(delays)) == 100
    assert jobs.delay_after(job_id=7, failures=2) == jobs.delay_after(job_id=7, failures=2)


def test_an_attempt_that_gets_further_is_no_failure(campaign: Campaign) -> None:
    """Else a long job would be given up for five bad moments in a week."""
    job = enqueue(campaign)
    for done in range(1, 2 * jobs.MAX_ATTEMPTS):
        begun = begin(job)
        jobs.report_progress(job=begun, done=done, total=100)
        jobs.hand_back(job=begun, error="endpoint down")
        assert row(job, "state", "failures") == (JobState.QUEUED, 1)
        let_time_pass(job)


def test_getting_as_far_as_before_is_no_progress(campaign: Campaign) -> None:
    job = enqueue(campaign)
    for failures in range(1, jobs.MAX_ATTEMPTS):
        begun = begin(job)
        jobs.report_progress(job=begun, done=3, total=10)
        jobs.hand_back(job=begun, error="endpoint down")
        assert row(job, "failures", "done") == (failures, 3)
        let_time_pass(job)


def test_errors_are_kept_as_every_database_can_hold_them(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    jobs.give_up(job=job, error="a\0b \ud800 " + "x" * 5000)
    (stored,) = row(job, "error")
    assert stored == "a\u2400b ? " + "x" * (jobs.MAX_ERROR - 7) + "\u2026"


@pytest.mark.parametrize("is_running", [False, True])
def test_cancel_stops_an_unfinished_job(campaign: Campaign, is_running: bool) -> None:
    job = enqueue(campaign)
    begun = begin(job) if is_running else None
    assert jobs.cancel(job=job)
    assert row(job, "state", "lease_until") == (JobState.CANCELLED, None)
    assert Job.objects.get().finished_at is not None
    assert (jobs.begin(job_id=job.pk), jobs.jobs_to_send()) == (None, [])
    if begun is not None:
        with pytest.raises(jobs.LeaseLost):
            jobs.report_progress(job=begun, done=1, total=1)
        with pytest.raises(jobs.LeaseLost):
            jobs.finish(job=begun, result={})
        jobs.hand_back(job=begun, error="stopped")
    assert row(job, "state", "done", "error") == (JobState.CANCELLED, 0, "")


def test_cancel_leaves_a_finished_job_alone(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    jobs.finish(job=job, result={})
    assert not jobs.cancel(job=job)
    assert row(job, "state") == (JobState.DONE,)


def test_a_cancelled_job_is_started_again(campaign: Campaign) -> None:
    cancelled = begin(enqueue(campaign))
    jobs.cancel(job=cancelled)
    assert jobs.restart(job=cancelled)
    begun = begin(cancelled)
    assert begun.fence == 2
    # the worker that was at it before has not noticed yet
    with pytest.raises(jobs.LeaseLost):
        jobs.report_progress(job=cancelled, done=1, total=1)


def test_restart_queues_a_failed_job_like_a_new_one(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    jobs.give_up(job=job, error="no such matcher")
    assert jobs.restart(job=job)
    assert row(job, "state", "attempts", "error", "finished_at") == (JobState.QUEUED, 0, "", None)
    assert jobs.jobs_to_send() == [job.pk]


def test_restart_leaves_any_other_job_alone(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    assert not jobs.restart(job=job)
    assert row(job, "state", "attempts") == (JobState.RUNNING, 1)


def test_restart_does_not_double_a_job_that_was_queued_anew(campaign: Campaign) -> None:
    failed = begin(enqueue(campaign))
    jobs.give_up(job=failed, error="no such matcher")
    anew = enqueue(campaign)
    assert not jobs.restart(job=failed)
    assert [row(job, "state") for job in (failed, anew)] == [(JobState.FAILED,), (JobState.QUEUED,)]


def test_jobs_to_send_hands_each_job_to_one_caller(campaign: Campaign) -> None:
    first, second = enqueue(campaign), enqueue(campaign, "em")
    assert jobs.jobs_to_send() == [first.pk, second.pk]
    assert jobs.jobs_to_send() == []


def test_jobs_to_send_sends_lost_messages_again(campaign: Campaign) -> None:
    lost, begun = enqueue(campaign), enqueue(campaign, "em")
    jobs.jobs_to_send()
    begin(begun)
    let_time_pass(lost)
    assert jobs.jobs_to_send() == [lost.pk]


def test_jobs_to_send_finds_what_a_dead_worker_left(campaign: Campaign) -> None:
    job = enqueue(campaign)
    jobs.jobs_to_send()
    begin(job)
    assert jobs.jobs_to_send() == []
    let_time_pass(job)
    assert jobs.jobs_to_send() == [job.pk]
    assert jobs.jobs_to_send() == []


def test_a_job_that_kills_its_workers_is_given_up(campaign: Campaign) -> None:
    job = enqueue(campaign)
    for deaths in range(jobs.MAX_ATTEMPTS):
        assert begin(job).deaths == deaths
        let_time_pass(job)
    assert jobs.begin(job_id=job.pk) is None
    assert jobs.jobs_to_send() == []
    assert row(job, "state", "error", "failures") == (
        JobState.FAILED,
        "its worker died 5 times without getting any further",
        0,
    )


def test_a_job_that_gets_further_outlives_any_number_of_workers(campaign: Campaign) -> None:
    job = enqueue(campaign)
    for done in range(1, 5 * jobs.MAX_ATTEMPTS + 1):
        jobs.report_progress(job=begin(job), done=done, total=100)
        let_time_pass(job)
    assert jobs.jobs_to_send() == [job.pk]
    assert row(job, "state", "attempts", "deaths") == (JobState.RUNNING, 25, 0)


def test_renewed_lease_leaves_no_thread_behind(campaign: Campaign) -> None:
    job = begin(enqueue(campaign))
    with jobs.renewed_lease(job=job):
        assert f"lease-{job.pk}" in thread_names()
    assert f"lease-{job.pk}" not in thread_names()


def thread_names() -> list[str]:
    return [thread.name for thread in threading.enumerate()]
