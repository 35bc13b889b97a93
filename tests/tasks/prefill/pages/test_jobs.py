"""Jobs, the workers, and what failed, as the admins of a campaign see them."""

import re
from functools import partial
from http import HTTPStatus

import pytest
from django.db.models.functions import Now
from django.test import Client

from tasks.jobs.workflow import jobs
from tasks.jobs.workflow.failures import record_failures
from tasks.models import Campaign, Item, Job, JobFailure, JobKind, JobState, Membership, Worker
from tests.factories import make_campaign, make_item, make_member
from tests.stored_at_once import store_items
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import item_row
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


HTMX = {"HX-Request": "true"}
HOSTILE = "<script>alert(1)</script> \u202e read backwards"


def begun_job(campaign: Campaign, name: str = "f1") -> Job:
    job = jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name})
    begun = jobs.begin(job_id=job.pk)
    assert begun is not None
    return begun


def job_with_failures(campaign: Campaign, reason: str = "cannot read it") -> Job:
    """A job that is done, except for every item of the campaign."""
    job = begun_job(campaign)
    items = Item.objects.filter(campaign=campaign).values_list("pk", flat=True)
    record_failures(job=job, subject="item", reasons=dict.fromkeys(items, reason))
    jobs.finish(job=job, result={"matcher": "f1"})
    return job


def page(client: Client, address: str, **headers: str) -> str:
    response = client.get(f"/c/rivers/jobs/{address}", headers=headers)
    assert response.status_code == HTTPStatus.OK
    return " ".join(response.content.decode().split())


def state_of(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def test_a_job_shows_what_came_of_it(admin: Membership, campaign: Campaign) -> None:
    job = begun_job(campaign)
    jobs.finish(job=job, result={"missing": {"partial": 2, "invalid": 1}, "drafts": 5})
    html = page(signed_in(admin), f"{job.pk}/")
    assert re.findall(r"<dt>(.*?)</dt> *<dd> *(.*?) *</dd>", html) == [
        ("drafts", "5"),
        ("missing", "invalid: 1; partial: 2"),
    ]


def test_the_newest_jobs_come_first_and_are_never_left_out(
    admin: Membership, campaign: Campaign
) -> None:
    made = Job.objects.bulk_create(
        Job(campaign=campaign, kind=JobKind.SUGGEST, input_hash=f"{n}", parameters={"name": "f1"})
        for n in range(102)
    )
    numbers = [job.pk for job in made]
    shown = re.findall(r'href="/c/rivers/jobs/(\d+)/"', page(signed_in(admin), ""))
    assert [int(number) for number in shown] == numbers[:-101:-1]


def test_a_running_job_is_cancelled_and_started_again(
    admin: Membership, campaign: Campaign
) -> None:
    client, job = signed_in(admin), begun_job(campaign)
    assert "Cancel the job" in page(client, f"{job.pk}/")
    response = client.post(f"/c/rivers/jobs/{job.pk}/cancel/", follow=True)
    html = response.content.decode()
    assert "Finished work is kept" in html
    assert ("Cancel the job" in html, "Start again" in html, "hx-get" in html) == (
        False,
        True,
        False,
    )
    assert state_of(job) == JobState.CANCELLED
    client.post(f"/c/rivers/jobs/{job.pk}/retry/")
    assert state_of(job) == JobState.QUEUED


def test_a_job_that_has_ended_is_not_cancelled(admin: Membership, campaign: Campaign) -> None:
    job = begun_job(campaign)
    jobs.finish(job=job, result={})
    response = signed_in(admin).post(f"/c/rivers/jobs/{job.pk}/cancel/", follow=True)
    assert "The job had already ended" in response.content.decode()
    assert state_of(job) == JobState.DONE


def test_a_job_that_will_be_tried_again_says_when(admin: Membership, campaign: Campaign) -> None:
    job = begun_job(campaign)
    jobs.hand_back(job=job, error="endpoint down")
    Job.objects.filter(pk=job.pk).update(failures=2, not_before=Now() + jobs.FIRST_DELAY * 4)
    html = page(signed_in(admin), f"{job.pk}/", **HTMX)
    assert "2 of 5 attempts made. Next attempt in" in html
    assert "endpoint down" in html
    assert 'hx-trigger="every 5s"' in html


def test_a_job_that_ended_with_errors_says_so_and_lists_them(
    admin: Membership, campaign: Campaign
) -> None:
    job = job_with_failures(campaign, HOSTILE)
    client = signed_in(admin)
    html = page(client, f"{job.pk}/")
    assert "<b>Done</b>, with 2 errors" in html
    assert "<b>Done</b>, with 2 errors" in page(client, "")
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
    assert "<script>alert" not in html
    assert '<bdi class="control">RLO</bdi>' in html
    for item in campaign.items.all():
        assert item.key in html


def test_failures_come_in_pages(admin: Membership, campaign: Campaign) -> None:
    store_items(campaign, [item_row(number) for number in range(100, 150)])
    job = job_with_failures(campaign)
    client = signed_in(admin)
    first, second = page(client, f"{job.pk}/"), page(client, f"{job.pk}/?page=2")
    assert (first.count('class="why"'), second.count('class="why"')) == (50, 2)
    assert page(client, "failed/?page=2").count('class="why"') == 2


def test_all_that_failed_is_tried_again(admin: Membership, campaign: Campaign) -> None:
    job = job_with_failures(campaign)
    signed_in(admin).post(f"/c/rivers/jobs/{job.pk}/retry/")
    assert state_of(job) == JobState.QUEUED
    assert set(JobFailure.objects.values_list("is_due", flat=True)) == {True}


def test_one_item_is_tried_again_and_another_left(admin: Membership, campaign: Campaign) -> None:
    job = job_with_failures(campaign)
    again, left = JobFailure.objects.order_by("pk")
    client = signed_in(admin)
    client.post(f"/c/rivers/jobs/{job.pk}/leave/", {"failure": left.pk})
    client.post(f"/c/rivers/jobs/{job.pk}/retry/", {"failure": again.pk})
    found = JobFailure.objects.order_by("pk").values_list("is_due", "acknowledged_by")
    assert list(found) == [(True, None), (False, admin.pk)]
    assert state_of(job) == JobState.QUEUED


def test_what_was_left_moves_to_a_page_of_its_own(admin: Membership, campaign: Campaign) -> None:
    failed = begun_job(campaign, "em")
    jobs.give_up(job=failed, error="no such thing")
    job_with_failures(campaign)
    client = signed_in(admin)
    assert "1 job, 2 items or questions" in page(client, "")
    html = page(client, "failed/")
    assert ("no such thing" in html, html.count("cannot read it")) == (True, 2)
    for job in Job.objects.all():
        response = client.post(f"/c/rivers/jobs/{job.pk}/leave/", {"overview": "1"})
        assert response["Location"] == "/c/rivers/jobs/failed/"
    assert "no such thing" not in page(client, "failed/")
    left = page(client, "failed/?left=1")
    assert left.count("Ignored by oak") == 3
    assert "no such thing" in left
    assert "Some work failed" not in page(client, "")


def test_a_failed_job_that_was_started_anew_is_settled(
    admin: Membership, campaign: Campaign
) -> None:
    jobs.give_up(job=begun_job(campaign), error="endpoint down")
    jobs.finish(job=begun_job(campaign), result={})
    assert "endpoint down" not in page(signed_in(admin), "failed/")


@pytest.mark.parametrize("failure", ["0", "x", "²", "9" * 30])
def test_a_failure_that_is_not_there_is_not_found(
    admin: Membership, campaign: Campaign, failure: str
) -> None:
    job = job_with_failures(campaign)
    for action in ("retry", "leave"):
        response = signed_in(admin).post(f"/c/rivers/jobs/{job.pk}/{action}/", {"failure": failure})
        assert response.status_code == HTTPStatus.NOT_FOUND
    assert state_of(job) == JobState.DONE


def test_failures_of_another_job_are_not_reached(admin: Membership, campaign: Campaign) -> None:
    elsewhere = make_campaign("lakes")
    make_item(elsewhere)
    other, own = job_with_failures(elsewhere, "their secret"), job_with_failures(campaign)
    client = signed_in(admin)
    failure = JobFailure.objects.get(job=other)
    for action in ("retry", "leave"):
        response = client.post(f"/c/rivers/jobs/{own.pk}/{action}/", {"failure": failure.pk})
        assert response.status_code == HTTPStatus.NOT_FOUND
        response = client.post(f"/c/rivers/jobs/{other.pk}/{action}/")
        assert response.status_code == HTTPStatus.NOT_FOUND
    assert "their secret" not in page(client, "failed/") + page(client, "")
    failure.refresh_from_db()
    assert (failure.is_due, failure.acknowledged_at) == (False, None)


def test_researchers_see_a_job_and_are_offered_nothing(
    researcher: Membership, campaign: Campaign
) -> None:
    assert "Cancel" not in page(signed_in(researcher), f"{begun_job(campaign).pk}/")


def test_workers_and_queue_are_shown(admin: Membership, campaign: Campaign) -> None:
    assert "No worker has reported" in page(signed_in(admin), "")
    theirs = begun_job(make_campaign("lakes"), "their-matcher")
    own = begun_job(campaign)
    for pid, job in enumerate([own, theirs, None], start=1):
        Worker.objects.create(name="celery@here", host="here", pid=pid, job=job)
    Worker.objects.filter(pid=3).update(seen_at=Now() - jobs.LEASE * 2)
    jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "em"})
    html = page(signed_in(admin), "")
    assert "<dt>running</dt><dd>2</dd>" in html
    assert "<dt>waiting</dt><dd>1</dd>" in html
    assert "<dt>longest wait</dt><dd>0 s</dd>" in html
    assert (html.count(">alive<"), html.count(">silent<")) == (2, 1)
    assert "of another campaign" in html
    assert "their-matcher" not in html


COST = {"list": 15, "job": 12, "failed": 12}


@pytest.mark.parametrize("number", [1, 12])
def test_pages_of_jobs_cost_the_same_statements_for_any_number(db: None, number: int) -> None:
    campaign = make_campaign("rivers")
    for _number in range(number):
        make_item(campaign)
    for place in range(number):
        jobs.give_up(job=begun_job(campaign, f"matcher-{place}"), error="endpoint down")
        Worker.objects.create(name=f"celery@{place}", host="here", pid=1)
    job = job_with_failures(campaign)
    client = signed_in(make_member(campaign, "admin"))
    addresses = {"list": "", "job": f"{job.pk}/", "failed": "failed/"}
    assert {
        name: statements(partial(client.get, f"/c/rivers/jobs/{address}"))[0]
        for name, address in addresses.items()
    } == COST
