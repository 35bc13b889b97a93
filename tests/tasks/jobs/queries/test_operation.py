"""Facts for operators, beyond those that /metrics shows."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.jobs.queries import operation
from tasks.models import Campaign, Membership, Rating
from tests.factories import make_campaign, make_item, make_member

pytestmark = pytest.mark.django_db


def rate(campaign: Campaign, member: Membership, *, hours_ago: float) -> None:
    Rating.objects.create(
        item=make_item(campaign),
        rater=member,
        outcome_id="ae:q1=yes",
        idempotency_key=str(hours_ago),
        payload_hash="",
        created_at=Now() - timedelta(hours=hours_ago),
    )


def test_ratings_are_those_since_the_last_that_is_an_hour_old() -> None:
    campaign = make_campaign()
    member = make_member(campaign)
    for hours_ago in (30, 1.1, 0.9, 0.1):
        rate(campaign, member, hours_ago=hours_ago)
    assert operation().ratings == 2
