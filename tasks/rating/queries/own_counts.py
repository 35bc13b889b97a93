"""Counts for the rater that the rating page shows beside the item."""

from typing import NamedTuple

from django.db.models import OuterRef

from tasks.models import Membership, Rating
from tasks.talk.queries.inbox import number_of, unread_threads_of_member


class OwnCounts(NamedTuple):
    """Items that the member has rated, as `ratings_by` counts them, and their conversations in the
    campaign with something unread."""

    rated: int
    unread: int


def own_counts(membership: Membership) -> OwnCounts:
    """One statement: it is made with every item that is handed out."""
    rated = Rating.objects.filter(rater=OuterRef("pk"), supersedes=None)
    members = Membership.objects.filter(pk=membership.pk)
    counts = members.values_list(number_of(rated, by="rater"), unread_threads_of_member())
    return OwnCounts(*counts.get())
