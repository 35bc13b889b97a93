"""Who may see what others say of an item: the one rule behind every page, list, file and call.

Who can still judge an item by themselves, as a rater or in a blind first look, sees nobody's votes
on it before they ask for them. Asking is noted, and who has asked judges the item blind no more: it
is not handed out to them, and they make no first look at it. Nobody sees the votes on an item that
they hold.

Files that hold everybody's votes cannot leave some out. Taking one is asking for all votes that
there were at its moment (`Membership.votes_seen_until`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
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
    FirstLook,
    Item,
    ItemPurpose,
    Membership,
    Rating,
    SeenVotes,
    Slot,
)
from tasks.votes.items import live_equals, live_items

_WITHOUT_VOTES = frozenset(
    {"README.md", "croissant.json", "manifest.json", "agreement.json", "statistics.json"}
    | {"datasheet.md", "splits.json", "SHA256SUMS", "SHA256SUMS.sig"}
)

Withheld = Literal["rating", "blind"]
"""Why votes are withheld: the member holds the item, or could still judge it blind."""


def votes_are_open_to(member: Membership, item: str = "item") -> Q:
    """Of rows that name an item in this field: those whose votes the member may see."""
    known = _is_known_to(member, item)
    if not member.campaign.adjudicates_blind:
        open_slots = Slot.objects.filter(item=OuterRef(item), is_filled=False)
        known |= ~Q(Exists(open_slots.filter(order_key__isnull=False)))
    return known & ~is_held_by(member, item)


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
    """Why the votes on an item are not shown to the member; None if they may see them.

    What is expected of a control item tells the votes on a live item that is equal to it: it is
    withheld as they are.
    """
    found = Item.objects.filter(pk=item.pk).annotate(
        is_held=_as_column(is_held_by(member, "pk")),
        is_open=_as_column(votes_are_open_to(member, "pk")),
    )
    is_held, is_open = found.values_list("is_held", "is_open").get()
    if is_held:
        return "rating"
    if item.purpose != ItemPurpose.LIVE:
        is_open = not live_equals([item.pk]).exclude(votes_are_open_to(member, "pk")).exists()
    return None if is_open else "blind"


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
    judges = (
        Assignment.objects.filter(rater=member),
        FirstLook.objects.filter(adjudicator=member),
        Adjudication.objects.filter(adjudicator=member),
    )
    if not any(judged.exists() for judged in judges):
        return False
    return _rated_by(member, until).filter(~_is_known_to(member, "pk")).exists()


def held_items_rated_by(member: Membership, until: datetime | None) -> QuerySet[Assignment]:
    """What the member holds of the live items that somebody had rated by that moment."""
    held = Assignment.objects.filter(rater=member, state=AssignmentState.ACTIVE)
    return held.filter(item__in=_rated_by(member, until))


def _rated_by(member: Membership, until: datetime | None) -> QuerySet[Item]:
    ratings = Rating.objects.filter(item=OuterRef("pk"), created_at__lte=until or Now())
    return live_items(member.campaign).filter(Exists(ratings))


def _is_known_to(member: Membership, item: str) -> Q:
    """Those that the member has judged, or whose votes they have asked for."""
    same_item = Q(item=OuterRef(item))
    return (
        Q(Exists(FirstLook.objects.filter(same_item, adjudicator=member)))
        | Q(Exists(Adjudication.objects.filter(same_item, adjudicator=member)))
        | Q(Exists(Rating.objects.filter(same_item, rater=member)))
        | Q(Exists(SeenVotes.objects.filter(same_item, member=member)))
        | Q(Exists(votes_in_files_of(member, item)))
    )


def votes_in_files_of(member: Membership, item: str = "item") -> QuerySet[Rating]:
    """Of rows that name an item in this field: its ratings that are in files the member took."""
    until = Membership.objects.filter(pk=member.pk).values("votes_seen_until")
    return Rating.objects.filter(item=OuterRef(item), created_at__lte=Subquery(until))


def holds_votes(path: str) -> bool:
    """Whether a file of a release says how single items were judged. All do but those known not
    to."""
    return path not in _WITHOUT_VOTES and not path.startswith("guidelines/")
