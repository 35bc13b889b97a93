"""An act has its entry, with who did it, in the same transaction; what is undone leaves none."""

import json

import pytest
from django.db import connections, transaction

from tasks.audit.queries import check_chain
from tasks.campaigns.workflow.campaign import change_settings, create_campaign, create_member
from tasks.jobs.workflow import jobs
from tasks.models import ActorKind, AuditAction, AuditEntry, Campaign, JobKind, Membership
from tasks.models.audit import BEGINNING
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import change_member, deactivate
from tasks.storing.acts import Actor, NotInTransaction, acting, operating_system_actor, record
from tests.factories import make_campaign, make_member
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

pytestmark = pytest.mark.django_db


def told(after: int = 0) -> list[tuple[str, str, dict[str, object]]]:
    """The log's entries after a number: action, subject, details."""
    entries = AuditEntry.objects.filter(sequence__gt=after).order_by("sequence")
    return [(entry.action, entry.subject, entry.facts) for entry in entries]


def last() -> int:
    return AuditEntry.objects.count()


def test_creating_and_changing_a_campaign_is_told_in_order() -> None:
    campaign = create_campaign(slug="rivers", protocol="ae", overlap=2)
    change_settings(campaign=campaign, changes={"overlap": 3, "title": "rivers"})
    made = {"overlap": 2, "protocol": "ae", "suggestions": "hidden"}
    told_of = told()
    assert told_of[1:] == [
        ("campaign.created", "rivers", made),
        ("settings.changed", "", {"changes": {"overlap": [2, 3]}}),
    ]
    assert told_of[0][:2] == ("guidelines.published", "version 1")
    assert check_chain().fault == ""


def test_an_entry_has_who_did_it_as_they_were_then() -> None:
    campaign = make_campaign()
    admin = make_member(campaign, "admin", "oak")
    with acting(lambda: Actor(ActorKind.PERSON, "oak", admin.user, "page")):
        rater = make_member(campaign, "rater", "pine")
        change_member(member=rater, role="researcher", quota=5)
    deactivate(member=rater)
    found = AuditEntry.objects.filter(campaign=campaign).order_by("-sequence")[:4]
    who = [(e.actor_kind, e.actor, e.user_id, e.role, e.via, e.action) for e in found]
    oak = ("person", "oak", admin.user_id, "admin", "page")
    me = operating_system_actor("python")
    assert who == [
        ("command", me.name, None, "", "python", "member.deactivated"),
        (*oak, "member.quota-changed"),
        (*oak, "member.role-changed"),
        (*oak, "member.added"),
    ]
    assert found[2].facts == {"changes": {"role": ["rater", "researcher"]}}


def test_the_first_entry_follows_nothing_and_the_next_the_one_before() -> None:
    make_campaign()
    first, second = AuditEntry.objects.order_by("sequence")[:2]
    assert (first.sequence, first.previous) == (1, BEGINNING)
    assert (second.sequence, second.previous) == (2, first.hash)


def test_what_is_rolled_back_leaves_no_entry() -> None:
    campaign = make_campaign()
    before = last()
    with transaction.atomic():
        invite(campaign=campaign)
        transaction.set_rollback(True)
    invite(campaign=campaign)
    assert [action for action, _subject, _details in told(before)] == ["invitation.made"]
    assert check_chain().fault == ""


def test_nothing_is_recorded_outside_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections["default"], "in_atomic_block", False)
    with pytest.raises(NotInTransaction):
        record(AuditAction.EXPORT_TAKEN)


def test_no_secret_is_in_the_log() -> None:
    campaign = make_campaign()
    password, token = create_member(campaign=campaign, username="pine", role="rater")
    _invitation, secret = invite(campaign=campaign)
    change_settings(campaign=campaign, changes={"completion_code": "C-SECRET"})
    rows = json.dumps([list(row) for row in AuditEntry.objects.values_list()], default=str)
    assert [text for text in (password, token, secret, "C-SECRET") if text in rows] == []
    assert told()[-1][2] == {"changes": {"completion_code": ["", "…"]}}


def test_claims_and_ratings_do_not_touch_the_chain(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign())
    before = last()
    assert rate_next(rater) is not None
    assert told(before) == []


def test_texts_that_no_database_keeps_are_recorded_all_the_same() -> None:
    make_campaign()
    with acting(lambda: Actor(ActorKind.COMMAND, "a\0b\ud800" + "c" * 300, via="v" * 200)):
        details = {"text": "\0\ud800", "number": 0.1, "huge": 10**30}
        record(AuditAction.EXPORT_TAKEN, subject=("s", "x\0" * 300), details=details)
    entry = AuditEntry.objects.order_by("sequence").last()
    assert entry is not None
    assert (len(entry.actor), len(entry.subject), len(entry.via)) == (255, 300, 100)
    assert entry.facts == details
    assert check_chain().fault == ""


def test_an_act_that_changes_nothing_is_none(campaign: Campaign) -> None:
    job = jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})
    before = last()
    jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})
    change_settings(campaign=campaign, changes={"overlap": campaign.overlap})
    assert jobs.cancel(job=job)
    assert not jobs.cancel(job=job)
    assert told(before) == [("job.cancelled", f"{job.pk} suggest f1", {})]


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign()


def test_a_member_of_another_campaign_acts_without_a_role(campaign: Campaign) -> None:
    elsewhere: Membership = make_member(make_campaign(), "admin", "lily")
    with acting(lambda: Actor(ActorKind.PERSON, "lily", elsewhere.user, "page")):
        invite(campaign=campaign)
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.actor, entry.role, entry.user_id) == ("lily", "", elsewhere.user_id)
