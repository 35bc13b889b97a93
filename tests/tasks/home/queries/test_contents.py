"""The contents of a campaign, at a glance."""

import pytest

from tasks.home.queries.situation import contents_of
from tasks.models import ItemPurpose, Suggestion
from tests.factories import make_campaign, make_item

pytestmark = pytest.mark.django_db


def test_items_to_be_rated_are_counted_and_what_is_suggested_for_them() -> None:
    campaign = make_campaign("rivers")
    live, control = make_item(campaign), make_item(campaign)
    campaign.items.filter(pk=control.pk).update(purpose=ItemPurpose.CONTROL)
    for item in (live, control):
        Suggestion.objects.create(
            item=item, matcher=campaign.suggestion_matcher, version="1", score=1, is_correct=True
        )
    found = contents_of(campaign)
    assert (found.items, found.suggested) == (1, 1)
