"""Ratings as they stand: the newest revision of each history."""

import json

from django.db.models import Q, QuerySet

from tasks.models import Campaign, ItemPurpose, Membership, Rating
from tasks.storing.lookups import is_last_revision
from tasks.votes.blindness import for_reader
from tasks.votes.narrowing import for_narrowing


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
    """The current ratings that hold a slot: the votes."""
    return current_ratings(campaign).filter(slot__isnull=False)


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
