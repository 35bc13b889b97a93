"""Which invitations still open a campaign, and how often each has been used."""

from enum import StrEnum

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import Campaign, Invitation, InvitationKind, Membership


class InvitationEnd(StrEnum):
    """Why an invitation lets nobody in any more."""

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
