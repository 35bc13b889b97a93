"""Removal of campaigns that were deleted long ago: their title and the audit log remain."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from tasks.campaigns.workflow import lives
from tasks.campaigns.workflow.lives import NotDue, delete_campaign, remove, remove_due
from tasks.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    CrowdVisit,
    InvitationKind,
    Membership,
    Thread,
    User,
)
from tasks.models.belonging import lookup, owned_models
from tasks.people.workflow.invitations import enter, invite
from tasks.people.workflow.members import give_consent
from tasks.release_store.files import StoreError
from tasks.releases.workflow.listing import withdraw_release
from tasks.talk.workflow import note_opened
from tests.busy_campaign import make_busy_campaign
from tests.factories import make_campaign, make_items, make_labelled_items, make_member
from tests.tasks.conftest import deleted_long_ago
from tests.tasks.talk.conversations import answer, flagged_by

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def folders(settings: Settings, tmp_path: Path) -> Path:
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.MATCHERS_DIR = tmp_path / "matchers"
    return tmp_path


def deleted(slug: str = "lakes", days: float = 30.1) -> Campaign:
    campaign = Campaign.objects.get(slug=slug)
    delete_campaign(campaign=campaign, typed=slug)
    deleted_long_ago(campaign, days=days)
    return campaign


def rows_of(campaign: Campaign) -> dict[str, int]:
    """The number of rows of each kind that belong to it."""
    return {
        model.__name__: model._base_manager.filter(**{lookup(way): campaign}).count()
        for model, ways in owned_models().items()
        for way in ways
    }


def _talk(admin: Membership) -> None:
    """A question of a rater, and an answer that another has opened."""
    rater, other = (make_member(admin.campaign, username=name) for name in ("ash", "elm"))
    give_consent(membership=rater, version=1)
    thread = Thread.objects.get(item=flagged_by(rater).item_id, rater=rater)
    note_opened(answers=[answer(thread, admin, "Rate by the last sentence.")], rater=other)


def test_everything_goes_but_the_audit_log_and_other_campaigns(folders: Path) -> None:
    admin = make_busy_campaign("lakes", folders / "releases" / "lakes", items=64)
    _talk(admin)
    withdraw_release(release=admin.campaign.releases.latest("pk"), reason="Wrong", by=admin)
    other = make_campaign("seas")
    make_labelled_items(other, items=2)
    kept, entries = rows_of(other), list(AuditEntry.objects.order_by("sequence"))
    lakes = deleted()
    assert remove_due() == 1
    connection.check_constraints()
    assert set(rows_of(lakes).values()) == {0}
    assert rows_of(other) == kept
    assert list((folders / "releases").iterdir()) == []
    assert list(AuditEntry.objects.order_by("sequence"))[: len(entries)] == entries
    last = AuditEntry.objects.latest("sequence")
    assert (last.action, last.subject, last.campaign) == (
        *(AuditAction.CAMPAIGN_REMOVED, "lakes", lakes),
    )
    left = Campaign.objects.get(pk=lakes.pk)
    assert (left.title, left.guideline, left.consent_text) == (lakes.title, None, None)
    assert make_campaign("lakes").slug == "lakes"
    assert remove_due() == 0


def test_it_stays_whole_for_thirty_days(folders: Path) -> None:
    campaign = make_campaign("lakes")
    make_items(campaign, 2)
    deleted(days=29.9)
    assert remove_due() == 0
    with pytest.raises(NotDue):
        remove(campaign=campaign)
    assert campaign.items.count() == 2


def test_accounts_of_crowd_visitors_are_closed(folders: Path) -> None:
    campaign = make_campaign("lakes")
    invitation, _secret = invite(campaign=campaign, kind=InvitationKind.CROWD)
    visitor = enter(invitation=invitation, participant="p1").user
    assert visitor is not None
    deleted()
    assert remove_due() == 1
    assert not User.objects.get(pk=visitor.pk).is_active
    assert not CrowdVisit.objects.exists()


def test_whatever_interrupts_it_is_made_up_for_in_the_next_round(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are gone by then, all of its rows are there."""
    campaign = make_campaign("lakes")
    make_items(campaign, 2)
    deleted()
    release = folders / "releases" / "lakes" / "1.0.0"
    release.mkdir(parents=True)
    before = rows_of(campaign)
    with monkeypatch.context() as patch:
        patch.setattr(lives, "_empty", _interrupt)
        assert remove_due() == 0
    assert (release.exists(), rows_of(campaign)) == (False, before)
    assert remove_due() == 1
    call_command("verify_audit")


def test_a_campaign_whose_files_cannot_be_reached_keeps_no_other_back(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("lakes", "seas"):
        make_campaign(slug)
        deleted(slug)

    def unreachable(slug: str) -> None:
        if slug == "lakes":
            raise StoreError("no answer")

    monkeypatch.setattr(lives, "remove_releases", unreachable)
    assert remove_due() == 1
    assert Campaign.objects.filter(removed_at=None).get().slug == "lakes"


def _interrupt(_campaign: Campaign) -> None:
    raise InterruptedError
