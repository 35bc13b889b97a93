"""A campaign rated under suggestions shown by lot, as rows in bulk, with a planted effect."""

import random
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    ItemSystem,
    Membership,
    Rating,
    Slot,
    Suggestion,
    SuggestionArm,
    SuggestionPolicy,
    System,
)
from tasks.protocols import get_protocol
from tests.bulk import OVERLAP, fill
from tests.factories import make_campaign, make_member

MATCHER = "f1"
MADE = datetime(2026, 3, 1, 8, tzinfo=ZoneInfo("UTC"))
CLAIMED = MADE + timedelta(hours=1)
STORED = CLAIMED + timedelta(minutes=1)


def simulate(
    slug: str = "",
    *,
    items: int = 100,
    raters: int = 8,
    agree: float = 0.6,
    effect: float = 0.0,
    seed: int = 1,
) -> Campaign:
    """Every item suggested, half of them as correct, and rated three times.

    A rater agrees with the suggestion with the chance `agree`, plus `effect` where it is shown,
    and then takes 10 seconds instead of 20.
    """
    campaign = make_campaign(slug, overlap=OVERLAP, suggestions=SuggestionPolicy.RANDOMISED)
    campaign.suggestion_matcher = MATCHER
    campaign.save()
    fill(campaign, items)
    suggest(campaign)
    members = [make_member(campaign, "rater", f"{campaign.slug}-{n}") for n in range(raters)]
    rate(campaign, members, agree=agree, effect=effect, draw=random.Random(seed))
    return campaign


def suggest(campaign: Campaign) -> None:
    """Every second item is suggested to be correct; all are the answers of one system."""
    system, _created = System.objects.get_or_create(campaign=campaign, name="juniper")
    items = list(campaign.items.order_by("id"))
    ItemSystem.objects.bulk_create(ItemSystem(item=item, system=system) for item in items)
    Suggestion.objects.bulk_create(
        Suggestion(
            item=item,
            matcher=MATCHER,
            version="1",
            score=0.9 - 0.8 * (place % 2),
            is_correct=place % 2 == 0,
            created_at=MADE,
        )
        for place, item in enumerate(items)
    )


def rate(
    campaign: Campaign,
    members: list[Membership],
    *,
    agree: float,
    effect: float,
    draw: random.Random,
) -> None:
    slots = list(Slot.objects.filter(campaign=campaign).order_by("item", "number"))
    raters = {item: draw.sample(members, OVERLAP) for item in {slot.item_id for slot in slots}}
    assignments = Assignment.objects.bulk_create(
        Assignment(
            item_id=slot.item_id,
            rater=raters[slot.item_id][slot.number % OVERLAP],
            slot=slot,
            state=AssignmentState.SUBMITTED,
            claimed_at=CLAIMED,
        )
        for slot in slots
    )
    suggested = dict(Suggestion.objects.values_list("item", "is_correct"))
    Rating.objects.bulk_create(
        _rating(campaign, each, suggested[each.item_id], agree, effect, draw)
        for each in assignments
    )
    Slot.objects.filter(campaign=campaign).update(is_filled=True)


def _rating(
    campaign: Campaign,
    assignment: Assignment,
    is_correct: bool,
    agree: float,
    effect: float,
    draw: random.Random,
) -> Rating:
    # drawn here, not from the assignment's id: that differs from run to run on PostgreSQL
    is_shown = draw.random() < 0.5
    arm = SuggestionArm.BEFORE if is_shown else SuggestionArm.HIDDEN
    agrees = draw.random() < agree + effect * is_shown
    label = "equivalent" if agrees == is_correct else "not-equivalent"
    return Rating(
        item_id=assignment.item_id,
        rater=assignment.rater,
        outcome_id=get_protocol("ae").outcome_of_label(label).id,
        slot=assignment.slot,
        assignment=assignment,
        suggestion_arm=arm,
        suggestion_policy=campaign.suggestions,
        suggestion_matcher=campaign.suggestion_matcher,
        seconds=10 if is_shown else 20,
        rated_at=STORED,
        created_at=STORED,
        idempotency_key=f"key-{assignment.pk}",
        payload_hash="",
    )
