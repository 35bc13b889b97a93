"""Flags of raters, for the admins of their campaign and for themselves."""

from django.db.models import F, QuerySet

from tasks.models import Campaign, Flag


def flags_of(campaign: Campaign) -> QuerySet[Flag]:
    """Every flag of a campaign with its item: open ones first, the latest on top."""
    return (
        Flag.objects.filter(item__campaign=campaign)
        .select_related("item__question", "rater", "settled_by")
        .order_by(F("settled_at").desc(nulls_first=True), "-pk")
    )


def open_flags(campaign: Campaign) -> int:
    """How many flags of a campaign wait for an admin."""
    return Flag.objects.filter(item__campaign=campaign, settled_at=None).count()


def open_flag_on(item_id: int, rater_id: int) -> Flag | None:
    """The rater's own flag on an item while nobody has settled it."""
    return Flag.objects.filter(item=item_id, rater=rater_id, settled_at=None).first()
