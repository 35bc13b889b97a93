"""Members: admission, role and quota, pausing, leaving, and help for those who are locked out."""

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tasks.models import Campaign, CrowdVisit, Membership, Role, Slot, User
from tasks.queries.crowd import is_crowd_account
from tasks.workflow.campaign import add_member


class MemberRefused(Exception):
    """What was asked cannot be done with this member."""


class LastAdmin(MemberRefused):
    """A campaign keeps at least one active admin."""


class IsMember(MemberRefused):
    """An active member is not admitted again: that would change their role unseen."""


class VisitorStaysRater(MemberRefused):
    """A visitor of a crowd service rates, in one campaign."""


class NoStandingToReset(MemberRefused):
    """A new password would open more than the one who gives it administers."""


def admit(*, campaign: Campaign, user: User, role: str) -> Membership:
    """Make an existing account a member, or let a deactivated one in again, in this role.

    Raises IsMember and VisitorStaysRater.
    """
    if is_crowd_account(user):
        raise VisitorStaysRater
    if Membership.objects.filter(campaign=campaign, user=user, is_active=True).exists():
        raise IsMember
    return add_member(campaign=campaign, user=user, role=role)


@transaction.atomic
def change_member(*, member: Membership, role: str, quota: int | None) -> None:
    """Give a member a role and a quota; None leaves the quota to the campaign.

    Raises LastAdmin and VisitorStaysRater.
    """
    if role != Role.ADMIN:
        _keep_an_admin(member)
    if role != Role.RATER and CrowdVisit.objects.filter(membership=member).exists():
        raise VisitorStaysRater
    member.role, member.quota = role, quota
    member.save(update_fields=["role", "quota"])


@transaction.atomic
def deactivate(*, member: Membership) -> None:
    """Shut a member out. Ratings stay, and what they held is free for others at once.

    A slot without a place in the order was made for its holder alone and stays with them.

    Raises LastAdmin.
    """
    _keep_an_admin(member)
    member.is_active = False
    member.save(update_fields=["is_active"])
    Slot.objects.filter(holder__rater=member, is_filled=False, order_key__isnull=False).update(
        holder=None, expires_at=None
    )


def reactivate(*, member: Membership) -> None:
    """Let a deactivated member in again, as what they were."""
    member.is_active = True
    member.save(update_fields=["is_active"])


def set_paused(*, member: Membership, is_paused: bool) -> None:
    """Give a member no more items, or items again. What they hold they may finish."""
    member.is_paused = is_paused
    member.save(update_fields=["is_paused"])


def password_reset(*, member: Membership, by: Membership) -> tuple[str, str]:
    """User id and token for a link by which the member sets a new password, once, within a day.

    Whoever has the link has the account, so it is made only by an admin of every campaign that
    the account has ever been in, and never for operators or admins of another campaign.

    Raises NoStandingToReset.
    """
    user = member.user
    if user is None or not _may_reset(user, member, by):
        raise NoStandingToReset
    return urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)


def _may_reset(user: User, member: Membership, by: Membership) -> bool:
    if user.is_staff or user.is_superuser or not user.is_active or not user.has_usable_password():
        return False
    if not member.is_active or member.campaign_id != by.campaign_id or by.role != Role.ADMIN:
        return False
    elsewhere = Membership.objects.filter(user=user).exclude(pk=member.pk)
    administered = Membership.objects.filter(user=by.user, role=Role.ADMIN, is_active=True)
    return (
        not elsewhere.filter(role=Role.ADMIN).exists()
        and not elsewhere.exclude(campaign__in=administered.values("campaign")).exists()
    )


def _keep_an_admin(member: Membership) -> None:
    """Raises LastAdmin if the campaign has no other active admin.

    The admins' rows are locked, so that two of them cannot dismiss each other at the same time.
    """
    admins = (
        Membership.objects.select_for_update(of=("self",), no_key=True)
        .filter(campaign=member.campaign_id, role=Role.ADMIN, is_active=True)
        .filter(user__is_active=True)
        .order_by("pk")
    )
    if [admin.pk for admin in admins] == [member.pk]:
        raise LastAdmin
