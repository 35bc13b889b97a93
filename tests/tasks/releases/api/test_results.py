"""Agreement and releases over HTTP: shapes, roles, downloads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release
from tasks.releases.workflow.release import publish_release
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign, MakeMember, rating_row

pytestmark = pytest.mark.slow


AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    rows = [
        rating_row(n, rater, "equivalent" if n < 4 or rater == "ann" else "not-equivalent")
        for n in range(1, 7)
        for rater in ("ann", "ben")
    ]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def release(campaign: Campaign, tmp_path: Path) -> Release:
    return publish_release(
        campaign=campaign,
        plan=ReleasePlan(version="1.0.0", split="document:dev=40,test=60", seed=0),
        out=tmp_path / "release",
    )


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="researcher"))


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


PATHS = ["agreement", "releases", "releases/1.0.0/files/manifest.json"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("role", "status"), [("rater", 403), ("researcher", 200), ("admin", 200)])
def test_results_are_for_researchers_and_admins(
    release: Release, make_member: MakeMember, as_member: AsMember,
    path: str, role: str, status: int,
) -> None:  # fmt: skip
    caller = as_member(make_member(release.campaign, role=role))
    response = caller.get(f"{release.campaign.slug}/{path}")
    assert response.status_code == status
    content = b"".join(response)
    if status == 403:
        assert json.loads(content) == {"detail": "this needs the role researcher or admin"}


@pytest.mark.parametrize("path", PATHS)
def test_results_are_not_there_for_strangers(
    release: Release, make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember,
    path: str,
) -> None:  # fmt: skip
    stranger = as_member(make_member(make_campaign(items=1), role="admin"))
    response = stranger.get(f"{release.campaign.slug}/{path}")
    assert response.status_code == 404
    assert response.json() == {"detail": "there is no such campaign for you"}
    assert stranger.get(f"no-such-campaign/{path}").json() == response.json()


@pytest.mark.parametrize("path", PATHS)
def test_results_need_a_token(release: Release, as_member: AsMember, path: str) -> None:
    assert as_member(None).get(f"{release.campaign.slug}/{path}").status_code == 401


def test_agreement_is_what_the_command_prints(
    campaign: Campaign, researcher: ApiClient, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("agreement", campaign.slug, "--json")
    printed = json.loads(capsys.readouterr().out)
    answered = researcher.get(f"{campaign.slug}/agreement").json()
    assert answered == printed
    # three items agree, three do not
    assert (answered["items"], answered["full_agreement"], answered["ties"]) == (6, 0.5, 3)


def test_releases_lists_every_release_with_its_files(
    release: Release, researcher: ApiClient
) -> None:
    listed = researcher.get(f"{release.campaign.slug}/releases").json()
    assert len(listed) == 1
    files = listed[0].pop("files")
    created_at = listed[0].pop("created_at")
    assert listed == [
        {
            "version": "1.0.0",
            "digest": release.digest,
            "split": "document:dev=40,test=60",
            "seed": 0,
            "splits": {"dev": 2, "test": 4},
            "items": 6,
            "ratings": 12,
            "withdrawn": None,
        }
    ]
    assert created_at
    stored = {
        path.relative_to(release.folder).as_posix(): path.stat().st_size
        for path in release.folder.rglob("*")
        if path.is_file()
    }
    assert {file["path"]: file["bytes"] for file in files} == stored
    base = f"http://testserver/api/v1/campaigns/{release.campaign.slug}/releases/1.0.0/files"
    assert [file["url"] for file in files] == [f"{base}/{file['path']}" for file in files]


def test_releases_of_a_campaign_without_any_is_an_empty_list(
    campaign: Campaign, researcher: ApiClient
) -> None:
    assert researcher.get(f"{campaign.slug}/releases").json() == []


def test_every_listed_file_downloads_whole(release: Release, researcher: ApiClient) -> None:
    listed = researcher.get(f"{release.campaign.slug}/releases").json()[0]
    for file in listed["files"]:
        response = researcher.client.get(file["url"])
        assert response.status_code == 200
        assert body(response) == (release.folder / file["path"]).read_bytes()


def test_a_file_downloads_in_part(release: Release, researcher: ApiClient) -> None:
    path = f"{release.campaign.slug}/releases/1.0.0/files/README.md"
    whole = (release.folder / "README.md").read_bytes()
    response = researcher.get(path, Range="bytes=5-14")
    assert (response.status_code, body(response)) == (206, whole[5:15])
    assert response["Content-Range"] == f"bytes 5-14/{len(whole)}"
    outside = researcher.get(path, Range=f"bytes={len(whole)}-")
    assert (outside.status_code, outside["Content-Range"]) == (416, f"bytes */{len(whole)}")


@pytest.mark.parametrize(
    "path",
    [
        "1.0.0/files/none.txt",
        "1.0.0/files/jsonl",
        "1.0.0/files/../secret",
        "1.0.0/files/jsonl/../../secret",
        "1.0.0/files/%2e%2e/secret",
        "1.0.0/files//etc/passwd",
        "9.9.9/files/manifest.json",
    ],
)
def test_what_is_no_file_of_the_release_is_not_there(
    release: Release, researcher: ApiClient, path: str
) -> None:
    (release.folder.parent / "secret").write_text("secret")
    response = researcher.get(f"{release.campaign.slug}/releases/{path}")
    assert response.status_code == 404
    assert b"secret" not in response.content.replace(path.encode(), b"")


def test_a_release_of_another_campaign_is_not_there(
    release: Release, make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    other = make_campaign(items=1)
    caller = as_member(make_member(other, role="admin"))
    response = caller.get(f"{other.slug}/releases/1.0.0/files/manifest.json")
    assert (response.status_code, response.json()) == (404, {"detail": "there is no such release"})


def test_ratings_are_exported_line_by_line_without_comments(
    as_member: AsMember, make_member: MakeMember, campaign: Campaign, researcher: ApiClient
) -> None:
    response = researcher.get(f"{campaign.slug}/ratings/export")
    lines = [json.loads(line) for line in body(response).splitlines()]
    assert response["Content-Type"] == "application/jsonl"
    assert [(line["id"], line["label"], line["counted"]) for line in lines[:4]] == [
        ("item-1", "equivalent", True),
        ("item-1", "equivalent", True),
        ("item-2", "equivalent", True),
        ("item-2", "equivalent", True),
    ]
    assert len(lines) == 12
    assert {key for line in lines for key in line} & {"comment", "name"} == set()
    rater = as_member(make_member(campaign))
    assert rater.get(f"{campaign.slug}/ratings/export").status_code == 403
