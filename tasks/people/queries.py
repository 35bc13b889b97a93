"""Members, open invitations, and people who were invited by mail."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Lower, Now

from tasks.access.queries import is_crowd_account
from tasks.events.workflow.sending import MAX_ATTEMPTS
from tasks.models import Campaign, Delivery, Invitation, InvitationKind, Membership, User


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    """Everybody, active ones first, with their account and what a crowd service calls them."""
    return (
        Membership.objects.filter(campaign=campaign)
        .select_related("user", "invitation", "crowd_visit")
        .order_by("-is_active", "name")
    )


def account_to_admit(username: str) -> User | None:
    """The active account of this name; None where there is none, or a crowd visitor's."""
    name = User.normalize_username(username)
    user = User.objects.filter(username=name, is_active=True).first()
    return None if user is None or is_crowd_account(user) else user


def names_of_raters(member: Membership) -> dict[str, str]:
    """By pseudonym what the raters of a campaign are called for this member of it: admins know them
    by the names that they have chosen, everybody else by pseudonym."""
    members = Membership.objects.filter(campaign=member.campaign)
    return dict(members.values_list("pseudonym", "name" if member.is_admin else "pseudonym"))


class InvitationEnd(StrEnum):
    REVOKED = "revoked"
    EXPIRED = "expired"
    USED_UP = "used up"
    ARCHIVED = "archived"


def open_invitations(campaign: Campaign) -> QuerySet[Invitation]:
    """Invitations that let people in, the newest first; `uses` counts their memberships. Those
    sent to an address by mail are among them."""
    return (
        Invitation.objects.filter(campaign=campaign, revoked_at=None, expires_at__gt=Now())
        .select_related("created_by")
        .annotate(uses=Count("memberships"))
        .filter(Q(max_uses=None) | Q(uses__lt=F("max_uses")))
        .order_by("-created_at", "-pk")
    )


def find_invitation(secret: str, kind: InvitationKind) -> Invitation:
    """The invitation of a kind with this secret, open or not. Raises Invitation.DoesNotExist."""
    return Invitation.objects.select_related("campaign").get(
        digest=Invitation.digest_of(secret), kind=kind, campaign__deleted_at=None
    )


def end_of(invitation: Invitation) -> InvitationEnd | None:
    """Why the invitation is over by the database's clock and rows; None while it is open."""
    if invitation.revoked_at is not None:
        return InvitationEnd.REVOKED
    if invitation.campaign.is_archived:
        return InvitationEnd.ARCHIVED
    if Invitation.objects.filter(pk=invitation.pk, expires_at__lte=Now()).exists():
        return InvitationEnd.EXPIRED
    if invitation.max_uses is not None:
        uses = Membership.objects.filter(invitation=invitation).count()
        if uses >= invitation.max_uses:
            return InvitationEnd.USED_UP
    return None


class InviteeState(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


def invitees_of(campaign: Campaign) -> QuerySet[Invitation]:
    """The invitations to addresses, the newest first, each with its `state` (InviteeState), when
    its latest mail was sent (`mail_sent_at`), and why that failed, if it did (`mail_error`)."""
    came = Membership.objects.filter(invitation=OuterRef("pk"))
    mails = Delivery.objects.filter(invitation=OuterRef("pk")).order_by("-pk")
    latest = {
        f"mail_{name}": Subquery(mails.values(name)[:1])
        for name in ("sent_at", "attempts", "error")
    }
    state = Case(
        When(Exists(came), then=Value(InviteeState.ACCEPTED.value)),
        When(revoked_at__isnull=False, then=Value(InviteeState.WITHDRAWN.value)),
        When(
            mail_sent_at=None,
            mail_attempts__gte=MAX_ATTEMPTS,
            then=Value(InviteeState.FAILED.value),
        ),
        When(mail_sent_at=None, then=Value(InviteeState.WAITING.value)),
        When(expires_at__lte=Now(), then=Value(InviteeState.EXPIRED.value)),
        default=Value(InviteeState.SENT.value),
    )
    rows = Invitation.objects.filter(campaign=campaign).exclude(address="")
    return rows.annotate(**latest).annotate(state=state).order_by("-pk")


def addresses_invited(campaign: Campaign, addresses: Iterable[str]) -> set[str]:
    """Those of the addresses, in lower case, whose invitation was not withdrawn."""
    open_invitations = Invitation.objects.filter(campaign=campaign, revoked_at=None)
    return _among(open_invitations, "address", addresses)


def addresses_of_members(campaign: Campaign, addresses: Iterable[str]) -> set[str]:
    """Those of the addresses, in lower case, that are of a member's account or invitation."""
    members = Membership.objects.filter(campaign=campaign)
    return _among(members, "user__email", addresses) | _among(
        members, "invitation__address", addresses
    )


def language_of_mails(campaign: Campaign) -> str:
    """The language in which its people are invited unless another is chosen: that of its items, if
    the site speaks it, or the site's."""
    language = campaign.language.partition("-")[0].lower()
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def sends_invitations() -> bool:
    return bool(settings.SENDS_MAIL and settings.SITE_URL)


def _among(rows: QuerySet[Any], field: str, addresses: Iterable[str]) -> set[str]:
    wanted = {address.lower() for address in addresses}
    lower = rows.annotate(lower_address=Lower(field)).filter(lower_address__in=wanted)
    return set(lower.values_list("lower_address", flat=True))
