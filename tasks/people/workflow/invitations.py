"""Invitation links: making, revoking and accepting them; secrets are shown once.

Each visitor of a crowd service gets an account and a membership, made once.
"""

import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from tasks.access.queries import is_crowd_account, visit_of
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import (
    AuditAction,
    Campaign,
    CrowdVisit,
    Invitation,
    InvitationKind,
    Membership,
    Role,
    User,
)
from tasks.people.queries import InvitationEnd, end_of
from tasks.storing.acts import record


class InvitationEnded(Exception):
    """The invitation lets nobody in any more; `end` says why."""

    def __init__(self, end: InvitationEnd) -> None:
        super().__init__(f"the invitation is {end}")
        self.end = end


class AlreadyMember(Exception):
    """The user has been in the campaign before; `membership` stays as it is, active or not."""

    def __init__(self, membership: Membership) -> None:
        super().__init__(f"{membership.name} is already a member")
        self.membership = membership


class NotForVisitors(Exception):
    """The account was made for a visitor of one campaign and joins no other."""


@transaction.atomic
def invite(
    *,
    campaign: Campaign,
    role: str = Role.RATER,
    days: int = 14,
    max_uses: int | None = None,
    kind: str = InvitationKind.ACCOUNT,
    note: str = "",
    created_by: User | None = None,
) -> tuple[Invitation, str]:
    """A new invitation, open for so many days, and its secret, known this once.

    Raises django.core.exceptions.ValidationError, also for a crowd invitation of another role.
    """
    secret = Invitation.new_secret()
    invitation = Invitation(
        campaign=campaign,
        kind=kind,
        role=role,
        digest=Invitation.digest_of(secret),
        note=note,
        max_uses=max_uses,
        expires_at=timezone.now() + timedelta(days=days),
        created_by=created_by,
    )
    invitation.full_clean(exclude=["created_by", "revoked_at"])
    invitation.save()
    record(
        AuditAction.INVITATION_MADE,
        campaign=campaign,
        subject=("invitation", invitation.pk),
        details={"role": str(role), "kind": str(kind), "days": days, "max_uses": max_uses},
    )
    return invitation, secret


@transaction.atomic
def revoke(*, invitation: Invitation) -> None:
    """Let nobody in by it any more. Members who came by it stay."""
    open_one = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    if open_one.update(revoked_at=Now()):
        record(
            AuditAction.INVITATION_REVOKED,
            campaign=invitation.campaign,
            subject=("invitation", invitation.pk),
        )


@transaction.atomic
def accept(*, invitation: Invitation, user: User) -> Membership:
    """Raises AlreadyMember, which uses nothing up, InvitationEnded and NotForVisitors."""
    locked = locked_invitation(invitation)
    if is_crowd_account(user):
        raise NotForVisitors
    there = Membership.objects.filter(campaign=locked.campaign_id, user=user).first()
    if there is not None:
        raise AlreadyMember(there)
    require_open(locked)
    return add_member(campaign=locked.campaign, user=user, role=locked.role, invitation=locked)


def accept_with_new_account(
    *, invitation: Invitation, username: str, password: str, email: str = ""
) -> Membership:
    """Raises InvitationEnded, and ValidationError for a name or address that cannot be."""
    user = User(username=User.normalize_username(username), email=email)
    user.set_password(password)  # slow on purpose, so not while others wait for the lock
    with transaction.atomic():
        locked = locked_invitation(invitation)
        require_open(locked)
        user.full_clean()
        user.save()
        member = add_member(
            campaign=locked.campaign, user=user, role=locked.role, invitation=locked
        )
        subject = ("account", user.username)
        record(AuditAction.ACCOUNT_CREATED, campaign=locked.campaign, subject=subject)
        return member


def locked_invitation(invitation: Invitation) -> Invitation:
    """The invitation as it is now, with everybody else who comes by it waiting."""
    # on SQLite the transaction holds the write lock from its beginning
    locked = Invitation.objects.select_for_update(no_key=True, of=("self",))
    return locked.select_related("campaign").get(pk=invitation.pk)


def require_open(invitation: Invitation) -> None:
    """Raises InvitationEnded."""
    if end := end_of(invitation):
        raise InvitationEnded(end)


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
    try:
        require_open(locked)
    except InvitationEnded as ended:
        if visit is None or ended.end != InvitationEnd.USED_UP:
            raise
    if visit is None:
        return _first_visit(locked, participant, study, session)
    if not visit.membership.is_active:
        raise VisitorSentAway
    return visit.membership


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
