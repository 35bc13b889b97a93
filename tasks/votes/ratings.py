"""Ratings as they stand: the newest revision of each history."""

import json

from django.db.models import Exists, OuterRef, Q, QuerySet

from tasks.models import Campaign, ItemPurpose, Membership, Rating


def current_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """The last revision of every rating of a live item, surplus ones included.

    Asked as NOT EXISTS: of a join that found nothing PostgreSQL expects one row, and compares every
    rating with every other where a plan for few rows is the cheapest.
    """
    revisions = Rating.objects.filter(supersedes=OuterRef("pk"))
    return Rating.objects.filter(
        ~Exists(revisions), item__campaign=campaign, item__purpose=ItemPurpose.LIVE
    )


def counted_ratings(campaign: Campaign) -> QuerySet[Rating]:
    """The current ratings that hold a slot: the votes."""
    return current_ratings(campaign).filter(slot__isnull=False)


def history_of(membership: Membership) -> QuerySet[Rating]:
    """What a rater has rated, newest first, each rating in its current revision."""
    return (
        Rating.objects.filter(rater=membership, superseded_by=None)
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
