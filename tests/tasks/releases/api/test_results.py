"""Agreement and releases over HTTP: shapes, roles, downloads."""

import json
from typing import Any

import pytest
from django.core.management import call_command

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Release
from tests.exporters.folders import contents
from tests.factories import make_campaign, make_member
from tests.stored_at_once import store_items
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import item_row, rating_row
from tests.tasks.releases.releasing import SPLIT, publish

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _published(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Release:
    campaign = make_campaign()
    store_items(campaign, [item_row(n) for n in range(1, 7)])
    rows = [
        rating_row(n, rater, "equivalent" if n < 4 or rater == "ann" else "not-equivalent")
        for n in range(1, 7)
        for rater in ("ann", "ben")
    ]
    import_ratings(campaign=campaign, rows=rows)
    return publish(campaign, tmp_path_factory.mktemp("releases") / "release")


@pytest.fixture
def release(_published: Release, db: None) -> Release:
    """Of six items, of which the raters agree on three."""
    return Release.objects.get(pk=_published.pk)


@pytest.fixture
def campaign(release: Release) -> Campaign:
    return release.campaign


@pytest.fixture
def researcher(campaign: Campaign) -> ApiClient:
    return ApiClient(make_member(campaign, "researcher"))


def body(response: Any) -> bytes:
    return b"".join(response.streaming_content)


PATHS = ["agreement", "releases", "releases/1.0.0/files/manifest.json"]


@pytest.mark.parametrize("path", PATHS)
def test_results_are_for_researchers_and_admins(campaign: Campaign, path: str) -> None:
    statuses = {}
    for role in ("rater", "researcher", "admin"):
        response = ApiClient(make_member(campaign, role)).get(f"{campaign.slug}/{path}")
        statuses[role], content = response.status_code, b"".join(response)
        if role == "rater":
            detail = "required role: researcher or admin"
            assert json.loads(content) == {"detail": detail}
    assert statuses == {"rater": 403, "researcher": 200, "admin": 200}
    assert ApiClient(None).get(f"{campaign.slug}/{path}").status_code == 401
    stranger = ApiClient(make_member(make_campaign(), "admin"))
    for slug in (campaign.slug, "no-such-campaign"):
        response = stranger.get(f"{slug}/{path}")
        assert response.status_code == 404
        assert response.json() == {"detail": "no such campaign, or you are not a member of it"}


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
            "split": SPLIT,
            "seed": 0,
            "splits": {"dev": 2, "test": 4},
            "items": 6,
            "ratings": 12,
            "withdrawn": None,
        }
    ]
    assert created_at
    base = f"http://testserver/api/v1/campaigns/{release.campaign.slug}/releases/1.0.0/files"
    stored = contents(release.folder)
    assert {file["path"]: (file["bytes"], file["url"]) for file in files} == {
        path: (len(content), f"{base}/{path}") for path, content in stored.items()
    }
    for file in files:
        response = researcher.client.get(file["url"])
        assert (response.status_code, body(response)) == (200, stored[file["path"]])


def test_releases_of_a_campaign_without_any_is_an_empty_list(db: None) -> None:
    campaign = make_campaign()
    researcher = ApiClient(make_member(campaign, "researcher"))
    assert researcher.get(f"{campaign.slug}/releases").json() == []


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


def test_a_release_of_another_campaign_is_not_there(release: Release) -> None:
    other = make_campaign()
    caller = ApiClient(make_member(other, "admin"))
    response = caller.get(f"{other.slug}/releases/1.0.0/files/manifest.json")
    assert (response.status_code, response.json()) == (404, {"detail": "there is no such release"})


def test_ratings_are_exported_line_by_line_without_comments(
    campaign: Campaign, researcher: ApiClient
) -> None:
    response = researcher.get(f"{campaign.slug}/ratings/export")
    lines = [json.loads(line) for line in body(response).splitlines()]
    assert response["Content-Type"] == "application/jsonl"
    assert [(line["id"], line["label"], line["counted"]) for line in lines[:4]] == [
        *[("item-1", "equivalent", True)] * 2,
        *[("item-2", "equivalent", True)] * 2,
    ]
    assert len(lines) == 12
    assert {key for line in lines for key in line} & {"comment", "name"} == set()
    rater = ApiClient(make_member(campaign))
    assert rater.get(f"{campaign.slug}/ratings/export").status_code == 403
