"""Visitors of a crowd service: an account and a membership for each participant, made once."""

import secrets

from django.db import IntegrityError, transaction

from tasks.access.queries.crowd import visit_of
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import CrowdVisit, Invitation, Membership, Role, User
from tasks.people.queries.invitations import InvitationEnd
from tasks.people.workflow.invitations import InvitationEnded, locked_invitation, require_open


class VisitorSentAway(Exception):
    """The participant was a member and has been deactivated."""


def enter(
    *, invitation: Invitation, participant: str, study: str = "", session: str = ""
) -> Membership:
    """The membership of a participant, made at their first visit; `user` is their account.

    Who has been there before comes in as long as the link is neither revoked nor expired, used up
    or not. What the service called study and session stays as it was the first time.

    Raises InvitationEnded and VisitorSentAway.
    """
    known = {"participant": participant, "study": study, "session": session}
    try:
        return _enter(invitation, **known)
    except IntegrityError:
        # the same participant came by another link of the campaign at the same moment
        return _enter(invitation, **known)


@transaction.atomic
def _enter(invitation: Invitation, *, participant: str, study: str, session: str) -> Membership:
    locked = locked_invitation(invitation)
    visit = visit_of(locked.campaign, participant)
    if visit is None:
        require_open(locked)
        return _first_visit(locked, participant, study, session)
    _let_back_in(locked, visit)
    return visit.membership


def _let_back_in(invitation: Invitation, visit: CrowdVisit) -> None:
    try:
        require_open(invitation)
    except InvitationEnded as ended:
        if ended.end != InvitationEnd.USED_UP:
            raise
    if not visit.membership.is_active:
        raise VisitorSentAway


def _first_visit(invitation: Invitation, participant: str, study: str, session: str) -> Membership:
    """The account says nothing about the participant; only the visit does."""
    user = User(username=f"visitor-{secrets.token_hex(6)}")
    user.set_unusable_password()
    user.save()
    membership = add_member(
        campaign=invitation.campaign, user=user, role=Role.RATER, invitation=invitation
    )
    CrowdVisit.objects.create(
        campaign=invitation.campaign,
        membership=membership,
        participant=participant,
        study=study,
        session=session,
    )
    return membership
