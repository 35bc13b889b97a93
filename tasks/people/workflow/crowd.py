"""Visitors of a crowd service: an account and a membership for each participant, made once."""

import secrets

from django.db import IntegrityError, transaction

from tasks.access.queries.crowd import visit_of
from tasks.access.workflow.login_attempts import Tries, take
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import CrowdVisit, Invitation, Membership, Role, User
from tasks.people.queries.invitations import InvitationEnd
from tasks.people.workflow.invitations import InvitationEnded, locked_invitation, require_open
from tasks.people.workflow.signatures import is_vouched_for


class VisitorSentAway(Exception):
    """The participant was a member and has been deactivated."""


class NotVouchedFor(Exception):
    """The link asks for a signature of the participant, and this is none."""


def enter(
    *,
    invitation: Invitation,
    participant: str,
    study: str = "",
    session: str = "",
    signature: str = "",
    network: str | None = None,
) -> Membership:
    """The membership of a participant, made at their first visit; `user` is their account.

    Who has been there before comes in as long as the link is neither revoked nor expired, used up
    or not. What the service called study and session stays as it was the first time. First visits
    are counted by link and by `network`, the address they come from as far as that is known.

    Raises InvitationEnded, VisitorSentAway, NotVouchedFor for a wrong signature where the link asks
    for one, and TriedTooOften where too many have just come.
    """
    if not is_vouched_for(invitation, participant, signature):
        raise NotVouchedFor
    known = {"participant": participant, "study": study, "session": session}
    try:
        return _enter(invitation, network, **known)
    except IntegrityError:
        # the same participant came by another link of the campaign at the same moment
        return _enter(invitation, network, **known)


@transaction.atomic
def _enter(
    invitation: Invitation, network: str | None, *, participant: str, study: str, session: str
) -> Membership:
    locked = locked_invitation(invitation)
    visit = visit_of(locked.campaign, participant)
    if visit is None:
        require_open(locked)
        take(tries=_visits(locked, network))
        return _first_visit(locked, participant, study, session)
    _let_back_in(locked, visit)
    return visit.membership


def _visits(invitation: Invitation, network: str | None) -> list[Tries]:
    """What a first visit counts towards; undone with the transaction if it comes to nothing."""
    campaign = invitation.campaign
    limits = [("crowd link", str(invitation.pk), campaign.visitors_per_link)]
    if network is not None:
        address = f"{campaign.pk} {network}"
        limits.append(("visitors' address", address, campaign.visitors_per_address))
    return [Tries(kind, name, most, renews=False) for kind, name, most in limits if most]


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
    membership.is_visitor = True
    membership.save(update_fields=["is_visitor"])
    CrowdVisit.objects.create(
        campaign=invitation.campaign,
        membership=membership,
        participant=participant,
        study=study,
        session=session,
    )
    return membership
