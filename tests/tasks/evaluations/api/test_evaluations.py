"""Evaluations over HTTP: who may read them, and what they say."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tasks.models import Campaign, Evaluation, Job, Membership, Release
from tests.evaluations import sample_report, store
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign, MakeMember
from tomahto.lab.report import report_from_json
from tomahto.lab.report_files import report_file, report_paths

AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def stored(campaign: Campaign) -> Evaluation:
    return store(campaign, sample_report())


def asked(caller: ApiClient, evaluation: Evaluation) -> list[Any]:
    place = f"{evaluation.campaign.slug}/evaluations"
    return [caller.get(path) for path in (place, f"{place}/{evaluation.pk}")]


def test_evaluations_are_not_there_for_others(
    stored: Evaluation, make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    other = make_campaign(items=1)
    stranger = as_member(make_member(other, role="admin"))
    assert [response.status_code for response in asked(stranger, stored)] == [404] * 2
    response = stranger.get(f"{other.slug}/evaluations/{stored.pk}")
    assert (response.status_code, response.json()) == (
        404,
        {"detail": "there is no such evaluation"},
    )


def test_evaluations_are_listed_and_their_reports_read(
    stored: Evaluation, make_member: MakeMember, as_member: AsMember
) -> None:
    release = Release.objects.create(
        campaign=stored.campaign, version="1.0.0", digest="d", seed=0, split="s", splits={},
        documents={}, items=0, ratings=0, path="/nowhere",
    )  # fmt: skip
    newer = store(stored.campaign, sample_report(), release=release)
    caller = as_member(make_member(stored.campaign, role="researcher"))
    listed = caller.get(f"{stored.campaign.slug}/evaluations").json()["results"]
    assert all(each.pop("created_at") for each in listed)
    same = {
        "digest": sample_report().digest,
        "parameters": {"metrics": ["f1"], "tune_on": None},
    }
    assert listed == [
        {"id": newer.pk, "release": "1.0.0", **same},
        {"id": stored.pk, "release": None, **same},
    ]
    report = caller.get(f"{stored.campaign.slug}/evaluations/{stored.pk}").json()
    assert report == json.loads(stored.report)
    assert report_from_json(report) == sample_report()


def test_files_of_a_report_are_those_of_the_page(
    stored: Evaluation, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(stored.campaign, role="researcher"))
    place = f"{stored.campaign.slug}/evaluations/{stored.pk}"
    listed = caller.get(f"{place}/files").json()
    report = sample_report()
    assert [each["path"] for each in listed] == sorted(report_paths(report))
    for each in listed[:3]:
        content = b"".join(caller.client.get(each["url"]))
        assert content == report_file(report, each["path"]).content
        assert len(content) == each["bytes"]
    assert caller.get(f"{place}/files/nothing.csv").status_code == 404
    assert caller.get(f"{place}/archive")["Content-Disposition"] == (
        f'attachment; filename="{stored.campaign.slug}-evaluation-{stored.pk}.zip"'
    )


def test_evaluation_is_started_once_as_it_was_chosen(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(campaign, role="researcher"))
    place = f"/api/v1/campaigns/{campaign.slug}/evaluations"
    body = {"metrics": ["f1"], "unit": "ratings"}
    first, again = (caller.client.post(place, body, "application/json") for _ in range(2))
    job = Job.objects.get()
    chosen = [job.parameters[name] for name in ("metrics", "release", "unit")]
    assert (job.kind, chosen) == ("evaluate", [["f1"], None, "ratings"])
    address = f"http://testserver/api/v1/campaigns/{campaign.slug}/jobs/{job.pk}"
    assert (first.status_code, first.json()) == (202, {"job": job.pk, "url": address})
    assert again.json() == first.json()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"metrics": []}, "metrics"),
        ({"metrics": ["weather"]}, "metrics"),
        ({"metrics": "f1"}, "metrics"),
        ({"metrics": ["f1"], "unit": "votes"}, "unit"),
        ({"release": "9.9.9"}, "release"),
        ({"tune_on": "dev"}, "tune_on"),
        ({"replicates": 9}, "replicates"),
    ],
)
def test_evaluation_with_wrong_choices_is_refused_by_field(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember,
    changes: dict[str, object], field: str,
) -> None:  # fmt: skip
    caller = as_member(make_member(campaign, role="admin"))
    place = f"/api/v1/campaigns/{campaign.slug}/evaluations"
    refused = caller.client.post(place, {"metrics": ["f1"], **changes}, "application/json")
    found = refused.json()["field"]
    assert (refused.status_code, found.partition(".")[0]) == (400, field)
    assert not Job.objects.exists()
