"""Suggestions, for those who may see them."""

from collections.abc import Iterator

from tasks.models import Campaign, Suggestion


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
