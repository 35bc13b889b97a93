"""Visitors of a crowd service: one membership for each, whatever they do."""

from datetime import timedelta
from math import ceil

import pytest
from django.db.models import F
from django.db.models.functions import Now

from tasks.access.queries.crowd import Completion, completion_for
from tasks.access.workflow.login_attempts import TriedTooOften
from tasks.models import Assignment, Campaign, CrowdVisit, Invitation, Membership, Slot
from tasks.people.workflow.crowd import VisitorSentAway, enter
from tasks.people.workflow.invitations import InvitationEnded, invite, revoke
from tasks.people.workflow.members import deactivate
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.prefetch import claim_following
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_item, make_member


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign(overlap=3)
    make_item(campaign)
    return campaign


@pytest.fixture
def invitation(campaign: Campaign) -> Invitation:
    return invite(campaign=campaign, kind="crowd")[0]


def rate(member: Membership) -> None:
    claim = claim_item(membership=member)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        answers={"q1": True},
        idempotency_key=f"key-{claim.assignment_id}",
    )


def test_first_visit_makes_an_account_that_tells_nothing(invitation: Invitation) -> None:
    visitor = enter(invitation=invitation, participant="p1", study="s1", session="x1")
    assert visitor.user is not None
    assert (visitor.role, visitor.invitation) == ("rater", invitation)
    assert visitor.user.has_usable_password() is False
    assert "p1" not in visitor.name + visitor.user.username + visitor.pseudonym
    visit = CrowdVisit.objects.get()
    assert (visit.membership, visit.participant, visit.study, visit.session) == (
        visitor,
        "p1",
        "s1",
        "x1",
    )


def test_coming_again_leads_to_the_same_membership(invitation: Invitation) -> None:
    first = enter(invitation=invitation, participant="p1", session="x1")
    again = enter(invitation=invitation, participant="p1", session="x2")
    other_link, _secret = invite(campaign=invitation.campaign, kind="crowd")
    assert [again, enter(invitation=other_link, participant="p1")] == [first, first]
    assert CrowdVisit.objects.get().session == "x1"
    assert enter(invitation=invitation, participant="p2") != first


def test_participants_of_two_campaigns_are_two_people(invitation: Invitation) -> None:
    elsewhere, _secret = invite(campaign=make_campaign(), kind="crowd")
    here = enter(invitation=invitation, participant="p1")
    assert enter(invitation=elsewhere, participant="p1").user != here.user


def test_used_up_link_lets_back_in_and_nobody_else(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign, kind="crowd", max_uses=1)
    first = enter(invitation=invitation, participant="p1")
    with pytest.raises(InvitationEnded):
        enter(invitation=invitation, participant="p2")
    assert enter(invitation=invitation, participant="p1") == first
    assert Membership.objects.filter(campaign=campaign).count() == 1


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_ended_link_lets_nobody_back_in(invitation: Invitation, how: str) -> None:
    enter(invitation=invitation, participant="p1")
    if how == "revoked":
        revoke(invitation=invitation)
    else:
        Invitation.objects.update(expires_at=Now() - timedelta(seconds=1))
    with pytest.raises(InvitationEnded):
        enter(invitation=invitation, participant="p1")


def test_deactivated_visitor_is_sent_away(invitation: Invitation) -> None:
    deactivate(member=enter(invitation=invitation, participant="p1"))
    with pytest.raises(VisitorSentAway):
        enter(invitation=invitation, participant="p1")


def test_first_visits_are_counted_by_address_and_later_ones_are_not(
    campaign: Campaign, invitation: Invitation
) -> None:
    Campaign.objects.update(visitors_per_address=2)
    known = [
        enter(invitation=invitation, participant=name, network="203.0.113.7") for name in ("a", "b")
    ]
    with pytest.raises(TriedTooOften):
        enter(invitation=invitation, participant="c", network="203.0.113.7")
    assert [
        enter(invitation=invitation, participant=name, network="203.0.113.7") for name in ("a", "b")
    ] == known
    enter(invitation=invitation, participant="d", network="203.0.113.8")
    elsewhere, _secret = invite(campaign=make_campaign(), kind="crowd")
    enter(invitation=elsewhere, participant="c", network="203.0.113.7")
    assert list(campaign.crowd_visits.order_by("pk").values_list("participant", flat=True)) == [
        *("a", "b", "d")
    ]


def test_first_visits_are_counted_by_link(invitation: Invitation) -> None:
    Campaign.objects.update(visitors_per_link=1)
    enter(invitation=invitation, participant="a")
    with pytest.raises(TriedTooOften):
        enter(invitation=invitation, participant="b")
    other, _secret = invite(campaign=invitation.campaign, kind="crowd")
    enter(invitation=other, participant="b")


def test_visitors_hold_one_item_for_a_shorter_time(
    campaign: Campaign, invitation: Invitation
) -> None:
    make_item(campaign)
    visitor = Membership.objects.get(pk=enter(invitation=invitation, participant="p1").pk)
    member = make_member(campaign)
    held = {each.pk: claim_item(membership=each) for each in (visitor, member)}
    leases = {
        rater: left.total_seconds() / 60
        for rater, left in Slot.objects.exclude(holder=None)
        .annotate(left=F("expires_at") - Now())
        .values_list("holder__rater", "left")
    }
    assert {rater: ceil(minutes) for rater, minutes in leases.items()} == {
        visitor.pk: 10,
        member.pk: 30,
    }
    assert [
        claim_following(assignment=Assignment.objects.get(pk=claim.assignment_id)) is None
        for claim in held.values()
        if claim
    ] == [True, False]


def test_completion_is_for_visitors_who_have_rated(
    campaign: Campaign, invitation: Invitation
) -> None:
    campaign.completion_code, campaign.completion_url = "C0DE", "https://service.example/done"
    campaign.save()
    visitor = enter(invitation=invitation, participant="p1")
    idle = enter(invitation=invitation, participant="p2")
    member = make_member(campaign)
    for each in (visitor, member):
        rate(each)
    found = [completion_for(Membership.objects.get(pk=each.pk)) for each in (visitor, idle, member)]
    assert found == [Completion("C0DE", "https://service.example/done"), None, None]


def test_completion_needs_something_to_give(invitation: Invitation) -> None:
    visitor = enter(invitation=invitation, participant="p1")
    rate(visitor)
    assert completion_for(visitor) is None
