"""People invited to a campaign by e-mail, and how far each invitation is."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import Case, Exists, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Lower, Now

from tasks.events.workflow.attempts import MAX_ATTEMPTS
from tasks.models import Campaign, Delivery, Invitation, Membership


class InviteeState(StrEnum):
    """How far an invitation by e-mail is."""

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
    """Whether the site can send mails with links to itself."""
    return bool(settings.SENDS_MAIL and settings.SITE_URL)


def _among(rows: QuerySet[Any], field: str, addresses: Iterable[str]) -> set[str]:
    wanted = {address.lower() for address in addresses}
    lower = rows.annotate(lower_address=Lower(field)).filter(lower_address__in=wanted)
    return set(lower.values_list("lower_address", flat=True))
