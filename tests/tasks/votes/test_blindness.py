"""To whom the votes on an item are open: the rule that every page, list, file and call asks."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.adjudication.workflow import store_first_look
from tasks.models import Campaign, Item, Membership, Rating, SeenVotes, Slot
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.blindness import Withheld, votes_are_open_to, withheld_from
from tasks.votes.ratings import counted_ratings
from tasks.votes.workflow import show_votes, skip_item
from tests.tasks.adjudication.acts import decide, vote
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember, rate_next


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    """One item, with a place for one rating."""
    return make_campaign(items=1, overlap=1)


@pytest.fixture
def item(campaign: Campaign) -> Item:
    return campaign.items.get()


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def withheld(member: Membership) -> tuple[Withheld | None, bool]:
    """Why the votes on the one item are withheld, and whether lists leave them out."""
    member = Membership.objects.select_related("campaign").get(pk=member.pk)
    listed = Rating.objects.filter(votes_are_open_to(member))
    return withheld_from(member, member.campaign.items.get()), not listed.exists()


def asks(oak: Membership, item: Item) -> None:
    show_votes(items=[item.pk], member=oak)


def looks(oak: Membership, item: Item) -> None:
    store_first_look(item=item, adjudicator=oak, answers=EQUIVALENT)


def decides(oak: Membership, _item: Item) -> None:
    decide(oak, 1, look=EQUIVALENT)


def takes_a_file(oak: Membership, _item: Item) -> None:
    Membership.objects.filter(pk=oak.pk).update(votes_seen_until=Now())


@pytest.mark.parametrize("act", [asks, looks, decides, takes_a_file])
def test_votes_are_open_to_who_has_asked_for_them_or_judged(
    item: Item, oak: Membership, make_member: MakeMember, act: Callable[[Membership, Item], None]
) -> None:
    rate_next(make_member(item.campaign))
    assert withheld(oak) == ("blind", True)
    act(oak, item)
    assert withheld(oak) == (None, False)


def test_votes_are_open_to_who_has_rated(campaign: Campaign, make_member: MakeMember) -> None:
    rater = make_member(campaign)
    rate_next(rater)
    assert withheld(rater) == (None, False)


def test_without_blind_looks_votes_are_open_once_every_place_is_filled(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=2, adjudicates_blind=False)
    oak = make_member(campaign, "oak", "admin")
    for is_left_to_rate in (True, False):
        rate_next(make_member(campaign))
        assert withheld(oak) == (("blind", True) if is_left_to_rate else (None, False))


def hold_while_another_rates(holder: Membership, other: Membership) -> None:
    """The form stays open though its place went to another: it can still be sent."""
    assert claim_item(membership=holder) is not None
    Slot.objects.update(expires_at=Now() - timedelta(seconds=1))
    assert rate_next(other) == "item-1"


@pytest.mark.parametrize("is_blind", [True, False])
def test_votes_are_not_open_to_who_holds_the_item_whatever_else_opens_them(
    campaign: Campaign, item: Item, oak: Membership, make_member: MakeMember, is_blind: bool
) -> None:
    hold_while_another_rates(oak, make_member(campaign))
    Campaign.objects.update(adjudicates_blind=is_blind)
    SeenVotes.objects.create(item=item, member=oak)
    takes_a_file(oak, item)
    assert withheld(oak) == ("rating", True)
    skip_item(assignment=oak.assignments.get(), reason="It went to somebody else.")
    assert withheld(oak) == (None, False)


def test_who_holds_an_item_and_asks_for_its_votes_can_still_judge_it_blind_later(
    campaign: Campaign, item: Item, oak: Membership, make_member: MakeMember
) -> None:
    hold_while_another_rates(oak, make_member(campaign))
    asks(oak, item)
    assert withheld(oak) == ("rating", True)
    skip_item(assignment=oak.assignments.get(), reason="It went to somebody else.")
    assert withheld(oak) == ("blind", True)


def counted_for(member: Membership) -> set[str]:
    """The items of which figures for the member count the votes."""
    campaign = Campaign.objects.get(pk=member.campaign_id)
    campaign.reader = Membership.objects.select_related("campaign").get(pk=member.pk)
    return set(counted_ratings(campaign).values_list("item__key", flat=True))


def test_figures_leave_out_what_their_reader_may_still_rate(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=6, overlap=2)
    for number in range(1, 7):
        vote(campaign, number, "e" if number < 6 else "ee")
    everything = {f"item-{number}" for number in range(1, 7)}
    oak = make_member(campaign, "oak", "admin")
    assert counted_for(oak) == everything  # they have never claimed an item
    rated = rate_next(oak)
    assert counted_for(oak) == {rated, "item-6"}  # which has all its votes
    given_back = claim_item(membership=oak)
    assert given_back is not None
    skip_item(assignment=oak.assignments.get(pk=given_back.assignment_id), reason="It is odd.")
    held = claim_item(membership=oak)
    assert held is not None
    left = everything - {rated, "item-6", given_back.item.key, held.item.key}
    asked = Item.objects.get(campaign=campaign, key=min(left))
    asks(oak, asked)
    assert counted_for(oak) == {rated, "item-6", given_back.item.key, asked.key}
    takes_a_file(oak, asked)
    assert counted_for(oak) == everything - {held.item.key}
