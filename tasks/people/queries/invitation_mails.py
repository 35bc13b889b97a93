"""Who was invited by e-mail, and how far that is."""

from collections.abc import Iterable

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Lower

from tasks.models import Campaign, InvitationMail, MailState, Membership


def mails_of(campaign: Campaign) -> QuerySet[InvitationMail]:
    """The newest first; `is_accepted` says whether somebody came by it."""
    came = Membership.objects.filter(invitation=OuterRef("invitation"))
    return (
        InvitationMail.objects.filter(campaign=campaign)
        .select_related("invitation")
        .annotate(is_accepted=Exists(came))
        .order_by("-created_at", "-pk")
    )


def invited_among(campaign: Campaign, addresses: Iterable[str]) -> set[str]:
    """Those of the addresses, in lower case, to which an invitation is on its way or has gone."""
    wanted = {address.lower() for address in addresses}
    found = (
        InvitationMail.objects.filter(campaign=campaign)
        .exclude(state=MailState.WITHDRAWN)
        .annotate(lower=Lower("address"))
        .filter(lower__in=wanted)
    )
    return set(found.values_list("lower", flat=True))


def sends_invitations() -> bool:
    """Whether the site can send mail with links to it."""
    return bool(settings.SENDS_MAIL and settings.SITE_URL)
