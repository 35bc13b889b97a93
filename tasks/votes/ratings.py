"""Ratings as they stand: the newest revision of each history, which of them are votes, those that
are left of a part of the campaign, and those that are set aside.

An act of setting aside concerns histories, each the ratings of a rater on a live item, known by
their last revision. Its functions give numbers only: the raters of an item may be withheld from
the reader.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db.models import BooleanField, Case, Count, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Now
from django.utils import timezone

from tasks.models import (
    Campaign,
    ItemPurpose,
    ItemSystem,
    Membership,
    Narrowing,
    Rating,
    RatingSetAside,
    SetAside,
    Slot,
)
from tasks.storing.database import is_last_revision, is_one_of, there_is
from tasks.votes.blindness import for_reader
from tomahto.votes.remarks import TYPED

PARAMETERS: Final[Mapping[str, str]] = {
    "system": "Ratings of this system's items.",
    "since": "Ratings given on this day (YYYY-MM-DD, in the site's time zone) or later.",
    "until": "Ratings given on this day or earlier.",
    "guideline": "Ratings given under this version of the guidelines; 0: under none, as imported"
    " ones are.",
    "source": "Ratings given here (rated) or read from files (imported).",
}
"""The names of the conditions in addresses and commands, and what they leave."""

SOURCES: Final = ("rated", "imported")
# databases and time zones have room around these
_FIRST_DAY, _LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)


class NarrowingError(ValueError):
    """A condition that cannot be met: `parameter` is its name, `reason` what is wrong with it."""

    def __init__(self, parameter: str, reason: str) -> None:
        super().__init__(f"{parameter}: {reason}")
        self.parameter = parameter
        self.reason = reason


def narrowing_of(campaign: Campaign, asked: Mapping[str, str]) -> Narrowing:
    """The part that texts by the names of PARAMETERS ask for, as in an address; "" asks nothing.

    Other names are left alone. Raises NarrowingError for a system or version of the guidelines that
    the campaign does not have, for what is no day, and for days in the wrong order.
    """
    system, since, until, guideline, source = (asked.get(name, "") for name in PARAMETERS)
    if system:
        _require_one_of("system", system, campaign.systems.values_list("name", flat=True))
    versions: dict[str, int] = {}
    if guideline:
        versions = {str(n): n for n in (0, *campaign.guidelines.values_list("version", flat=True))}
        _require_one_of("guideline", guideline, versions)
    if source:
        _require_one_of("source", source, SOURCES)
    first, last = _day("since", since), _day("until", until)
    if first and last and first > last:
        raise NarrowingError("since", f"{first} is later than until, {last}")
    return Narrowing(
        system=system,
        since=first,
        until=last,
        guideline=versions.get(guideline),
        source="rated" if source == "rated" else "imported" if source else "",
    )


def narrow(campaign: Campaign, narrowing: Narrowing | None) -> Campaign:
    """The campaign as one whose figures are of these ratings; None: of all."""
    part = copy(campaign)
    part.narrowed_to = narrowing
    return part


def for_narrowing(rows: "QuerySet[Rating]", campaign: Campaign) -> "QuerySet[Rating]":
    """Those of the ratings that the campaign is narrowed to."""
    asked = campaign.narrowed_to or Narrowing()
    if asked.system:
        of_system = ItemSystem.objects.filter(
            item=OuterRef("item"), system__campaign=campaign, system__name=asked.system
        )
        rows = rows.filter(there_is(of_system))
    if asked.since:
        rows = rows.filter(rated_at__gte=_midnight(asked.since))
    if asked.until:
        rows = rows.filter(rated_at__lt=_midnight(asked.until + timedelta(days=1)))
    if asked.guideline:
        rows = rows.filter(guideline__version=asked.guideline)
    elif asked.guideline == 0:
        rows = rows.filter(guideline=None)
    if asked.source:
        rows = rows.filter(assignment__isnull=asked.source == "imported")
    return rows


def _require_one_of(parameter: str, value: str, known: Iterable[str]) -> None:
    there_are = list(known)
    if value not in there_are:
        listed = ", ".join(there_are) or "none"
        raise NarrowingError(parameter, f"there is no {value!r}; known: {listed}")


def _day(parameter: str, text: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or not _FIRST_DAY <= day <= _LAST_DAY:
        raise NarrowingError(
            parameter, f"{text!r} is not a day from {_FIRST_DAY} to {_LAST_DAY}, written like these"
        )
    return day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=timezone.get_default_timezone())


IS_SET_ASIDE: Final = """
CASE WHEN EXISTS (SELECT 1 FROM tasks_ratingsetaside held WHERE held.holds) AND EXISTS (
    SELECT 1 FROM tasks_ratingsetaside aside
    WHERE aside.item_id = {rating}.item_id AND aside.rater_id = {rating}.rater_id AND aside.holds
) THEN TRUE ELSE FALSE END
"""
"""As `is_set_aside`, in SQL, of the ratings under an alias."""
IS_COUNTED: Final = f"({{rating}}.slot_id IS NOT NULL AND NOT {IS_SET_ASIDE})"
"""As `is_counted`, in SQL, of the ratings under an alias."""


def is_set_aside() -> Q:
    """Of ratings: those that an admin has set aside."""
    held = RatingSetAside.objects.filter(holds=True)
    own = held.filter(item=OuterRef("item"), rater=OuterRef("rater"))
    # usually there is none at all, which one query learns for all ratings
    return Q(
        Case(
            When(Exists(held) & Exists(own), then=Value(True)),
            default=Value(False),
            output_field=BooleanField(),
        )
    )


def is_counted() -> Q:
    """Of ratings: the votes. They hold a slot, and nobody has set them aside."""
    return Q(slot__isnull=False) & ~is_set_aside()


def with_standing(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    """The same, and of each whether it counts, without a query for each."""
    known = {"is_set_aside": is_set_aside()}  # in place of what the model would ask for by itself
    return ratings.annotate(**known)


def current_ratings(
    campaign: Campaign, live_items: Collection[int] | None = None
) -> QuerySet[Rating]:
    """The last revision of every rating of a live item, surplus ones included.

    Of a campaign that somebody reads, without those that its reader may not know; of one that is
    narrowed, those that it is narrowed to. Who knows live items of the campaign gets the ratings of
    these, which the database looks up by them alone.
    """
    of_live_items = (
        Q(item__campaign=campaign, item__purpose=ItemPurpose.LIVE)
        if live_items is None
        else is_one_of("item", live_items)
    )
    found = Rating.objects.filter(is_last_revision(Rating), of_live_items)
    return for_narrowing(for_reader(found, campaign), campaign)


def counted_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """The current ratings that count: the votes."""
    return current_ratings(campaign).filter(is_counted())


def history_of(membership: Membership) -> QuerySet[Rating]:
    """A rater's ratings, newest first, each in its current revision."""
    return (
        Rating.objects.filter(is_last_revision(Rating), rater=membership)
        .select_related("outcome", "item__question", "assignment")
        .order_by("-id")
    )


def with_words(words: str) -> Q:
    """Ratings that have every word in the question, an answer or a typed remark."""
    found = Q()
    for word in words.split():
        # SQLite keeps the list of references as JSON writes it, other letters escaped
        escaped = json.dumps(word)[1:-1]
        found &= (
            Q(item__question__text__icontains=word)
            | Q(item__candidate__icontains=word)
            | Q(item__references__icontains=word)
            | Q(item__references__icontains=escaped)
            | Q(*((f"{each.name}__icontains", word) for each in TYPED), _connector=Q.OR)
        )
    return found


@dataclass(frozen=True, slots=True)
class Concerned:
    """The number of ratings that an act concerns, and of the votes among them."""

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
    """The number of a campaign's ratings that are set aside, and of their raters."""

    ratings: int
    raters: int

    def __bool__(self) -> bool:
        return bool(self.ratings)


def set_aside_of(rater: Membership) -> int:
    return RatingSetAside.objects.filter(rater=rater, holds=True).count()


def set_aside_now(campaign: Campaign) -> SetAsideNow:
    held = RatingSetAside.objects.filter(act__campaign=campaign, holds=True)
    return SetAsideNow(**held.aggregate(ratings=Count("pk"), raters=Count("rater", distinct=True)))
