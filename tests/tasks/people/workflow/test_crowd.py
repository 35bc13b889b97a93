"""Visitors of a crowd service: one membership for each, whatever they do."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.access.queries import Completion, completion_for
from tasks.models import Campaign, CrowdVisit, Invitation, Membership
from tasks.people.workflow.invitations import (
    InvitationEnded,
    VisitorSentAway,
    enter,
    invite,
    revoke,
)
from tasks.people.workflow.members import deactivate
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.conftest import rate_next


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign(overlap=3)
    make_item(campaign)
    return campaign


@pytest.fixture
def invitation(campaign: Campaign) -> Invitation:
    return invite(campaign=campaign, kind="crowd")[0]


def test_first_visit_makes_an_account_that_tells_nothing(invitation: Invitation) -> None:
    visitor = enter(invitation=invitation, participant="participant-one", study="s1", session="x1")
    assert visitor.user is not None
    assert (visitor.role, visitor.invitation) == ("rater", invitation)
    assert visitor.user.has_usable_password() is False
    assert "participant-one" not in visitor.name + visitor.user.username + visitor.pseudonym
    visit = CrowdVisit.objects.get()
    assert (visit.membership, visit.participant, visit.study, visit.session) == (
        visitor,
        "participant-one",
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


def test_completion_is_for_visitors_who_have_rated(
    campaign: Campaign, invitation: Invitation
) -> None:
    campaign.completion_code, campaign.completion_url = "C0DE", "https://service.example/done"
    campaign.save()
    visitor = enter(invitation=invitation, participant="p1")
    idle = enter(invitation=invitation, participant="p2")
    member = make_member(campaign)
    for each in (visitor, member):
        rate_next(each)
    found = [completion_for(Membership.objects.get(pk=each.pk)) for each in (visitor, idle, member)]
    assert found == [Completion("C0DE", "https://service.example/done"), None, None]


def test_completion_needs_something_to_give(invitation: Invitation) -> None:
    visitor = enter(invitation=invitation, participant="p1")
    rate_next(visitor)
    assert completion_for(visitor) is None
