"""Slots: how many an item gets, and the order in which they are handed out."""

import itertools
from collections import Counter

import pytest
from django.core.exceptions import ValidationError

from tasks.campaigns.workflow.slots import fit_campaign, follow_settings, reorder, set_overlap
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign, Item, ItemOrder, Membership, Slot, Suggestion, System
from tasks.rating.workflow.assignment import claim_item
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row, rate_next


def slots_per_item(campaign: Campaign) -> dict[str, int]:
    return dict(Counter(Slot.objects.filter(campaign=campaign).values_list("item__key", flat=True)))


def rate_all(membership: Membership, at_most: int = 100) -> list[str]:
    """The items the rater gets, one after another, each rated."""
    keys: list[str] = []
    while len(keys) < at_most and (key := rate_next(membership)) is not None:
        keys.append(key)
    return keys


def test_item_gets_the_highest_target_of_its_systems(make_campaign: MakeCampaign) -> None:
    # Bulian et al. 2022, §3.2: the system that quality is watched on gets 4, the others 1
    campaign = make_campaign(items=0, overlap=1)
    System.objects.create(campaign=campaign, name="watched", overlap=4)
    rows = [
        item_row(1, systems=("watched",)),
        item_row(2, systems=("juniper",)),
        item_row(3, systems=("juniper", "watched")),
        item_row(4, systems=()),
    ]
    import_items(campaign=campaign, rows=rows)
    assert slots_per_item(campaign) == {"item-1": 4, "item-2": 1, "item-3": 4, "item-4": 1}


def test_target_below_the_campaigns_is_meant_as_well(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2, overlap=3)
    set_overlap(campaign=campaign, overlaps={"juniper": 1})
    assert slots_per_item(campaign) == {"item-1": 1, "item-2": 1}
    set_overlap(campaign=campaign, overlaps={"juniper": None})
    assert slots_per_item(campaign) == {"item-1": 3, "item-2": 3}


def test_item_that_a_second_system_produced_grows(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1, overlap=1)
    System.objects.create(campaign=campaign, name="watched", overlap=4)
    import_items(campaign=campaign, rows=[item_row(1, systems=("watched",))])
    assert slots_per_item(campaign) == {"item-1": 4}


def test_lower_target_takes_no_work_away(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=3)
    rate_all(make_member(campaign))
    claim_item(membership=make_member(campaign))
    campaign.overlap = 1
    campaign.save()
    fit_campaign(campaign=campaign)
    slots = Slot.objects.filter(campaign=campaign).order_by("number")
    assert [(s.number, s.is_filled, s.holder is not None) for s in slots] == [
        (1, True, True),
        (2, False, True),
    ]


def test_overlap_out_of_range_changes_nothing(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1, overlap=2)
    with pytest.raises(ValidationError):
        set_overlap(campaign=campaign, overlaps={"juniper": 101})
    assert campaign.systems.get().overlap is None
    with pytest.raises(System.DoesNotExist):
        set_overlap(campaign=campaign, overlaps={"juniper": 1, "nobody": 1})
    assert slots_per_item(campaign) == {"item-1": 2}


def order_of(campaign: Campaign, order: ItemOrder) -> list[str]:
    campaign.item_order = order
    campaign.save()
    follow_settings(campaign=campaign, changed=["item_order"])
    slots = Slot.objects.filter(campaign=campaign).order_by("order_key", "number")
    return list(slots.values_list("item__key", flat=True))


def test_oldest_first_follows_the_import(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3, overlap=2)
    assert order_of(campaign, ItemOrder.OLDEST) == [f"item-{n}" for n in (1, 1, 2, 2, 3, 3)]


def test_complete_keeps_the_slots_of_an_item_together(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=20, overlap=3)
    order = order_of(campaign, ItemOrder.COMPLETE)
    assert [order[n : n + 3] for n in range(0, 60, 3)] == [[key] * 3 for key in order[::3]]
    assert order[::3] != sorted(order[::3], key=lambda key: int(key.removeprefix("item-")))


def test_random_spreads_the_slots_of_an_item(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=20, overlap=3)
    order = order_of(campaign, ItemOrder.RANDOM)
    # together they would be 20 items in the first 60 places; by chance there are far more changes
    assert sum(one != other for one, other in itertools.pairwise(order)) > 40
    assert order == order_of(campaign, ItemOrder.RANDOM)


def test_uncertain_puts_scores_near_one_half_first(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=4, overlap=1)
    scores = {"item-1": 0.99, "item-2": 0.45, "item-4": 0.2}
    for key, score in scores.items():
        item = Item.objects.get(key=key)
        for matcher, value in (("feather", score), ("f1", 0.5)):
            Suggestion.objects.create(
                item=item, matcher=matcher, version="1", score=value, is_correct=value > 0.5
            )
    order = order_of(campaign, ItemOrder.UNCERTAIN)
    assert order == ["item-2", "item-4", "item-1", "item-3"]


@pytest.mark.parametrize("order", list(ItemOrder))
def test_every_order_hands_out_every_item_once(
    make_campaign: MakeCampaign, make_member: MakeMember, order: ItemOrder
) -> None:
    campaign = make_campaign(items=6, overlap=2, item_order=order)
    rater = make_member(campaign)
    assert sorted(rate_all(rater)) == [f"item-{n}" for n in range(1, 7)]


def test_reorder_leaves_filled_slots_alone(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=1)
    rate_all(make_member(campaign), at_most=1)
    before = Slot.objects.get(is_filled=True).order_key
    campaign.item_order = ItemOrder.OLDEST
    reorder(campaign=campaign)
    assert Slot.objects.get(is_filled=True).order_key == before
    open_slot = Slot.objects.get(is_filled=False)
    assert open_slot.order_key == open_slot.item_id
