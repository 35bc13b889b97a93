"""The stored history of one item, acts on many items, and saved views."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from tasks.models import (
    Adjudication,
    Assignment,
    BulkAct,
    Campaign,
    FirstLook,
    Flag,
    Item,
    ItemTag,
    Membership,
    Rating,
    Release,
    SavedView,
    SeenVotes,
    Slot,
    Suggestion,
    Tag,
)
from tasks.votes.item_votes import tells_votes
from tasks.votes.items import given_slots
from tasks.votes.ratings import with_standing


@dataclass(frozen=True, slots=True)
class SaidOfItem:
    """Statements of people and matchers about an item: those are withheld from a reader who could
    still judge it.

    `ratings` and `adjudications` are those of before too.
    """

    assignments: Sequence[Assignment]
    ratings: Sequence[Rating]
    suggestions: Sequence[Suggestion]
    flags: Sequence[Flag]
    first_looks: Sequence[FirstLook]
    adjudications: Sequence[Adjudication]
    seen: Sequence[SeenVotes]


def said_of(item: Item, reader: Membership) -> SaidOfItem:
    """All of it, for who may see the item's votes."""
    suggestions = Suggestion.objects.filter(item=item)
    return SaidOfItem(
        assignments=list(Assignment.objects.filter(item=item).select_related("rater")),
        ratings=list(
            with_standing(Rating.objects.filter(item=item)).select_related("rater", "outcome")
        ),
        suggestions=[one for one in suggestions if not tells_votes(one, reader)],
        flags=list(Flag.objects.filter(item=item).select_related("rater", "settled_by")),
        first_looks=list(
            FirstLook.objects.filter(item=item).select_related("adjudicator", "outcome")
        ),
        adjudications=list(
            Adjudication.objects.filter(item=item).select_related("adjudicator", "outcome")
        ),
        seen=list(SeenVotes.objects.filter(item=item).select_related("member")),
    )


def releases_with(item: Item) -> list[tuple[Release, str]]:
    """The releases that have the item's document, each with the split it is in."""
    key = item.question.document.key
    found = Release.objects.filter(
        campaign=item.campaign_id, documents__has_key=key, created_at__gte=item.created_at
    )
    return [(release, str(release.documents[key])) for release in found.order_by("id")]


def raters_of(act: BulkAct, item: Item, *, is_withheld: bool) -> list[Membership]:
    """To whom the act has assigned the item, as far as that stands; all raters of the act where it
    would tell who has rated the item."""
    if is_withheld:
        found = Membership.objects.filter(
            campaign=act.campaign_id, pseudonym__in=act.options["raters"]
        )
    else:
        until = act.result["until"]
        found = Membership.objects.filter(
            given_slots__item=item, given_slots__given_until=until
        ).distinct()
    return list(found.order_by("name"))


def acts_on(item: Item) -> list[BulkAct]:
    """The acts that were done to the item together with others."""
    acts = BulkAct.objects.filter(acted_items__item=item).select_related("member", "undone_by")
    return list(acts.order_by("pk"))


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


def views_for(member: Membership) -> QuerySet[SavedView]:
    """Their own and those that others share, by name."""
    seen = Q(member=member) | Q(is_shared=True)
    found = SavedView.objects.filter(seen, campaign=member.campaign).select_related("member")
    return found.order_by("name", "pk")


def removable_views(member: Membership) -> QuerySet[SavedView]:
    """Their own; admins may remove shared ones too."""
    theirs = Q(member=member)
    if member.is_admin:
        theirs |= Q(is_shared=True)
    return views_for(member).filter(theirs)
