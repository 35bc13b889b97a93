"""One item with everything that was said of it, for those who judge the judgements."""

from dataclasses import dataclass

from tasks.models import (
    Campaign,
    ExpectedAnswer,
    Flag,
    Item,
    Membership,
    Rating,
    Suggestion,
)
from tasks.votes.blindness import leaves_out_votes
from tasks.votes.ratings import with_standing


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


def votes_on(item: Item, reader: Membership) -> ItemVotes:
    """As far as the reader may know: a matcher that learned from votes says of one item what those
    on another are."""
    ratings = with_standing(Rating.objects.filter(item=item, superseded_by=None))
    suggestions = Suggestion.objects.filter(item=item).order_by("matcher", "-id")
    newest = {one.matcher: one for one in reversed(suggestions)}
    return ItemVotes(
        ratings=tuple(ratings.select_related("outcome", "rater").order_by("id")),
        suggestions=tuple(one for one in newest.values() if not tells_votes(one, reader)),
        flags=tuple(Flag.objects.filter(item=item).select_related("rater").order_by("id")),
        expected=ExpectedAnswer.objects.filter(item=item).select_related("outcome").first(),
    )


def tells_votes(suggestion: Suggestion, reader: Membership) -> bool:
    is_trained = learned_from_votes(suggestion.matcher, reader.campaign)
    return is_trained and leaves_out_votes(reader, suggestion.created_at)


def learned_from_votes(matcher: str, campaign: Campaign) -> bool:
    """Whether the campaign has trained a matcher of this name itself."""
    return matcher.endswith(f"@{campaign.slug}")
