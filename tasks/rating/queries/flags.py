"""Flags of raters, for the admins of their campaign and for themselves."""

from django.db.models import F, OuterRef, QuerySet, Subquery

from tasks.models import Campaign, Flag, Membership, Thread
from tasks.talk.queries.threads import is_to_rate


def flags_seen_by(member: Membership) -> QuerySet[Flag]:
    """The flags of their campaign with their items: open ones first, the latest on top.

    Not those on an item that the member is to rate: how they were settled may say how others have
    rated it. Each is annotated with
    `thread`, the conversation that it is part of; None if the code of before has stored it.
    """
    threads = Thread.objects.filter(item=OuterRef("item"), rater=OuterRef("rater"))
    return (
        Flag.objects.filter(~is_to_rate(OuterRef("item"), member), item__campaign=member.campaign)
        .annotate(thread=Subquery(threads.values("pk")))
        .select_related("item__question", "rater", "settled_by")
        .order_by(F("settled_at").desc(nulls_first=True), "-pk")
    )


def open_flags(campaign: Campaign) -> int:
    """How many flags of a campaign wait for an admin."""
    return Flag.objects.filter(item__campaign=campaign, settled_at=None).count()


def open_flag_on(item_id: int, rater_id: int) -> Flag | None:
    """The rater's own flag on an item while nobody has settled it."""
    return Flag.objects.filter(item=item_id, rater=rater_id, settled_at=None).first()
