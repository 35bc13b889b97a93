"""A campaign's alerts, and whom they are mailed to."""

from django.db.models import F, QuerySet

from tasks.models import Alert, Campaign, Membership, Role


def alerts_of(campaign: Campaign) -> QuerySet[Alert]:
    """Every alert, open ones first, then the newest first; with who acknowledged it."""
    return (
        Alert.objects.filter(campaign=campaign)
        .select_related("acknowledged_by", "look")
        .prefetch_related("deliveries")
        .order_by(F("acknowledged_at").desc(nulls_first=True), "-id")
    )


def open_alerts(campaign: Campaign) -> int:
    return Alert.objects.filter(campaign=campaign, acknowledged_at=None).count()


def mail_addresses(campaign: Campaign) -> list[str]:
    """Addresses of the campaign's active admins, as far as they gave one."""
    admins = Membership.objects.filter(campaign=campaign, role=Role.ADMIN, is_active=True)
    with_address = admins.filter(user__is_active=True).exclude(user__email="")
    return list(with_address.values_list("user__email", flat=True).order_by("user__email"))
