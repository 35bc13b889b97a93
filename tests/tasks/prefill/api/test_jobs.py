"""Jobs, flags, drafts of models and matchers over the API, as their pages have them."""

from collections.abc import Callable

import pytest

from tasks.models import (
    Campaign,
    Flag,
    GeneratedText,
    Job,
    JobFailure,
    JobState,
    Membership,
)
from tests.tasks.api_client import ApiClient
from tests.tasks.calls import answer
from tests.tasks.conftest import MakeCampaign, MakeMember
from tests.tasks.prefill.trained import store

AsMember = Callable[[Membership | None], ApiClient]
PLACE = "campaigns/campaign-1"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, "oak", role="admin"))


def test_a_job_is_started_once_watched_and_cancelled(admin: ApiClient) -> None:
    new = {"kind": "suggest", "name": "feather"}
    first, second = (answer(admin, "POST", f"{PLACE}/jobs", new) for _ in range(2))
    assert first == second
    status, job = first
    assert (status, job["kind"], job["parameters"], job["state"]) == (
        201,
        "suggest",
        {"name": "feather"},
        "queued",
    )
    place = f"{PLACE}/jobs/{job['id']}"
    assert answer(admin, "GET", place) == (200, job)
    assert answer(admin, "GET", f"{PLACE}/jobs?state=queued&kind=suggest")[1]["results"] == [job]
    assert answer(admin, "GET", f"{PLACE}/jobs?state=done")[1]["results"] == []
    assert answer(admin, "GET", f"{PLACE}/jobs/queue")[1]["waiting"] == 1
    status, job = answer(admin, "POST", f"{place}/cancel")
    assert (status, job["state"]) == (200, "cancelled")
    assert answer(admin, "POST", f"{place}/cancel")[0] == 409
    status, job = answer(admin, "POST", f"{place}/retry")
    assert (status, job["state"]) == (200, "queued")
    assert answer(admin, "POST", f"{place}/retry")[0] == 409


@pytest.mark.parametrize(
    ("new", "field"),
    [
        ({"kind": "release", "name": "feather"}, "kind"),
        ({"kind": "suggest", "name": "oracle"}, "name"),
        ({"kind": "suggest"}, "name"),
        ({"kind": "generate", "name": "none", "texts": "rules", "number": 3}, "name"),
        ({"kind": "generate", "name": "none", "texts": "rules", "number": 10**20}, "number"),
        ({"kind": "answer", "name": "a\0b"}, "name"),
        ({"kind": "answer", "name": "x", "queue": "y"}, "queue"),
    ],
)
def test_what_cannot_be_started_is_400(admin: ApiClient, new: object, field: str) -> None:
    status, told = answer(admin, "POST", f"{PLACE}/jobs", new)
    assert (status, told["field"]) == (400, field)
    assert not Job.objects.exists()


def test_failures_are_tried_again_or_left_one_by_one(admin: ApiClient, campaign: Campaign) -> None:
    job = Job.objects.create(
        campaign=campaign, kind="suggest", input_hash="x", state=JobState.DONE, parameters={}
    )
    failure = JobFailure.objects.create(job=job, item=campaign.items.get(), reason="Too long.")
    place = f"{PLACE}/jobs/{job.pk}"
    for address in (f"{place}/failures", f"{PLACE}/jobs/failures"):
        (listed,) = answer(admin, "GET", address)[1]["results"]
        assert (listed["id"], listed["item"], listed["question"]) == (failure.pk, "item-1", None)
    assert answer(admin, "POST", f"{place}/leave", {"failure": 2**62})[0] == 404
    assert answer(admin, "POST", f"{place}/leave", {"failure": failure.pk})[0] == 200
    assert answer(admin, "POST", f"{place}/leave", {"failure": failure.pk})[0] == 409
    assert answer(admin, "GET", f"{PLACE}/jobs/failures")[1]["results"] == []
    (left,) = answer(admin, "GET", f"{PLACE}/jobs/failures?left=true")[1]["results"]
    assert left["acknowledged_at"] is not None
    status, again = answer(admin, "POST", f"{place}/retry", {"failure": failure.pk})
    assert (status, again["state"]) == (200, "queued")


def test_failed_jobs_are_listed_until_they_are_left(admin: ApiClient, campaign: Campaign) -> None:
    job = Job.objects.create(
        campaign=campaign, kind="suggest", input_hash="x", state=JobState.FAILED, parameters={}
    )
    (listed,) = answer(admin, "GET", f"{PLACE}/jobs/failed")[1]["results"]
    assert listed["id"] == job.pk
    assert answer(admin, "POST", f"{PLACE}/jobs/{job.pk}/leave")[0] == 200
    assert answer(admin, "GET", f"{PLACE}/jobs/failed")[1]["results"] == []
    assert len(answer(admin, "GET", f"{PLACE}/jobs/failed?left=true")[1]["results"]) == 1


def test_no_job_of_another_campaign(admin: ApiClient, make_campaign: MakeCampaign) -> None:
    job = Job.objects.create(campaign=make_campaign(items=0), kind="suggest", input_hash="x")
    for method, what in (
        ("GET", ""),
        ("GET", "/failures"),
        ("POST", "/cancel"),
        ("POST", "/leave"),
    ):
        assert answer(admin, method, f"{PLACE}/jobs/{job.pk}{what}")[0] == 404, what


def test_a_flag_is_settled_once(
    admin: ApiClient, campaign: Campaign, make_member: MakeMember
) -> None:
    rater = make_member(campaign, "fern")
    flag = Flag.objects.create(item=campaign.items.get(), rater=rater, reason="A typo.")
    (listed,) = answer(admin, "GET", f"{PLACE}/flags?open=true")[1]["results"]
    assert (listed["rater"], listed["item"], listed["settled_at"]) == (
        rater.pseudonym,
        "item-1",
        None,
    )
    place = f"{PLACE}/flags/{flag.pk}/settle"
    assert answer(admin, "POST", place, {"settlement": ""})[0] == 400
    status, settled = answer(admin, "POST", place, {"settlement": "Mended."})
    assert (status, settled["settlement"], settled["settled_at"] is None) == (200, "Mended.", False)
    assert answer(admin, "POST", place, {"settlement": "Again."})[0] == 409
    assert answer(admin, "GET", f"{PLACE}/flags?open=true")[1]["results"] == []
    assert answer(admin, "GET", f"{PLACE}/flags?open=false")[1]["results"] == [settled]


def draft(campaign: Campaign, number: int) -> GeneratedText:
    return GeneratedText.objects.create(
        campaign=campaign,
        kind="rules",
        target="aliasing/equivalent",
        question=f"Which river is number {number}?",
        reference=f"river {number}",
        candidate=f"stream {number}",
        system="writer",
        fingerprint=f"{number:064}",
    )


def test_drafts_become_items_by_approval_alone(admin: ApiClient, campaign: Campaign) -> None:
    good, bad, other = (draft(campaign, number) for number in range(3))
    place = f"{PLACE}/generated"
    listed = answer(admin, "GET", place)[1]["results"]
    assert [each["id"] for each in listed] == [good.pk, bad.pk, other.pk]
    assert answer(admin, "POST", f"{place}/approve", {"texts": []})[0] == 400
    assert answer(admin, "POST", f"{place}/approve", {"texts": [2**63]})[0] == 400
    status, brought = answer(admin, "POST", f"{place}/approve", {"texts": [good.pk, 2**62]})
    assert (status, brought) == (200, {"texts": 1, "items_created": 1, "items_existing": 0})
    told = answer(admin, "POST", f"{place}/reject", {"texts": [good.pk, bad.pk]})
    assert told == (200, {"texts": 1, "rejected": 1})
    assert [each["id"] for each in answer(admin, "GET", place)[1]["results"]] == [other.pk]
    approved = answer(admin, "GET", f"{place}?state=approved")[1]["results"]
    assert [each["id"] for each in approved] == [good.pk]
    assert campaign.items.count() == 2


def test_drafts_are_reviewed_by_what_they_have_in_common(
    admin: ApiClient, campaign: Campaign
) -> None:
    first, second, third = (draft(campaign, number) for number in range(3))
    GeneratedText.objects.filter(pk=first.pk).update(target="semantic/equivalent")
    GeneratedText.objects.filter(pk=second.pk).update(question_type="short-question")
    place, alike = f"{PLACE}/generated", {"target": "aliasing/equivalent", "system": "writer"}
    listed = answer(admin, "GET", f"{place}?target=aliasing/equivalent&system=writer")[1]["results"]
    assert [each["id"] for each in listed] == [second.pk, third.pk]
    told = answer(admin, "POST", f"{place}/approve", {**alike, "preview": True})
    assert told == (200, {"texts": 2, "items_created": 0, "items_existing": 0})
    told = answer(admin, "POST", f"{place}/reject", {"question_type": "short-question"})
    assert told == (200, {"texts": 1, "rejected": 1})
    told = answer(admin, "POST", f"{place}/approve", alike)
    assert told == (200, {"texts": 1, "items_created": 1, "items_existing": 0})
    states = GeneratedText.objects.order_by("id").values_list("state", flat=True)
    assert list(states) == ["pending", "rejected", "approved"]
    for body in ({}, {"preview": True}, {**alike, "texts": [first.pk]}):
        assert answer(admin, "POST", f"{place}/approve", body)[0] == 400, body


def test_a_matcher_is_trained_and_used(admin: ApiClient, campaign: Campaign) -> None:
    place = f"{PLACE}/matchers"
    assert answer(admin, "POST", f"{place}/use", {"name": "feather@campaign-1"})[0] == 400
    trained = store(campaign, "feather", digest="0123456789ab")
    (listed,) = answer(admin, "GET", f"{place}/trained")[1]["results"]
    assert (listed["name"], listed["digest"]) == ("feather@campaign-1", trained.digest)
    status, job = answer(admin, "POST", f"{place}/train", {"kind": "feather", "seed": 4})
    assert (status, job["kind"], job["parameters"]) == (
        201,
        "train",
        {"name": "feather", "seed": 4},
    )
    status, job = answer(admin, "POST", f"{place}/use", {"name": "feather@campaign-1"})
    assert (status, job["kind"]) == (201, "suggest")
    status, told = answer(admin, "GET", place)
    assert (told["in_use"], told["labels"]) == (
        "feather@campaign-1",
        {"correct": 0, "incorrect": 0, "ties": 0},
    )
