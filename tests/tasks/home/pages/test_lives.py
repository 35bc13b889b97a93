"""The pages and calls that copy, archive, delete and restore a campaign."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tasks.access.workflow import make_token
from tasks.campaigns.workflow.lives import archive, delete_campaign
from tasks.models import Campaign, Membership, User
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def lakes() -> Campaign:
    return make_campaign("lakes", title="Lakes and seas")


@pytest.fixture
def reed(lakes: Campaign) -> Membership:
    """An admin of the campaign."""
    return make_member(lakes, "admin", "reed")


@pytest.fixture
def browser(reed: Membership) -> Client:
    return signed_in(reed)


def make_staff(member: Membership) -> User:
    assert member.user is not None
    User.objects.filter(pk=member.user.pk).update(is_staff=True)
    return member.user


def test_only_staff_copy(browser: Client, reed: Membership) -> None:
    place, page = "/api/v1/campaigns/lakes/copies", "/c/lakes/settings/copy/"
    sent = {"title": "Seas"}
    refused = [
        browser.post(place, sent, "application/json").status_code,
        browser.get(page).status_code,
        browser.post(page, sent).status_code,
    ]
    assert refused == [403, 403, 403]
    make_staff(reed)
    called = browser.post(place, {**sent, "content": "questions"}, "application/json")
    job = Campaign.objects.get(slug="seas").jobs.get()
    assert (called.status_code, called.json()) == (
        201,
        {"slug": "seas", "state": "paused", "job": job.pk},
    )
    shown = browser.post(page, {**sent, "content": "none"})
    assert (shown.status_code, shown.headers["Location"]) == (302, "/c/seas-2/settings/")
    taken = browser.post(page, {**sent, "slug": "seas", "content": "none"})
    assert taken.status_code == 422
    assert "Another campaign already has this short name." in taken.content.decode()


def test_a_token_of_one_campaign_copies_nothing(reed: Membership, client: Client) -> None:
    user = make_staff(reed)
    _token, key = make_token(user=user, campaign=reed.campaign)
    answer = client.post(
        "/api/v1/campaigns/lakes/copies",
        {"title": "Seas"},
        "application/json",
        headers={"Authorization": f"Token {key}"},
    )
    assert (answer.status_code, answer.json()) == (
        403,
        {"detail": "a token of one campaign starts no other"},
    )
    assert Campaign.objects.count() == 1


def test_home_lists_archived_campaigns_apart(browser: Client, lakes: Campaign) -> None:
    assert "archived campaign" not in browser.get("/").content.decode()
    archive(campaign=lakes)
    html = browser.get("/").content.decode()
    assert "1 archived campaign" in html
    assert html.count("Lakes and seas") == 1


def test_pages_of_an_archived_campaign_say_so(browser: Client, lakes: Campaign) -> None:
    sentence = "This campaign is archived and read-only."
    assert sentence not in browser.get("/c/lakes/items/").content.decode()
    archive(campaign=lakes)
    for page in ("", "items/", "releases/", "settings/", "guidelines/"):
        assert sentence in browser.get(f"/c/lakes/{page}").content.decode(), page


def test_settings_do_not_archive(browser: Client, lakes: Campaign) -> None:
    called = browser.patch("/api/v1/campaigns/lakes", {"state": "archived"}, "application/json")
    assert (called.status_code, called.json()["field"]) == (400, "state")
    with pytest.raises(CommandError, match="invalid choice: 'archived'"):
        call_command("configure_campaign", "lakes", "--state", "archived")


def test_deleting_takes_the_short_name(browser: Client, lakes: Campaign) -> None:
    page, place = "/c/lakes/settings/delete/", "/api/v1/campaigns/lakes/deletion"
    assert browser.post(page, {"typed": "Lakes and seas"}).status_code == 422
    wrong = browser.post(place, {"slug": "seas"}, "application/json")
    assert (wrong.status_code, wrong.json()) == (
        400,
        {"detail": "this is not the short name of the campaign"},
    )
    assert Campaign.objects.get(pk=lakes.pk).deleted_at is None
    assert browser.post(page, {"typed": "lakes"}).headers["Location"] == "/campaigns/deleted/"
    listed = browser.get("/campaigns/deleted/").content.decode()
    assert "Lakes and seas" in listed
    assert "Deleted campaigns" in browser.get("/").content.decode()
    assert browser.post(f"/campaigns/deleted/{lakes.pk}/restore/").status_code == 302
    assert browser.post(place, {"slug": "lakes"}, "application/json").status_code == 204
    (row,) = browser.get("/api/v1/deleted-campaigns").json()["results"]
    assert (row["id"], row["slug"]) == (lakes.pk, "lakes")
    restored = browser.post(
        f"/api/v1/deleted-campaigns/{lakes.pk}/restoration", {}, "application/json"
    )
    assert restored.json() == {"slug": "lakes", "state": "archived"}


def test_others_restore_nothing(lakes: Campaign) -> None:
    delete_campaign(campaign=lakes, typed="lakes")
    stranger = signed_in(make_member(make_campaign("seas"), "admin"))
    place = f"/api/v1/deleted-campaigns/{lakes.pk}/restoration"
    assert stranger.post(place, {}, "application/json").status_code == 404
    assert stranger.post(f"/campaigns/deleted/{lakes.pk}/restore/").status_code == 404
    assert stranger.get("/api/v1/deleted-campaigns").json()["results"] == []


def test_the_delete_page_warns_of_releases_that_others_cite(
    browser: Client, lakes: Campaign
) -> None:
    sentence = "The files of its release are removed, too."
    assert sentence not in browser.get("/c/lakes/settings/delete/").content.decode()
    counts = {"seed": 1, "splits": {}, "documents": {}, "items": 1, "ratings": 1}
    lakes.releases.create(version="1.0.0", digest="0" * 64, **counts)
    assert sentence in browser.get("/c/lakes/settings/delete/").content.decode()
