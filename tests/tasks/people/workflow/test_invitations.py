"""Invitations: what they open, for how long, and for whom."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db.models.functions import Now

from tasks.models import Campaign, Invitation, Membership, User
from tasks.people.queries import InvitationEnd, open_invitations
from tasks.people.workflow.invitations import (
    AlreadyMember,
    InvitationEnded,
    NotForVisitors,
    accept,
    accept_with_new_account,
    enter,
    invite,
    revoke,
)
from tests.factories import PASSWORD, make_campaign, make_member, make_user


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign()


def expire(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=Now() - timedelta(seconds=1))


def end_for(invitation: Invitation) -> InvitationEnd | None:
    """Why the invitation refuses both an account and a new one; None if it accepts both."""
    name = f"new-{User.objects.count()}"
    attempts: list[Callable[[], Membership]] = [
        lambda: accept(invitation=invitation, user=make_user()),
        lambda: accept_with_new_account(invitation=invitation, username=name, password=PASSWORD),
    ]
    ends: list[InvitationEnd | None] = []
    for come in attempts:
        try:
            come()
        except InvitationEnded as ended:
            ends.append(ended.end)
        else:
            ends.append(None)
    assert len(set(ends)) == 1
    return ends[0]


def test_accept_gives_the_role_and_remembers_the_invitation(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign, role="researcher")
    joined = accept(invitation=invitation, user=make_user("moss"))
    assert (joined.name, joined.role, joined.invitation) == ("moss", "researcher", invitation)


def test_accept_with_new_account_makes_one_that_can_sign_in(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign)
    joined = accept_with_new_account(
        invitation=invitation, username="moss", password=PASSWORD, email="moss@example.org"
    )
    assert joined.user is not None
    assert (joined.user.username, joined.user.email) == ("moss", "moss@example.org")
    assert joined.user.check_password(PASSWORD)


@pytest.mark.parametrize("name", ["moss", "ｍｏｓｓ"])
def test_accept_with_a_taken_name_makes_nothing(campaign: Campaign, name: str) -> None:
    make_user("moss")
    invitation, _secret = invite(campaign=campaign)
    with pytest.raises(ValidationError, match="already exists"):
        accept_with_new_account(invitation=invitation, username=name, password=PASSWORD)
    assert Membership.objects.filter(campaign=campaign).count() == 0


@pytest.mark.parametrize("is_active", [True, False])
def test_accept_leaves_a_member_as_they_are(campaign: Campaign, is_active: bool) -> None:
    member = make_member(campaign, "researcher")
    Membership.objects.filter(pk=member.pk).update(is_active=is_active)
    invitation, _secret = invite(campaign=campaign, role="admin", max_uses=1)
    assert member.user is not None
    with pytest.raises(AlreadyMember):
        accept(invitation=invitation, user=member.user)
    member.refresh_from_db()
    assert (member.role, member.is_active, member.invitation) == ("researcher", is_active, None)
    assert open_invitations(campaign).get() == invitation


def test_expired_invitation_lets_nobody_in(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign, days=1)
    assert end_for(invitation) is None
    expire(invitation)
    assert end_for(invitation) == InvitationEnd.EXPIRED


def test_revoked_invitation_lets_nobody_in(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign)
    revoke(invitation=invitation)
    assert end_for(invitation) == InvitationEnd.REVOKED


def test_used_up_invitation_lets_nobody_in(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign, max_uses=2)
    assert end_for(invitation) is None
    assert end_for(invitation) == InvitationEnd.USED_UP
    assert Membership.objects.filter(campaign=campaign).count() == 2


def test_open_invitations_are_those_that_let_people_in(campaign: Campaign) -> None:
    expired, revoked, used, unused = (
        invite(campaign=campaign, max_uses=1, note=note)[0]
        for note in ("expired", "revoked", "used", "unused")
    )
    invite(campaign=make_campaign())
    expire(expired)
    revoke(invitation=revoked)
    accept(invitation=used, user=make_user())
    found = [(each.note, vars(each)["uses"]) for each in open_invitations(campaign)]
    assert found == [(unused.note, 0)]


def test_visitor_of_another_campaign_joins_nothing(campaign: Campaign) -> None:
    crowd, _secret = invite(campaign=make_campaign(), kind="crowd")
    visitor = enter(invitation=crowd, participant="p1").user
    invitation, _secret = invite(campaign=campaign)
    assert visitor is not None
    with pytest.raises(NotForVisitors):
        accept(invitation=invitation, user=visitor)
    assert Membership.objects.filter(campaign=campaign).count() == 0


def test_crowd_visitors_are_invited_as_raters_only(campaign: Campaign) -> None:
    with pytest.raises(ValidationError):
        invite(campaign=campaign, kind="crowd", role="admin")
