"""Archiving, reopening, deleting and restoring a campaign."""

from collections.abc import Callable

import pytest

from tasks.campaigns.queries import restorable_by
from tasks.campaigns.workflow import lives
from tasks.campaigns.workflow.campaign import change_settings, create_member
from tasks.intake.workflow.items import import_items
from tasks.jobs.workflow.jobs import enqueue
from tasks.models import (
    AuditEntry,
    Campaign,
    CampaignState,
    Job,
    JobKind,
    JobState,
    Membership,
    Slot,
    User,
)
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import deactivate
from tasks.rating.workflow.assignment import CampaignPaused, claim_item
from tasks.storing.refusals import CampaignArchived
from tests.factories import make_campaign, make_items, make_member, make_user
from tests.tasks.conftest import deleted_long_ago, item_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def lakes() -> Campaign:
    """Two items, a queued job, and an admin."""
    campaign = make_campaign("lakes", title="Lakes and seas")
    make_items(campaign, 2)
    make_member(campaign, "admin", "reed")
    enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})
    return campaign


def fresh(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def acts() -> list[str]:
    entries = AuditEntry.objects.filter(action__startswith="campaign.").order_by("sequence")
    return list(entries.values_list("action", flat=True))


def test_archiving_cancels_jobs_takes_items_back_and_can_be_undone(lakes: Campaign) -> None:
    assert claim_item(membership=make_member(lakes))
    assert lives.archive(campaign=lakes)
    assert not lives.archive(campaign=fresh(lakes))
    assert list(Job.objects.values_list("state", flat=True)) == [JobState.CANCELLED]
    assert not Slot.objects.filter(holder__isnull=False).exists()
    assert lives.reopen(campaign=lakes)
    assert fresh(lakes).state == CampaignState.PAUSED
    assert not lives.reopen(campaign=lakes)
    assert acts() == ["campaign.created", "campaign.archived", "campaign.reopened"]


def test_no_act_changes_an_archived_campaign(lakes: Campaign) -> None:
    """Neither by a command nor by a job, whatever they knew of it: `lakes` is as it was read."""
    lives.archive(campaign=fresh(lakes))
    attempts: list[Callable[[], object]] = [
        lambda: import_items(campaign=lakes, rows=[item_row(9)]),
        lambda: change_settings(campaign=lakes, changes={"overlap": 3}),
        lambda: change_settings(campaign=lakes, changes={"state": "open", "overlap": 3}),
        lambda: create_member(campaign=lakes, username="newt", role="rater"),
        lambda: invite(campaign=lakes),
        lambda: enqueue(campaign=lakes, kind=JobKind.SUGGEST, parameters={"name": "em"}),
    ]
    for attempt in attempts:
        with pytest.raises(CampaignArchived) as refusal:
            attempt()
        assert str(refusal.value) == (
            "the campaign lakes is archived and read-only; an admin can reopen it in its settings"
        )
    assert (fresh(lakes).overlap, fresh(lakes).state) == (2, "archived")
    assert lakes.items.count() == 2
    assert lakes.jobs.count() == 1
    assert not User.objects.filter(username="newt").exists()


def test_nobody_gets_an_item_of_an_archived_campaign(lakes: Campaign) -> None:
    lives.archive(campaign=lakes)
    with pytest.raises(CampaignPaused):
        claim_item(membership=Membership.objects.get(name="reed"))


def test_releases_are_made_and_people_shut_out_while_it_is_archived(lakes: Campaign) -> None:
    member = make_member(lakes)
    lives.archive(campaign=lakes)
    job = enqueue(campaign=lakes, kind=JobKind.RELEASE, parameters={"version": "1.0.0"})
    deactivate(member=member)
    assert job.state == JobState.QUEUED
    assert not Membership.objects.get(pk=member.pk).is_active


def test_deleting_takes_the_short_name_and_restoring_brings_it_back_archived(
    lakes: Campaign,
) -> None:
    with pytest.raises(lives.NotItsName):
        lives.delete_campaign(campaign=lakes, typed="Lakes and seas")
    lives.delete_campaign(campaign=lakes, typed="lakes")
    lives.delete_campaign(campaign=fresh(lakes), typed="lakes")
    lives.restore(campaign=lakes)
    assert (fresh(lakes).deleted_at, fresh(lakes).state) == (None, CampaignState.ARCHIVED)
    with pytest.raises(lives.NotRestorable):
        lives.restore(campaign=lakes)
    assert acts() == [
        *("campaign.created", "campaign.archived", "campaign.deleted", "campaign.restored"),
    ]


def test_deleting_an_archived_campaign_stops_its_release(lakes: Campaign) -> None:
    lives.archive(campaign=lakes)
    job = enqueue(campaign=lakes, kind=JobKind.RELEASE, parameters={"version": "1.0.0"})
    lives.delete_campaign(campaign=lakes, typed="lakes")
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_a_deleted_campaign_is_not_reopened(lakes: Campaign) -> None:
    lives.delete_campaign(campaign=lakes, typed="lakes")
    assert not lives.reopen(campaign=lakes)


def test_admins_and_operators_restore_it_for_thirty_days(lakes: Campaign) -> None:
    admin = Membership.objects.get(name="reed")
    rater = make_member(lakes)
    operator = make_user("yew", is_staff=True, is_superuser=True)
    assert admin.user is not None
    assert rater.user is not None
    people = (admin.user, operator, rater.user)
    lives.delete_campaign(campaign=lakes, typed="lakes")
    deleted_long_ago(lakes, days=29.9)
    assert [list(restorable_by(user)) for user in people] == [[lakes], [lakes], []]
    deleted_long_ago(lakes, days=30.1)
    assert [list(restorable_by(user)) for user in people] == [[], [], []]
    with pytest.raises(lives.NotRestorable):
        lives.restore(campaign=lakes)
