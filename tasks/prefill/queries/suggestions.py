"""Suggestions, for those who may see them."""

from collections.abc import Iterator
from typing import NamedTuple

from tasks.models import Campaign, Suggestion


class NewestSuggestion(NamedTuple):
    """A matcher's score for an item."""

    score: float
    is_correct: bool


def newest_suggestions(campaign: Campaign) -> dict[int, NewestSuggestion]:
    found = Suggestion.objects.filter(
        item__campaign=campaign, matcher=campaign.suggestion_matcher
    ).order_by("id")
    rows = found.values_list("item", "score", "is_correct")
    return {item: NewestSuggestion(score, is_correct) for item, score, is_correct in rows}


def suggestion_for(item_id: int, campaign: Campaign) -> Suggestion | None:
    return (
        Suggestion.objects.filter(item=item_id, matcher=campaign.suggestion_matcher)
        .order_by("-id")
        .first()
    )


def suggestions_of(campaign: Campaign, matcher: str | None = None) -> Iterator[Suggestion]:
    """Every suggestion with its item, question and systems, in the order they were stored."""
    found = (
        Suggestion.objects.filter(item__campaign=campaign)
        .select_related("item__question__document")
        .prefetch_related("item__item_systems__system")
        .order_by("id")
    )
    if matcher is not None:
        found = found.filter(matcher=matcher)
    return found.iterator(chunk_size=2000)
