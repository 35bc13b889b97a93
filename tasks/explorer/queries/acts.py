"""The acts on many items that were done in a campaign."""

from collections.abc import Sequence

from django.db.models import Count, QuerySet

from tasks.models import BulkAct, Campaign, Item, ItemTag, Membership, Slot, Tag
from tasks.votes.slots import given_slots


def acts_of(campaign: Campaign) -> QuerySet[BulkAct]:
    """Newest first, each with who did and undid it and how many items it changed (`items`)."""
    return (
        BulkAct.objects.filter(campaign=campaign)
        .select_related("member", "undone_by")
        .annotate(items=Count("acted_items"))
        .order_by("-pk")
    )


def tags_of(campaign: Campaign) -> QuerySet[Tag]:
    """By name, each with how many items have it (`items`)."""
    found = Tag.objects.filter(campaign=campaign).annotate(items=Count("item_tags"))
    return found.order_by("name")


def act_done(member: Membership, number: str) -> BulkAct | None:
    """The act of this number if the member has done it; None for any other text."""
    is_number = number.isdecimal() and len(number) < 19
    return acts_of(member.campaign).filter(pk=number, member=member).first() if is_number else None


def items_named(items: Sequence[int]) -> list[Item]:
    """Items with their questions, to say which they are."""
    return list(Item.objects.filter(pk__in=items).select_related("question").order_by("pk"))


def given_on(item: Item) -> list[Slot]:
    """The open places of the item that are given to raters, by the time."""
    given = given_slots().filter(item=item).select_related("given_to")
    return list(given.order_by("given_until", "number"))


def tags_on(item: Item) -> list[str]:
    names = ItemTag.objects.filter(item=item).values_list("tag__name", flat=True)
    return list(names.order_by("tag__name"))
