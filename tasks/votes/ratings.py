"""Ratings as they stand: the newest revision of each history, and which of them are votes."""

import json
from typing import Final

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When

from tasks.models import Campaign, ItemPurpose, Membership, Rating, RatingSetAside
from tasks.storing.lookups import is_last_revision
from tasks.votes.blindness import for_reader
from tasks.votes.narrowing import for_narrowing

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


def current_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """The last revision of every rating of a live item, surplus ones included.

    Of a campaign that somebody reads, without those that its reader may not know; of one that is
    narrowed, those that it is narrowed to.
    """
    found = Rating.objects.filter(
        is_last_revision(Rating), item__campaign=campaign, item__purpose=ItemPurpose.LIVE
    )
    return for_narrowing(for_reader(found, campaign), campaign)


def counted_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """The current ratings that count: the votes."""
    return current_ratings(campaign).filter(is_counted())


def history_of(membership: Membership) -> QuerySet[Rating]:
    """What a rater has rated, newest first, each rating in its current revision."""
    return (
        Rating.objects.filter(is_last_revision(Rating), rater=membership)
        .select_related("outcome", "item__question", "assignment")
        .order_by("-id")
    )


def with_words(words: str) -> Q:
    """Ratings that have every word in the question, an answer or the comment."""
    found = Q()
    for word in words.split():
        # SQLite keeps the list of references as JSON writes it, other letters escaped
        escaped = json.dumps(word)[1:-1]
        found &= (
            Q(item__question__text__icontains=word)
            | Q(item__candidate__icontains=word)
            | Q(item__references__icontains=word)
            | Q(item__references__icontains=escaped)
            | Q(comment__icontains=word)
        )
    return found
