"""Changes and withdrawal over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tasks.models import Campaign, Release, Withdrawal
from tasks.releases.workflow.listing import withdraw_release
from tests.factories import make_campaign, make_member
from tests.tasks.api_client import ApiClient
from tests.tasks.releases.releasing import publish, rate, rated_campaign

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _published(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    folder = tmp_path_factory.mktemp("releases")
    campaign = rated_campaign(rated=5)
    publish(campaign, folder / "1.0.0", "1.0.0")
    rate(campaign, 6)
    publish(campaign, folder / "1.1.0", "1.1.0")
    return campaign


@pytest.fixture
def two(_published: Campaign, db: None) -> Campaign:
    """The second release has an item more, with two ratings."""
    return Campaign.objects.get(pk=_published.pk)


@pytest.fixture
def admin(two: Campaign) -> ApiClient:
    return ApiClient(make_member(two, "admin"))


@pytest.fixture
def researcher(two: Campaign) -> ApiClient:
    return ApiClient(make_member(two, "researcher"))


def told(client: ApiClient, campaign: Campaign, path: str, **headers: str) -> tuple[int, Any]:
    response = client.get(f"{campaign.slug}/releases/{path}", **headers)
    return response.status_code, response.json()


def withdraw(
    client: ApiClient, campaign: Campaign, body: object, version: str = "1.0.0"
) -> tuple[int, Any]:
    response = client.send("POST", f"{campaign.slug}/releases/{version}/withdrawal", body)
    return response.status_code, json.loads(response.content)


def test_changes_are_what_the_command_prints(
    two: Campaign, researcher: ApiClient, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(release.folder) for release in Release.objects.order_by("version")]
    call_command("diff_releases", *folders, "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["items"]["added"] == ["item-6"]
    for path in ("1.1.0/changes", "1.1.0/changes?to=1.0.0", "1.0.0/changes?to=1.1.0"):
        assert told(researcher, two, path) == (200, printed)
    _status, first = told(researcher, two, "1.1.0/changes?limit=1")
    assert first["ratings"]["added"]["count"] == 2
    assert [each["id"] for each in first["ratings"]["added"]["ids"]] == ["item-6"]


NO_PAIR = (404, {"detail": "no such release to compare with"})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("9.9.9/changes", (404, {"detail": "there is no such release"})),
        ("1.0.0/changes", NO_PAIR),
        ("1.1.0/changes?to=1.1.0", NO_PAIR),
        ("1.1.0/changes?to=9.9.9", NO_PAIR),
        ("1.1.0/changes?limit=-1", (400, "limit")),
        ("1.1.0/changes?limit=1001", (400, "limit")),
        ("1.1.0/changes?limit=many", (400, "limit")),
    ],
)
def test_changes_need_two_releases_and_a_limit_that_can_be(
    two: Campaign, researcher: ApiClient, path: str, expected: tuple[int, object]
) -> None:
    status, body = told(researcher, two, path)
    assert (status, body.get("field", body)) == expected


def test_changes_say_what_cannot_be_read(
    two: Campaign, researcher: ApiClient, tmp_path: Path
) -> None:
    Release.objects.filter(version="1.0.0").update(path=str(tmp_path))
    assert told(researcher, two, "1.1.0/changes") == (
        *(409, {"detail": "manifest.json: is missing or not a regular file"}),
    )


def test_withdrawn_releases_are_listed_with_the_reason_and_without_files(
    two: Campaign, admin: ApiClient, researcher: ApiClient
) -> None:
    status, made = withdraw(admin, two, {"reason": "Names are in it."})
    assert status == 201
    assert (made["reason"], made["role"]) == ("Names are in it.", "admin")
    second, first = researcher.get(f"{two.slug}/releases").json()
    assert (first["version"], first["withdrawn"], first["files"]) == ("1.0.0", made, [])
    assert (second["version"], second["withdrawn"]) == ("1.1.0", None)
    assert second["files"]


@pytest.mark.parametrize("path", ["files/README.md", "files/none", "changes"])
def test_files_of_a_withdrawn_release_are_gone(
    two: Campaign, researcher: ApiClient, path: str
) -> None:
    release = Release.objects.get(version="1.0.0")
    withdraw_release(release=release, reason="Names are in it.")
    gone = {"detail": "release 1.0.0 was withdrawn: Names are in it."}
    assert told(researcher, two, f"1.0.0/{path}") == (410, gone)
    assert told(researcher, two, f"1.0.0/{path}", Range="bytes=0-9") == (410, gone)


def test_a_release_is_withdrawn_once(two: Campaign, admin: ApiClient) -> None:
    blank = {"detail": "This field may not be blank.", "field": "reason"}
    assert withdraw(admin, two, {"reason": " "}) == (400, blank)
    nowhere = {"detail": "there is no such release"}
    assert withdraw(admin, two, {"reason": "x"}, "9.9.9") == (404, nowhere)
    withdraw(admin, two, {"reason": "First."})
    before = {"detail": f"{two} 1.0.0 was withdrawn before"}
    assert withdraw(admin, two, {"reason": "Second."}) == (409, before)
    assert Withdrawal.objects.get().reason == "First."


def test_only_admins_withdraw(two: Campaign, researcher: ApiClient) -> None:
    stranger = ApiClient(make_member(make_campaign(), "admin"))
    for who, status, detail in (
        (researcher, 403, "required role: admin"),
        (stranger, 404, "no such campaign, or you are not a member of it"),
    ):
        assert withdraw(who, two, {"reason": "x"}) == (status, {"detail": detail})
    rater = ApiClient(make_member(two))
    assert rater.get(f"{two.slug}/releases/1.1.0/changes").status_code == 403
    assert not Withdrawal.objects.exists()
