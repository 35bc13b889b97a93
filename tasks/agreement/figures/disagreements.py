"""Items on which votes differ: on two given labels, or one rater's from the others'."""

from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Q, QuerySet
from django.db.models.functions import Abs

from tasks.models import Campaign, Item, Rating
from tasks.storing.lookups import is_last_revision, there_is
from tasks.votes.ratings import counted_ratings, is_counted


@dataclass(frozen=True, slots=True)
class SplitItem:
    """An item that some gave the first label and some the second; `votes` are all its votes."""

    item: Item
    first: int
    second: int
    votes: int


def split_between(
    ratings: QuerySet[Rating], first: str, second: str
) -> QuerySet[Rating, tuple[int, ...]]:
    """Items with votes for both labels, as (item, first, second, all), most evenly split first.

    Among equally even ones those with more such votes come first.
    """
    return (
        ratings.values("item")
        .annotate(
            first=Count("id", filter=Q(outcome__label=first)),
            second=Count("id", filter=Q(outcome__label=second)),
            votes=Count("id"),
        )
        .filter(first__gt=0, second__gt=0)
        .order_by(Abs(F("first") - F("second")), -F("first") - F("second"), "item")
        .values_list("item", "first", "second", "votes")
    )


def as_split_items(rows: list[tuple[int, ...]]) -> list[SplitItem]:
    """The items themselves, in the order of the rows."""
    items = Item.objects.select_related("question").in_bulk([item for item, *_rest in rows])
    return [SplitItem(items[item], first, second, votes) for item, first, second, votes in rows]


def disagreements_of(campaign: Campaign, rater_id: int) -> QuerySet[Rating]:
    """A rater's votes on items to which somebody else gave another label, newest first."""
    others = Rating.objects.filter(
        is_last_revision(Rating), is_counted(), item=OuterRef("item")
    ).exclude(rater=rater_id)
    return (
        counted_ratings(campaign)
        .filter(there_is(others.exclude(outcome__label=OuterRef("outcome__label"))), rater=rater_id)
        .select_related("item__question", "outcome")
        .order_by(F("rated_at").desc(nulls_last=True), "-id")
    )


def other_labels(campaign: Campaign, items: list[int], rater_id: int) -> dict[int, dict[str, int]]:
    """How often the others gave which label to these items, most votes first."""
    counted = (
        counted_ratings(campaign)
        .filter(item__in=items)
        .exclude(rater=rater_id)
        .values_list("item", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by("item", "-votes", "outcome__label")
    )
    found: dict[int, dict[str, int]] = {}
    for item, label, votes in counted:
        found.setdefault(item, {})[label] = votes
    return found
