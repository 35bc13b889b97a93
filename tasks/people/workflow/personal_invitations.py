"""Inviting a person by the name of their account, who takes or declines it.

Whoever invites sees the same whether there is such an account or not, and whether it has declined
or not answered yet: else names could be tried until one is found.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from tasks.campaigns.workflow.campaign import add_member
from tasks.models import (
    AnswerState,
    AuditAction,
    Campaign,
    Membership,
    PersonalInvitation,
    User,
)
from tasks.people.queries.members import account_to_admit
from tasks.people.queries.personal_invitations import UNANSWERED, invitations_of, unanswered_in
from tasks.people.workflow.members import IsMember, TooManyInvited, WasMember
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal

OPEN_FOR: Final = timedelta(days=30)
MOST: Final = 200


class NotAsked(Refusal):
    """There is no such invitation for this person, or it is over."""

    status = 404


@transaction.atomic
def invite_person(
    *, campaign: Campaign, name: str, role: str, by: User | None = None
) -> PersonalInvitation:
    """Ask the account of this name, if there is one; again changes nothing while it is open.

    Raises IsMember, WasMember and TooManyInvited: what an admin sees of their own campaign.
    """
    _require_no_member(campaign, name)
    # who invites the same name at the same moment waits
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    there = unanswered_in(campaign).filter(name=name).first()
    if there is not None:
        return there
    if unanswered_in(campaign).count() >= MOST:
        raise TooManyInvited
    _end(PersonalInvitation.objects.filter(campaign=campaign, name=name, state__in=UNANSWERED))
    made = PersonalInvitation.objects.create(
        campaign=campaign,
        name=name,
        user=account_to_admit(name),
        role=role,
        expires_at=timezone.now() + OPEN_FOR,
        created_by=by,
    )
    record(
        AuditAction.PERSON_INVITED,
        campaign=campaign,
        subject=("invitation", name),
        details={"role": str(role)},
    )
    return made


@transaction.atomic
def withdraw_invitation(*, invitation: PersonalInvitation) -> None:
    """Ask no more. Again changes nothing, and who has accepted stays."""
    if _end(PersonalInvitation.objects.filter(pk=invitation.pk, state__in=UNANSWERED)):
        record(
            AuditAction.INVITATION_REVOKED,
            campaign=invitation.campaign,
            subject=("invitation", invitation.name),
        )


@transaction.atomic
def accept_invitation(*, user: User, invitation_id: int) -> Membership:
    """Become a member, in the role one was asked for. Who is one already stays as they are.

    Raises NotAsked.
    """
    asked = _answered(user, invitation_id, AnswerState.ACCEPTED)
    there = Membership.objects.filter(campaign=asked.campaign, user=user).first()
    return there or add_member(campaign=asked.campaign, user=user, role=asked.role)


@transaction.atomic
def decline_invitation(*, user: User, invitation_id: int) -> None:
    """Stay out. The campaign's admins are told nothing, nor is its log. Raises NotAsked."""
    asked = _answered(user, invitation_id, AnswerState.DECLINED)
    record(AuditAction.PERSON_DECLINED, subject=("invitation", asked.pk))


def _require_no_member(campaign: Campaign, name: str) -> None:
    """Admins see the members of their campaign anyway."""
    there = Membership.objects.filter(user__username=name, campaign=campaign).first()
    if there is not None:
        raise IsMember if there.is_active else WasMember


def _answered(user: User, invitation_id: int, state: AnswerState) -> PersonalInvitation:
    asked = invitations_of(user).filter(pk=invitation_id).first()
    same = PersonalInvitation.objects.filter(pk=invitation_id, state=AnswerState.WAITING)
    if asked is None or not same.filter(expires_at__gt=Now()).update(state=state):
        raise NotAsked("there is no such invitation for you any more")
    return asked


def _end(invitations: QuerySet[PersonalInvitation]) -> int:
    return invitations.update(state=AnswerState.ENDED)
