"""Ratings set aside: what an act would concern, the acts, and the number of ratings set aside.

An act concerns histories, each the ratings of a rater on a live item, known by their last revision.
The functions give numbers only: the raters of an item may be withheld from the reader.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import (
    Campaign,
    ItemPurpose,
    Membership,
    Narrowing,
    Rating,
    RatingSetAside,
    SetAside,
    Slot,
)
from tasks.storing.lookups import is_last_revision
from tasks.votes.narrowing import for_narrowing, narrow
from tasks.votes.ratings import is_set_aside


@dataclass(frozen=True, slots=True)
class Concerned:
    """How many ratings an act concerns, and how many of them are votes."""

    ratings: int
    votes: int


def ratings_to_set_aside(
    rater: Membership, *, since: date | None = None, items: Collection[int] | None = None
) -> QuerySet[Rating]:
    """The rater's current ratings of live items that are not set aside: all, or those given on
    that day or later, in the site's time zone, or those of these items."""
    ratings = Rating.objects.filter(
        is_last_revision(Rating), ~is_set_aside(), rater=rater, item__purpose=ItemPurpose.LIVE
    )
    if items is not None:
        ratings = ratings.filter(item__in=items)
    return for_narrowing(ratings, narrow(rater.campaign, Narrowing(since=since)))


def concerned(ratings: QuerySet[Rating]) -> Concerned:
    return Concerned(**ratings.aggregate(ratings=Count("pk"), votes=Count("slot")))


def set_asides_of(campaign: Campaign) -> QuerySet[SetAside]:
    """The acts, newest first, each with how many histories it set aside (`ratings`) and how many of
    them were votes (`votes`)."""
    return (
        SetAside.objects.filter(campaign=campaign)
        .select_related("rater", "by", "undone_by")
        .annotate(ratings=Count("histories"), votes=Count("histories__slot"))
        .order_by("-pk")
    )


def items_rated_since(act: SetAside) -> int:
    """On how many of the items of an act another place has been filled or is held since. They may
    have more votes than are wanted once it is undone."""
    later = Slot.objects.filter(
        Q(is_filled=True) | Q(expires_at__gt=Now()),
        item__in=act.histories.filter(slot__isnull=False).values("item"),
        holder__claimed_at__gte=act.created_at,
    )
    return later.values("item").distinct().count()


@dataclass(frozen=True, slots=True)
class SetAsideNow:
    """How many ratings of a campaign are set aside, and those of how many raters."""

    ratings: int
    raters: int

    def __bool__(self) -> bool:
        return bool(self.ratings)


def set_aside_of(rater: Membership) -> int:
    """How many of a rater's ratings are set aside."""
    return RatingSetAside.objects.filter(rater=rater, holds=True).count()


def set_aside_now(campaign: Campaign) -> SetAsideNow:
    held = RatingSetAside.objects.filter(act__campaign=campaign, holds=True)
    return SetAsideNow(**held.aggregate(ratings=Count("pk"), raters=Count("rater", distinct=True)))
