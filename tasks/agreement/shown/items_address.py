"""The address of the items that a figure is about."""

from urllib.parse import urlencode

from django.urls import reverse

from tasks.models import Campaign
from tasks.votes.label_order import labels_by_rank


def items_with_both(campaign: Campaign, one: str, other: str) -> str:
    """The address of the items on which both labels were given, the most evenly split first: of
    those that the campaign is narrowed to, as far as the explorer can be."""
    labels = sorted((one, other), key=labels_by_rank(campaign.annotation_protocol.scheme).index)
    asked: dict[str, object] = {"vote": labels[0], "other_vote": labels[1], "order": "share"}
    if campaign.narrowed_to and campaign.narrowed_to.system:
        asked["system"] = campaign.narrowed_to.system
    if campaign.narrowed_to and campaign.narrowed_to.guideline:
        asked["guideline"] = campaign.narrowed_to.guideline
    return f"{reverse('items', args=[campaign.slug])}?{urlencode(asked)}"
