"""What changed, and withdrawing, over HTTP."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release, Withdrawal
from tasks.releases.workflow.release import publish_release
from tasks.releases.workflow.withdrawal import withdraw_release
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign, MakeMember, rating_row

pytestmark = pytest.mark.slow


AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    rate(campaign, *range(1, 6))
    return campaign


def rate(campaign: Campaign, *items: int) -> None:
    rows = [rating_row(n, rater, "equivalent") for n in items for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)


def publish(campaign: Campaign, folder: Path, version: str) -> Release:
    plan = ReleasePlan(version=version, seed=0, split="document:dev=40,test=60")
    return publish_release(campaign=campaign, plan=plan, out=folder / version)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="admin"))


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="researcher"))


@pytest.fixture
def two(campaign: Campaign, tmp_path: Path) -> Campaign:
    """The second release has an item more, with two ratings."""
    publish(campaign, tmp_path, "1.0.0")
    rate(campaign, 6)
    publish(campaign, tmp_path, "1.1.0")
    return campaign


def withdraw(client: ApiClient, campaign: Campaign, body: object, version: str = "1.0.0") -> Any:
    address = f"/api/v1/campaigns/{campaign.slug}/releases/{version}/withdrawal"
    response = client.client.post(address, body, content_type="application/json")
    return response.status_code, json.loads(response.content)


def test_changes_are_what_the_command_prints(
    two: Campaign, researcher: ApiClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = (str(tmp_path / "1.0.0"), str(tmp_path / "1.1.0"))
    call_command("diff_releases", *folders, "--json")
    printed = json.loads(capsys.readouterr().out)
    assert printed["items"]["added"] == ["item-6"]
    for path in ("1.1.0/changes", "1.1.0/changes?to=1.0.0", "1.0.0/changes?to=1.1.0"):
        assert researcher.get(f"{two.slug}/releases/{path}").json() == printed


def test_changes_list_as_many_as_are_asked_for(two: Campaign, researcher: ApiClient) -> None:
    found = researcher.get(f"{two.slug}/releases/1.1.0/changes?limit=1").json()
    assert found["ratings"]["added"]["count"] == 2
    assert [each["id"] for each in found["ratings"]["added"]["ids"]] == ["item-6"]


@pytest.mark.parametrize("limit", ["-1", "1001", "many"])
def test_changes_refuse_another_limit(two: Campaign, researcher: ApiClient, limit: str) -> None:
    response = researcher.get(f"{two.slug}/releases/1.1.0/changes?limit={limit}")
    assert (response.status_code, response.json()["field"]) == (400, "limit")


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("9.9.9/changes", "there is no such release"),
        ("1.0.0/changes", "there is no such release to compare with"),
        ("1.1.0/changes?to=1.1.0", "there is no such release to compare with"),
        ("1.1.0/changes?to=9.9.9", "there is no such release to compare with"),
    ],
)
def test_changes_need_two_releases(
    two: Campaign, researcher: ApiClient, path: str, detail: str
) -> None:
    response = researcher.get(f"{two.slug}/releases/{path}")
    assert (response.status_code, response.json()) == (404, {"detail": detail})


def test_changes_say_what_cannot_be_read(
    two: Campaign, researcher: ApiClient, tmp_path: Path
) -> None:
    (tmp_path / "1.0.0/manifest.json").unlink()
    response = researcher.get(f"{two.slug}/releases/1.1.0/changes")
    assert (response.status_code, response.json()) == (
        *(409, {"detail": "manifest.json: is not there as a plain file"}),
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
@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-9"}])
def test_files_of_a_withdrawn_release_are_gone(
    two: Campaign, researcher: ApiClient, path: str, headers: dict[str, str]
) -> None:
    release = Release.objects.get(campaign=two, version="1.0.0")
    withdraw_release(release=release, reason="Names are in it.")
    response = researcher.get(f"{two.slug}/releases/1.0.0/{path}", **headers)
    assert (response.status_code, response.json()) == (
        *(410, {"detail": "release 1.0.0 was withdrawn: Names are in it."}),
    )


def test_a_release_is_withdrawn_once(two: Campaign, admin: ApiClient) -> None:
    assert withdraw(admin, two, {"reason": " "}) == (
        *(400, {"detail": "This field may not be blank.", "field": "reason"}),
    )
    assert withdraw(admin, two, {"reason": "x"}, "9.9.9") == (
        *(404, {"detail": "there is no such release"}),
    )
    withdraw(admin, two, {"reason": "First."})
    assert withdraw(admin, two, {"reason": "Second."}) == (
        *(409, {"detail": f"{two} 1.0.0 was withdrawn before"}),
    )
    assert Withdrawal.objects.get().reason == "First."


def test_only_admins_withdraw(
    two: Campaign, researcher: ApiClient, make_campaign: MakeCampaign, make_member: MakeMember,
    as_member: AsMember,
) -> None:  # fmt: skip
    assert withdraw(researcher, two, {"reason": "x"}) == (
        *(403, {"detail": "this needs the role admin"}),
    )
    stranger = as_member(make_member(make_campaign(items=1), role="admin"))
    assert withdraw(stranger, two, {"reason": "x"}) == (
        *(404, {"detail": "there is no such campaign for you"}),
    )
    rater = as_member(make_member(two))
    assert rater.get(f"{two.slug}/releases/1.1.0/changes").status_code == 403
    assert not Withdrawal.objects.exists()
