"""Suggestions, for those who may see them."""

from tasks.models import Campaign, Suggestion


def suggestion_for(item_id: int, campaign: Campaign) -> Suggestion | None:
    """The newest suggestion of the campaign's matcher for an item."""
    return (
        Suggestion.objects.filter(item=item_id, matcher=campaign.suggestion_matcher)
        .order_by("-id")
        .first()
    )
