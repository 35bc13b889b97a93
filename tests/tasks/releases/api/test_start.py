"""Making a release over HTTP: the preview, the job, and what is refused before there is one."""

import pytest

from tasks.jobs import work as jobs
from tasks.models import Campaign, DatasheetAnswer, Job, Membership, Release
from tasks.releases.workflow import release as release_preview
from tests.factories import make_member
from tests.tasks.api_client import ApiClient
from tests.tasks.releases.releasing import SPLIT, release_plan
from tomahto.releases.documents.datasheet import QUESTIONS

CHOSEN = {"split": SPLIT, "seed": 3}
PLAN = release_plan(seed=3)


@pytest.fixture
def campaign(rated: Campaign) -> Campaign:
    return rated


@pytest.fixture
def member(campaign: Campaign) -> Membership:
    return make_member(campaign, "researcher")


@pytest.fixture
def researcher(member: Membership) -> ApiClient:
    return ApiClient(member)


def test_release_is_made_as_it_was_chosen_and_can_be_asked_for(
    campaign: Campaign, researcher: ApiClient, member: Membership
) -> None:
    place = f"{campaign.slug}/releases"
    started = researcher.send("POST", place, {**CHOSEN, "version": "1.0.0"})
    job = Job.objects.get()
    assert (job.kind, job.parameters, job.created_by) == ("release", PLAN.as_json(), member.user)
    address = f"http://testserver/api/v1/campaigns/{campaign.slug}/jobs/{job.pk}"
    assert (started.status_code, started.json()) == (202, {"job": job.pk, "url": address})
    jobs.run_job(job.pk)
    (listed,) = researcher.get(place).json()
    assert researcher.get(f"{place}/1.0.0").json() == listed
    assert (listed["digest"], listed["seed"]) == (Release.objects.get().digest, 3)
    archive = researcher.get(f"{place}/1.0.0/archive")
    assert archive["Content-Disposition"] == f'attachment; filename="{campaign.slug}-1.0.0.zip"'
    assert b"".join(archive).startswith(b"PK")
    taken = researcher.send("POST", place, {**CHOSEN, "version": "1.0.0"})
    assert (taken.status_code, taken.json()["field"]) == (400, "version")
    assert researcher.get(f"{place}/2.0.0").status_code == 404


def test_preview_is_that_of_the_page_and_makes_nothing(
    campaign: Campaign, researcher: ApiClient
) -> None:
    found = researcher.send("POST", f"{campaign.slug}/release-previews", CHOSEN)
    expected = release_preview.preview(campaign=campaign, plan=PLAN)
    assert (found.status_code, found.json()) == (
        200,
        {"figures": expected, "refusal": "", "made_at": None},
    )
    assert not Job.objects.exists()


def test_large_campaign_is_previewed_by_a_worker(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_preview, "LIVE_PREVIEW", 5)
    place = f"{campaign.slug}/release-previews"
    asked = researcher.send("POST", place, CHOSEN)
    assert (asked.status_code, asked.json()["job"]) == (202, Job.objects.get().pk)
    jobs.run_job(Job.objects.get().pk)
    found = researcher.send("POST", place, CHOSEN)
    assert (found.status_code, found.json()["figures"]["step"]["least"]) == (200, "1.0.0")
    assert found.json()["made_at"]
    assert researcher.send("POST", place, {**CHOSEN, "refresh": True}).status_code == 202


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ({"anew": True}, 202),
        ({"anew": False}, 200),
        ({"anew": True, "refresh": True}, 202),
        ({"anew": True, "refresh": False}, 400),
        ({"anew": False, "refresh": True}, 400),
    ],
)
def test_refresh_is_still_accepted_by_its_earlier_name(
    campaign: Campaign, researcher: ApiClient, monkeypatch: pytest.MonkeyPatch,
    names: dict[str, bool], status: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(release_preview, "LIVE_PREVIEW", 5)
    place = f"{campaign.slug}/release-previews"
    jobs.run_job(researcher.send("POST", place, CHOSEN).json()["job"])
    answered = researcher.send("POST", place, {**CHOSEN, **names})
    assert answered.status_code == status
    if status == 400:
        problem = "`anew` and `refresh` differ; send `refresh` alone"
        assert (answered.json()["field"], answered.json()["detail"]) == ("anew", problem)


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"version": "1.0"}, 400, "version"),
        ({"version": "1.0.0\0"}, 400, "version"),
        ({"split": "weather"}, 400, "split"),
        ({"split": "document:dev=40"}, 400, "split"),
        ({"split": "folds:fold1=2,fold2=98"}, 400, "split"),
        ({"seed": 2**40}, 400, "seed"),
        ({"labels": "mine"}, 400, "labels"),
        ({"guideline_versions": [2**70]}, 400, "guideline_versions"),
        ({"guideline_versions": [99]}, 400, "guideline_versions"),
        ({"consented_only": True}, 409, None),
        ({"path": "/etc"}, 400, "path"),
        ({"refresh": True}, 400, "refresh"),
    ],
)
def test_release_that_cannot_be_is_refused_by_field(
    campaign: Campaign, researcher: ApiClient,
    changes: dict[str, object], status: int, field: str | None,
) -> None:  # fmt: skip
    body = {**CHOSEN, "version": "1.0.0", **changes}
    refused = researcher.send("POST", f"{campaign.slug}/releases", body)
    found = refused.json().get("field")
    assert (refused.status_code, found and found.partition(".")[0]) == (status, field)
    assert not Job.objects.exists()


def test_datasheet_is_answered_by_name(
    campaign: Campaign, researcher: ApiClient, member: Membership
) -> None:
    place = f"{campaign.slug}/datasheet"
    empty = researcher.get(place).json()
    assert (empty["blanks"], len(empty["questions"])) == (len(QUESTIONS), len(QUESTIONS))
    body = {"answers": {"purpose": "To try.", "authors": "Beck, Ann"}}
    answered = researcher.send("PATCH", place, body).json()
    assert (answered["blanks"], answered["questions"][0]["answer"]) == (
        len(QUESTIONS) - 2,
        "To try.",
    )
    researcher.send("PATCH", place, {"answers": {"purpose": ""}})
    answers = {each["key"]: each["answer"] for each in researcher.get(place).json()["questions"]}
    assert (answers["purpose"], answers["authors"]) == ("", "Beck, Ann")
    assert DatasheetAnswer.objects.filter(written_by=member.user).count() == 3


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"purpose": "x", "weather": "y"}, "answers.weather"),
        ({"purpose": "x\0"}, "answers.purpose"),
        ({"purpose": 7.5e300, "authors": []}, "answers.authors"),
        ({"authors": "Beck, Ann (0000-0000-0000-0000)"}, "answers.authors"),
        ([], "answers"),
    ],
)
def test_answers_that_are_none_change_nothing(
    campaign: Campaign, researcher: ApiClient, answers: object, field: str
) -> None:
    refused = researcher.send("PATCH", f"{campaign.slug}/datasheet", {"answers": answers})
    assert (refused.status_code, refused.json()["field"]) == (400, field)
    assert not DatasheetAnswer.objects.exists()
