"""Archiving, deleting and restoring campaigns: what an archived one refuses, what is removed."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from tasks.campaigns.queries.deleted import due_for_removal, restorable_by
from tasks.campaigns.workflow import lives
from tasks.campaigns.workflow.campaign import change_settings, create_member
from tasks.campaigns.workflow.removal import NotDue, owned_models, remove, remove_due
from tasks.intake.workflow.items import import_items
from tasks.jobs.workflow.jobs import enqueue
from tasks.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    CampaignState,
    Job,
    JobKind,
    JobState,
    Membership,
    Rating,
    Slot,
)
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import deactivate
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.storing.archived import CampaignArchived
from tests.factories import make_campaign, make_item, make_labelled_items, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import EQUIVALENT, item_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated() -> Campaign:
    """Ratings, a release's worth of items, a job, an invitation, an admin."""
    campaign = make_campaign("lakes", title="Lakes and seas", overlap=1)
    make_labelled_items(campaign, items=4, documents=2)
    make_member(campaign, "admin", "reed")
    invite(campaign=campaign)
    enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})
    return campaign


def long_ago(campaign: Campaign, days: float) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(deleted_at=Now() - timedelta(days=days))


def fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def test_archiving_cancels_jobs_gives_items_back_and_can_be_undone(rated: Campaign) -> None:
    make_item(rated)
    rater = make_member(rated)
    assert claim_item(membership=rater)
    assert lives.archive(campaign=rated)
    assert not lives.archive(campaign=fresh(rated))
    assert list(Job.objects.values_list("state", flat=True)) == [JobState.CANCELLED]
    assert not Slot.objects.filter(holder__isnull=False, is_filled=False).exists()
    assert lives.reopen(campaign=rated)
    assert fresh(rated).state == CampaignState.PAUSED
    assert not lives.reopen(campaign=rated)
    acts = AuditEntry.objects.filter(action__startswith="campaign.").order_by("sequence")
    assert [act.action for act in acts] == [
        "campaign.created",
        "campaign.archived",
        "campaign.reopened",
    ]


def test_an_archived_campaign_takes_no_work_and_no_change(rated: Campaign) -> None:
    make_item(rated)
    rater = make_member(rated)
    claim = claim_item(membership=rater)
    assert claim is not None
    lives.archive(campaign=rated)
    rater = Membership.objects.select_related("campaign").get(pk=rater.pk)
    before = Rating.objects.count()
    attempts: list[Callable[[], object]] = [
        lambda: claim_item(membership=rater),
        lambda: submit_rating(
            assignment_id=claim.assignment_id,
            membership=rater,
            answers=EQUIVALENT,
            idempotency_key="k",
        ),
        lambda: import_items(campaign=rated, rows=[item_row(9)]),
        lambda: change_settings(campaign=rated, changes={"overlap": 3}),
        lambda: create_member(campaign=rated, username="newt", role="rater"),
        lambda: invite(campaign=rated),
        lambda: enqueue(campaign=rated, kind=JobKind.SUGGEST, parameters={"name": "em"}),
    ]
    for attempt in attempts:
        with pytest.raises(CampaignArchived, match="is archived and can only be read"):
            attempt()
    assert fresh(rated).overlap == 1
    assert Rating.objects.count() == before
    assert rated.items.count() == 5
    assert not Membership.objects.filter(name="newt").exists()


def test_people_can_still_be_sent_away_from_an_archived_campaign(rated: Campaign) -> None:
    member = make_member(rated)
    lives.archive(campaign=rated)
    deactivate(member=member)
    assert not Membership.objects.get(pk=member.pk).is_active


def test_deleting_takes_the_title_and_hides_the_campaign_from_everybody(rated: Campaign) -> None:
    admin = Membership.objects.get(name="reed")
    rater = make_member(rated)
    with pytest.raises(lives.NotItsName):
        lives.delete_campaign(campaign=rated, typed="Lakes")
    lives.delete_campaign(campaign=rated, typed=" lakes ")
    for member in (admin, rater):
        client = signed_in(member)
        assert client.get("/c/lakes/").status_code == 404
        assert client.get("/api/v1/campaigns/lakes").status_code == 404
        assert b"Lakes and seas" not in client.get("/").content
    assert admin.user is not None
    assert rater.user is not None
    assert list(restorable_by(admin.user)) == [rated]
    assert list(restorable_by(rater.user)) == []
    lives.restore(campaign=rated)
    assert (fresh(rated).deleted_at, fresh(rated).state) == (None, CampaignState.ARCHIVED)
    with pytest.raises(lives.NotRestorable):
        lives.restore(campaign=rated)


def test_a_deleted_campaign_is_kept_for_thirty_days(rated: Campaign) -> None:
    lives.delete_campaign(campaign=rated, typed=rated.slug)
    long_ago(rated, days=29.9)
    assert remove_due() == 0
    with pytest.raises(NotDue):
        remove(campaign=rated)
    assert rated.items.count() == 4


def test_the_database_lets_no_rating_go_before(rated: Campaign) -> None:
    lives.delete_campaign(campaign=rated, typed=rated.slug)
    for days in (0, 29.9):
        long_ago(rated, days=days)
        with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
            Rating.objects.all()._raw_delete("default")
    long_ago(rated, days=30.1)
    other = make_campaign("seas")
    make_labelled_items(other, items=1)
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        Rating.objects.all()._raw_delete("default")  # one of them is of another campaign
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        Rating.objects.filter(item__campaign=rated).update(comment="x")
    with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
        AuditEntry.objects.filter(campaign=rated)._raw_delete("default")


def test_after_that_all_of_it_is_removed_and_the_audit_log_stays(
    rated: Campaign, settings: Settings, tmp_path: Path
) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.MATCHERS_DIR = tmp_path / "matchers"
    place = settings.RELEASES_DIR / "lakes" / "1.0.0"
    elsewhere = tmp_path / "mine"
    split = ("--split", "document:dev=50,test=50")
    call_command("release", "lakes", "--version", "1.0.0", *split, "--out", str(place))
    call_command("release", "lakes", "--version", "1.0.1", *split, "--out", str(elsewhere))
    other = make_campaign("seas")
    make_labelled_items(other, items=2)
    entries = AuditEntry.objects.count()
    lives.delete_campaign(campaign=rated, typed=rated.slug)
    long_ago(rated, days=30.1)
    assert not restorable_by(Membership.objects.get(name="reed").user).exists()  # type: ignore[arg-type]  # has an account
    assert remove_due() == 1
    connection.check_constraints()
    assert remove_due() == 0
    assert not place.exists()
    assert (elsewhere / "manifest.json").exists()
    for model, path in owned_models():
        assert not model._base_manager.filter(**{"__".join(path): rated}).exists(), model
    left = fresh(rated)
    assert (left.title, left.description, left.guideline) == ("", "", None)
    assert left.removed_at is not None
    assert make_campaign("lakes").slug == "lakes"
    assert other.items.count() == 2
    assert Rating.objects.count() == 2
    assert AuditEntry.objects.count() > entries
    last = AuditEntry.objects.filter(action=AuditAction.CAMPAIGN_REMOVED).get()
    assert last.subject == "lakes"
    assert not due_for_removal().exists()
    call_command("verify_audit")


def test_pages_say_what_to_do_instead(rated: Campaign) -> None:
    admin = signed_in(Membership.objects.get(name="reed"))
    lives.archive(campaign=rated)
    refused = admin.post("/c/lakes/settings/", {"section": "general", "title": "x"})
    assert refused.status_code == 409
    html = refused.content.decode()
    assert "Nothing was changed: “Lakes and seas” is read-only." in html
    assert "Reopen it in the settings" in admin.get("/c/lakes/").content.decode()
    called = admin.post("/api/v1/campaigns/lakes/invitations", {}, "application/json")
    assert called.status_code == 409
    assert "is archived" in called.json()["detail"]
    rater = signed_in(make_member_of_archived(rated))
    assert "This campaign is archived" in rater.get("/c/lakes/rate/").content.decode()


def make_member_of_archived(campaign: Campaign) -> Membership:
    lives.reopen(campaign=campaign)
    member = make_member(campaign)
    lives.archive(campaign=campaign)
    return member


def test_home_folds_archived_campaigns_away(rated: Campaign, client: Client) -> None:
    member = Membership.objects.get(name="reed")
    lives.archive(campaign=rated)
    client = signed_in(member)
    html = client.get("/").content.decode()
    assert "1 archived campaign" in html
    assert 'href="/c/lakes/"' in html
    lives.delete_campaign(campaign=rated, typed=rated.slug)
    assert "Deleted campaigns" in client.get("/").content.decode()
    page = client.get("/campaigns/deleted/").content.decode()
    assert "Lakes and seas" in page
    assert client.post(f"/campaigns/deleted/{rated.pk}/restore/").status_code == 302
    assert client.get("/c/lakes/").status_code == 200


def test_strangers_restore_nothing(rated: Campaign) -> None:
    lives.delete_campaign(campaign=rated, typed=rated.slug)
    stranger = signed_in(make_member(make_campaign("seas"), "admin"))
    assert stranger.post(f"/campaigns/deleted/{rated.pk}/restore/").status_code == 404
    called = stranger.post(f"/api/v1/deleted-campaigns/{rated.pk}/restoration")
    assert called.status_code == 404
    assert stranger.get("/api/v1/deleted-campaigns").json()["results"] == []
