"""One item with everything that was said of it, for those who judge the judgements."""

from dataclasses import dataclass

from tasks.models import (
    Campaign,
    ExpectedAnswer,
    Flag,
    Item,
    Rating,
    Suggestion,
)


@dataclass(frozen=True, slots=True)
class ItemVotes:
    """Ratings in their last revision, oldest first, suggestions of every matcher, flags."""

    ratings: tuple[Rating, ...]
    suggestions: tuple[Suggestion, ...]
    flags: tuple[Flag, ...]
    expected: ExpectedAnswer | None


def item_in(campaign: Campaign, item_id: int) -> Item:
    """An item of a campaign with its question and systems. Raises Item.DoesNotExist."""
    return (
        Item.objects.filter(campaign=campaign)
        .select_related("question__document")
        .prefetch_related("item_systems__system")
        .get(pk=item_id)
    )


def votes_on(item: Item) -> ItemVotes:
    ratings = Rating.objects.filter(item=item, superseded_by=None)
    suggestions = Suggestion.objects.filter(item=item).order_by("matcher", "-id")
    newest = {one.matcher: one for one in reversed(suggestions)}
    return ItemVotes(
        ratings=tuple(ratings.select_related("outcome", "rater").order_by("id")),
        suggestions=tuple(newest.values()),
        flags=tuple(Flag.objects.filter(item=item).select_related("rater").order_by("id")),
        expected=ExpectedAnswer.objects.filter(item=item).select_related("outcome").first(),
    )
