"""Blindness to what others say of an item: the one rule behind every page, list, file and call.

Who can still judge an item by themselves, as a rater or in a blind first look, sees nobody's votes
on it before they ask for them. Asking is noted, and who has asked judges the item blind no more: it
is not handed out to them, and they make no first look at it. Nobody sees the votes on an item that
they hold.

Figures are worked out for their reader: they leave out the items that the reader may still rate
(`for_reader`). Results that cannot leave some out, being stored for everybody or of votes that the
caller chooses, take asking for all votes that there were at their moment
(`Membership.votes_seen_until`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, TypeVar

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Now

from tasks.models import (
    Adjudication,
    Assignment,
    AssignmentState,
    Campaign,
    FirstLook,
    Item,
    ItemPurpose,
    Look,
    Membership,
    Rating,
    SeenVotes,
    Slot,
)
from tasks.votes.items import live_items

_Row = TypeVar("_Row", bound=Model)

Withheld = Literal["rating", "blind"]
"""Why votes are withheld: the member holds the item, or could still judge it blind."""


def votes_are_open_to(member: Membership, item: str = "item") -> Q:
    """Of rows that name an item in this field: those whose votes the member may see."""
    known = _is_known_to(member, item)
    if not member.campaign.adjudicates_blind:
        # where such an item gets another place, whoever could see its votes is noted to have
        open_slots = Slot.objects.filter(item=OuterRef(item), is_filled=False)
        known |= ~Q(Exists(open_slots.filter(order_key__isnull=False)))
    return known & ~is_held_by(member, item)


def for_reader(
    rows: "QuerySet[_Row, _Row]", campaign: Campaign, item: str = "item"
) -> "QuerySet[_Row, _Row]":
    """Those of the rows whose votes the figures of the campaign's reader may count.

    Left out are items that the reader holds, or could be handed yet. Readers who have never claimed
    an item read of all of them, as workers and commands do, which have no reader.
    """
    reader = campaign.reader
    if reader is None or not reader.has_claimed:
        return rows
    return rows.exclude(_may_still_rate(reader, item))


def kept_from(member: Membership) -> QuerySet[Item]:
    """The items whose votes figures for the member leave out."""
    if not member.has_claimed:
        return Item.objects.filter(pk__isnull=True)
    return Item.objects.filter(_may_still_rate(member, "pk"), campaign=member.campaign_id)


def leaves_out_votes(member: Membership, until: datetime | None = None) -> bool:
    """Whether figures for the member leave out votes that there were at that moment, by default
    now."""
    if not member.has_claimed:
        return False
    judged = _judged_by(member, until).filter(pk__in=_open_items(member))
    return judged.filter(_may_still_rate(member, "pk")).exists()


def known_looks(campaign: Campaign) -> list[Look]:
    """The looks at the campaign, newest first: about forty for a million ratings. None while they
    counted votes that the campaign's reader may not know."""
    looks = list(Look.objects.filter(campaign=campaign))
    reader = campaign.reader
    return [] if looks and reader and leaves_out_votes(reader, looks[0].made_at) else looks


def _may_still_rate(member: Membership, item: str) -> Q:
    same_item = Q(item=OuterRef(item))
    settled = Assignment.objects.filter(same_item, ~Q(state=AssignmentState.ACTIVE), rater=member)
    is_offered = Q(Exists(Slot.objects.filter(same_item, is_filled=False)))
    is_done = Q(Exists(settled)) | _is_known_to(member, item)
    return is_held_by(member, item) | (is_offered & ~is_done)


def _open_items(member: Membership) -> QuerySet[Any, Any]:
    """The items among which are those that the member may still rate: usually few of a campaign's,
    and an index has them."""
    slots = Slot.objects.filter(campaign=member.campaign_id, is_filled=False)
    held = Assignment.objects.filter(rater=member, state=AssignmentState.ACTIVE)
    return slots.order_by().values("item").union(held.order_by().values("item"))


def is_held_by(member: Membership, item: str = "item") -> Q:
    """Of rows that name an item in this field: those whose item the member is rating."""
    held = Assignment.objects.filter(item=OuterRef(item), rater=member)
    return Q(Exists(held.filter(state=AssignmentState.ACTIVE)))


def items_held_by(member: Membership) -> Iterable[int]:
    held = Assignment.objects.filter(rater=member, state=AssignmentState.ACTIVE)
    return held.values_list("item", flat=True)


def is_rating(item: Item, member: Membership) -> bool:
    """Whether the member has claimed the item to rate it, and not given it back."""
    return Item.objects.filter(is_held_by(member, "pk"), pk=item.pk).exists()


def withheld_from(member: Membership, item: Item) -> Withheld | None:
    """Why the votes on an item are not shown to the member; None if they may see them."""
    return withheld_of_items(member, [item.pk])[item.pk]


def withheld_of_items(member: Membership, items: Iterable[int]) -> dict[int, Withheld | None]:
    """As `withheld_from`, by item. A copy tells the votes of the item that it was copied from."""
    rows = (
        Item.objects.filter(pk__in=items)
        .annotate(
            is_held=_as_column(is_held_by(member, "pk")),
            is_open=_as_column(votes_are_open_to(member, "pk")),
        )
        .values_list("pk", "copied_from", "purpose", "is_held", "is_open")
    )
    found: dict[int, Withheld | None] = {}
    sources: dict[int, int] = {}
    for pk, source, purpose, is_held, is_open in rows:
        found[pk] = _reason(purpose, is_held=is_held, is_open=is_open)
        if source is not None and not is_held:
            sources[pk] = source
    if sources:
        of_sources = withheld_of_items(member, sources.values())
        found |= {pk: of_sources[source] for pk, source in sources.items()}
    return found


def _reason(purpose: str, *, is_held: bool, is_open: bool) -> Withheld | None:
    if is_held:
        return "rating"
    return None if is_open or purpose != ItemPurpose.LIVE else "blind"


def _as_column(condition: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(condition, BooleanField())


def may_judge_blind(item: Item, member: Membership) -> bool:
    """Whether a first look of the member at the item is wanted, and would be blind."""
    return member.campaign.adjudicates_blind and withheld_from(member, item) == "blind"


def would_unblind(member: Membership, until: datetime | None = None) -> bool:
    """Whether somebody who judges in the campaign could not judge some items blind any more if
    they saw all votes there were at that moment, by default now.

    Who has never claimed an item, made a first look or decided is not asked: they lose nothing.
    """
    if member.has_seen_votes_until(until):
        return False
    judges = (
        Assignment.objects.filter(rater=member),
        FirstLook.objects.filter(adjudicator=member),
        Adjudication.objects.filter(adjudicator=member),
    )
    if not any(judged.exists() for judged in judges):
        return False
    return _judged_by(member, until).filter(~_is_known_to(member, "pk")).exists()


def held_items_judged_by(member: Membership, until: datetime | None) -> QuerySet[Assignment]:
    """The live items that the member holds and somebody had rated or decided by that moment."""
    held = Assignment.objects.filter(rater=member, state=AssignmentState.ACTIVE)
    return held.filter(item__in=_judged_by(member, until))


def _judged_by(member: Membership, until: datetime | None) -> QuerySet[Item]:
    then = Q(item=OuterRef("pk"), created_at__lte=until or Now())
    is_rated = Exists(Rating.objects.filter(then))
    return live_items(member.campaign).filter(is_rated | Exists(Adjudication.objects.filter(then)))


def _is_known_to(member: Membership, item: str) -> Q:
    """Those that the member has judged, or whose votes they have asked for; and those of which a
    control item was made, as that says that the votes agree."""
    same_item = Q(item=OuterRef(item))
    return (
        Q(Exists(FirstLook.objects.filter(same_item, adjudicator=member)))
        | Q(Exists(Adjudication.objects.filter(same_item, adjudicator=member)))
        | Q(Exists(Rating.objects.filter(same_item, rater=member)))
        | Q(Exists(SeenVotes.objects.filter(same_item, member=member)))
        | Q(Exists(votes_in_files_of(member, item)))
        | Q(Exists(decisions_in_files_of(member, item)))
        | Q(Exists(Item.objects.filter(copied_from=OuterRef(item))))
    )


def votes_in_files_of(member: Membership, item: str = "item") -> QuerySet[Rating]:
    """Of rows that name an item in this field: its ratings that are in files the member took."""
    return Rating.objects.filter(item=OuterRef(item), created_at__lte=_seen_until(member))


def decisions_in_files_of(member: Membership, item: str = "item") -> QuerySet[Adjudication]:
    """As `votes_in_files_of`, its decisions: a file may bring one of an item without ratings."""
    return Adjudication.objects.filter(item=OuterRef(item), created_at__lte=_seen_until(member))


def _seen_until(member: Membership) -> Subquery:
    return Subquery(Membership.objects.filter(pk=member.pk).values("votes_seen_until"))
