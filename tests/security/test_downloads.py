"""Nobody gets a byte of a release who may not have it, whatever they ask for."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from exporters.planned_release import ReleasePlan
from tasks.models import ApiToken, Membership, Release, User
from tasks.people.workflow.members import deactivate
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_labelled_items, make_member
from tests.security.conftest import content_of, signed_in

pytestmark = pytest.mark.slow


SECRET = b"SECRET-OUTSIDE"


@pytest.fixture
def release(db: None, tmp_path: Path) -> Release:
    campaign = make_campaign("meadows")
    make_labelled_items(campaign, items=6, documents=3)
    release = publish_release(
        campaign=campaign,
        plan=ReleasePlan(version="1.0.0", split="document:test=100", seed=0, formats=()),
        out=tmp_path / "releases" / "1.0.0",
    )
    outside = tmp_path / "outside.txt"
    outside.write_bytes(SECRET)
    (release.folder / "link.txt").symlink_to(outside)
    (release.folder / "folder").symlink_to(tmp_path)
    return release


def addresses(path: str) -> tuple[str, ...]:
    """Of one file, on the page and in the API."""
    return (
        f"/c/meadows/releases/1.0.0/files/{path}",
        f"/api/v1/campaigns/meadows/releases/1.0.0/files/{path}",
    )


@pytest.fixture
def everything(release: Release) -> list[str]:
    files = [
        path.relative_to(release.folder).as_posix()
        for path in sorted(release.folder.rglob("*"))
        if path.is_file()
    ]
    whole = ("/c/meadows/releases/1.0.0/download", "/api/v1/campaigns/meadows/releases")
    return [*whole, *(address for path in files for address in addresses(path))]


def given(client: Client, asked: list[str]) -> list[str]:
    """The addresses that gave something, read to its end."""
    answers = {address: client.get(address) for address in asked}
    return [
        address
        for address, answer in answers.items()
        if content_of(answer) and answer.status_code in (200, 206)
    ]


def test_files_are_for_researchers_and_admins_of_the_campaign(
    release: Release, everything: list[str]
) -> None:
    campaign = release.campaign
    elsewhere = make_member(make_campaign("lakes"), "admin", "lily")
    former = make_member(campaign, "researcher", "reed")
    deactivate(member=former)
    rater = make_member(campaign, "rater", "pine")
    clients = [Client(), *(signed_in(each.name) for each in (elsewhere, former, rater))]
    assert [given(client, everything) for client in clients] == [[], [], [], []]
    researcher = signed_in(make_member(campaign, "researcher", "fern").name)
    allowed = given(researcher, everything)
    assert set(everything) - set(allowed) == {*addresses("link.txt"), *_below("folder", everything)}


def _below(folder: str, asked: list[str]) -> set[str]:
    return {address for address in asked if f"/files/{folder}/" in address}


OUTSIDE = [
    *("../../outside.txt", "..%2F..%2Foutside.txt", "%2e%2e/%2e%2e/outside.txt"),
    *("jsonl/../../../outside.txt", "..\\..\\outside.txt", "//etc/passwd", "/etc/passwd"),
    *("%2Fetc%2Fpasswd", "link.txt", "folder/outside.txt", "folder", ".", "", "jsonl"),
    *("README.md%00.txt", "README.md/", "./README.md", "jsonl//README.md", "readme.md"),
    *("0" * 64, "sha256/" + "0" * 64),
]


def test_no_path_leads_out_of_the_release(release: Release) -> None:
    client = signed_in(make_member(release.campaign, "researcher", "fern").name)
    found = []
    for path in OUTSIDE:
        for address in addresses(path):
            answer = client.get(address)
            body = content_of(answer)
            if answer.status_code != 404 or SECRET in body or b"root:" in body:
                found.append((address, answer.status_code))
    assert found == []


def test_a_digest_is_no_key(release: Release) -> None:
    rater = signed_in(make_member(release.campaign, "rater", "pine").name)
    for version in (release.digest, "1.0.0%2F..", "..", "1.0.0/../1.0.0"):
        asked = f"/c/meadows/releases/{version}/files/README.md"
        assert rater.get(asked).status_code in (403, 404)


def test_who_is_put_out_in_mid_download_gets_nothing_more(release: Release) -> None:
    """A download on its way arrives; the next request, a range that goes on included, is
    refused."""
    member = make_member(release.campaign, "researcher", "fern")
    assert member.user is not None
    browser = signed_in(member.name)
    script = Client(headers={"Authorization": f"Token {ApiToken.issue(member.user)}"})
    clients = dict(zip((browser, script), addresses("README.md"), strict=True))
    for client, address in clients.items():
        first = client.get(address, headers={"Range": "bytes=0-9"})
        assert (first.status_code, len(content_of(first))) == (206, 10)
    archive: Any = browser.get("/c/meadows/releases/1.0.0/download")
    begun = iter(archive.streaming_content)
    assert next(begun)
    deactivate(member=Membership.objects.get(pk=member.pk))
    for client, address in clients.items():
        for headers in ({"Range": "bytes=10-"}, {}):
            assert client.get(address, headers=headers).status_code == 404
    list(begun)
    assert browser.get("/c/meadows/releases/1.0.0/download").status_code == 404
    User.objects.filter(pk=member.user.pk).update(is_active=False)
    assert script.get(addresses("README.md")[1]).status_code == 401
