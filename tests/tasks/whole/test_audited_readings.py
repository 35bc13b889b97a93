"""Who reads many ratings at once leaves one entry in the audit log; who reads little leaves none.

Two tables, of the places where ratings are read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from pytest_django import Settings

from exporters.plan import ReleasePlan
from tasks.audit.queries.log import entries_of
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import AuditEntry, Campaign, Item, Membership, Release
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.seen_votes import show_all_votes
from tasks.release_store.places import release_place
from tasks.releases.workflow.release import publish_release
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import (
    EQUIVALENT,
    MakeCampaign,
    MakeMember,
    make_campaign,
    make_member,
    rating_row,
)
from tests.tasks.management.conftest import Manage, manage

pytestmark = pytest.mark.slow

__all__ = ["make_campaign", "make_member", "manage"]

RATINGS, ITEMS = 12, 6
LABELS_FILE = "ratings/test.parquet"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=ITEMS, overlap=3)
    rows = [rating_row(n, rater, "equivalent") for n in range(1, 7) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


@pytest.fixture
def release(campaign: Campaign, settings: Settings, tmp_path: Path) -> Release:
    settings.RELEASES_DIR = tmp_path
    return publish_release(
        campaign=campaign,
        plan=ReleasePlan(version="1.0.0", split="document:dev=40,test=60", seed=0),
        out=release_place(campaign.slug, "1.0.0"),
    )


@pytest.fixture
def researcher(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, role="researcher")


def fetched(response: Any) -> Any:
    """As a server does: to the end, where the client closes it."""
    if response.streaming:
        b"".join(response.streaming_content)
    return response


def break_off(response: Any) -> None:
    """Close it as a server does; what the test client has put around the content keeps the
    database connection, which the test goes on with."""
    response._iterator.close()


def readings(campaign: Campaign) -> list[AuditEntry]:
    return list(entries_of(campaign, action="reading").order_by("sequence"))


# "page" or "API", the address after the campaign's, and what the entry says besides
READ: Final[dict[str, tuple[str, str, str, dict[str, Any]]]] = {
    "ratings, on the page": (
        *("page", "releases/ratings.jsonl", "export.taken"),
        {"format": "jsonl", "rows": RATINGS, "with_comments": False},
    ),
    "ratings, by a program": (
        *("API", "ratings/export", "export.taken"),
        {"format": "jsonl", "rows": RATINGS, "with_comments": False},
    ),
    **{
        f"items as {each}, {via}": (
            *(via, f"{at}?format={each}&columns=id,label&q=question", "export.taken"),
            {"format": each, "rows": ITEMS, "q": "question", "columns": ["id", "label"]},
        )
        for each in ("csv", "xlsx", "jsonl")
        for via, at in (("page", "items/file/"), ("API", "items/file"))
    },
    "a list of ratings": (
        *("API", "ratings?label=equivalent&limit=5", "ratings.read"),
        {"format": "json", "rows": 5, "label": "equivalent", "limit": 5, "cursor": False},
    ),
    "a release, on the page": (
        *("page", "releases/1.0.0/download", "release.downloaded"),
        {"format": "zip", "ratings": RATINGS},
    ),
    "a release, by a program": (
        *("API", "releases/1.0.0/archive", "release.downloaded"),
        {"format": "zip", "ratings": RATINGS},
    ),
    "a release's file, on the page": (
        *("page", f"releases/1.0.0/files/{LABELS_FILE}", "release.downloaded"),
        {"format": "parquet", "file": LABELS_FILE},
    ),
    "a release's file, by a program": (
        *("API", f"releases/1.0.0/files/{LABELS_FILE}", "release.downloaded"),
        {"format": "parquet", "file": LABELS_FILE},
    ),
}


def ask(member: Membership, via: str, path: str, method: str = "get") -> Any:
    before = "/c" if via == "page" else "/api/v1/campaigns"
    client = signed_in(member) if via == "page" else ApiClient(member).client
    call: Callable[[str], Any] = getattr(client, method)
    return fetched(call(f"{before}/{member.campaign.slug}/{path}"))


@pytest.mark.parametrize("place", READ)
def test_a_reading_leaves_one_entry(place: str, researcher: Membership, release: Release) -> None:
    via, path, action, details = READ[place]
    show_all_votes(member=researcher)
    assert ask(researcher, via, path).status_code == 200
    [entry] = readings(researcher.campaign)
    assert (entry.action, entry.actor, entry.role, entry.via) == (
        *(action, researcher.name, "researcher", via),
    )
    assert {name: entry.facts.get(name) for name in details} == details
    assert entry.facts.get("complete", True)
    assert entry.facts.get("rows") or entry.facts.get("bytes")


def test_who_is_only_told_about_a_file_reads_nothing(
    researcher: Membership, release: Release
) -> None:
    show_all_votes(member=researcher)
    for via, path, _action, _details in READ.values():
        # calls know no other method than theirs
        expected = 200 if via == "page" else 405
        assert ask(researcher, via, path, "head").status_code == expected
    assert readings(researcher.campaign) == []


def test_a_download_that_is_broken_off_says_how_far_it_came(
    researcher: Membership, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.web.downloads._LINES_AT_ONCE", 5)
    slug = researcher.campaign.slug
    for path in ("releases/ratings.jsonl", f"releases/1.0.0/files/{LABELS_FILE}"):
        response: Any = signed_in(researcher).get(f"/c/{slug}/{path}")
        assert next(iter(response.streaming_content))
        break_off(response)
    lines, file = readings(researcher.campaign)
    assert (lines.facts["rows"], lines.facts["complete"]) == (5, False)
    assert (file.facts["complete"], file.facts["bytes"] > 0) == (False, True)


def test_a_range_says_which(researcher: Membership, release: Release) -> None:
    client = ApiClient(researcher).client
    address = f"/api/v1/campaigns/{researcher.campaign.slug}/releases/1.0.0/files/{LABELS_FILE}"
    response = fetched(client.get(address, headers={"Range": "bytes=0-9"}))
    [entry] = readings(researcher.campaign)
    assert (entry.facts["bytes"], entry.facts["range"]) == (10, response["Content-Range"])


def test_a_command_is_a_reading_as_well(manage: Manage, campaign: Campaign, tmp_path: Path) -> None:
    manage("export_ratings", campaign.slug, "--out", tmp_path / "out.jsonl", "--with-comments")
    [entry] = readings(campaign)
    assert (entry.actor_kind, entry.via) == ("command", "manage.py export_ratings")
    assert entry.facts == {
        "format": "jsonl", "with_comments": True, "rows": RATINGS, "complete": True
    }  # fmt: skip


NOT_READ: Final = {
    "a file of a release without ratings": ("page", "releases/1.0.0/files/README.md"),
    "one's own ratings, on the page": ("page", "history/"),
    "one's own ratings, by a program": ("API", "history"),
    "one's own ratings in the list": ("API", "ratings?rater={own}"),
    "the ratings of one item": ("API", "ratings?item=item-1"),
    "a list without any": ("API", "ratings?label=nothing"),
    "one item, on the page": ("page", "items/{item}/"),
    "one item, by a program": ("API", "items/{item}"),
    "figures": ("page", "agreement/"),
}


@pytest.mark.parametrize("place", NOT_READ)
def test_who_reads_little_or_their_own_leaves_no_entry(
    place: str, researcher: Membership, release: Release
) -> None:
    via, path = NOT_READ[place]
    item = Item.objects.get(campaign=researcher.campaign, key="item-1")
    if "{own}" in path:
        _rate(researcher)
    show_all_votes(member=researcher)
    answered = ask(researcher, via, path.format(own=researcher.pseudonym, item=item.pk))
    assert answered.status_code == 200
    assert readings(researcher.campaign) == []


def _rate(member: Membership) -> None:
    claim = claim_item(membership=member)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        answers=EQUIVALENT,
        idempotency_key="1",
    )


def test_the_audit_page_and_call_find_all_readings(
    campaign: Campaign, make_member: MakeMember
) -> None:
    admin = make_member(campaign, role="admin")
    show_all_votes(member=admin)
    ask(admin, "API", "ratings/export")
    ask(admin, "API", "ratings")
    found = ApiClient(admin).get(f"{campaign.slug}/audit?action=reading").json()["results"]
    assert [each["action"] for each in found] == ["ratings.read", "export.taken"]
    client: Client = signed_in(admin)
    html = client.get(f"/c/{campaign.slug}/settings/audit/?action=reading").content.decode()
    assert ("Read a list of ratings" in html, html.count('<h2 id="entry')) == (True, 2)
