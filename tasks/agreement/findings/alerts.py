"""A campaign's alerts, and whom they are mailed to."""

from django.db.models import F, QuerySet

from tasks.models import Alert, Campaign, Look, Membership, Role
from tasks.votes.blindness import leaves_out_votes


def alerts_of(campaign: Campaign) -> QuerySet[Alert]:
    """Every alert, open ones first, then the newest first; with who acknowledged it."""
    return (
        Alert.objects.filter(campaign=campaign)
        .select_related("acknowledged_by", "look")
        .prefetch_related("deliveries")
        .order_by(F("acknowledged_at").desc(nulls_first=True), "-id")
    )


def open_alerts(campaign: Campaign) -> int:
    """How many are open that the campaign's reader may know of."""
    return newest_open_alerts(campaign).count()


def newest_open_alerts(campaign: Campaign) -> QuerySet[Alert]:
    """Those that are open, the newest first; none while the campaign's reader may know of none."""
    if campaign.reader and are_alerts_withheld(campaign.reader):
        return Alert.objects.none()
    return Alert.objects.filter(campaign=campaign, acknowledged_at=None)


def are_alerts_withheld(member: Membership) -> bool:
    """Whether alerts come of votes on items that the member may still rate."""
    if not member.has_claimed:
        return False
    look = Look.objects.filter(campaign=member.campaign_id).first()
    return look is not None and leaves_out_votes(member, look.made_at)


def mailed_admins(campaign: Campaign) -> list[Membership]:
    """The campaign's active admins, as far as they gave an e-mail address."""
    admins = Membership.objects.filter(campaign=campaign, role=Role.ADMIN, is_active=True)
    with_address = admins.filter(user__is_active=True).exclude(user__email="")
    return list(with_address.select_related("user", "campaign").order_by("user__email"))
