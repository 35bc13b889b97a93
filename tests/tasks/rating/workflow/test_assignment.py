"""Claims: who gets which item, for how long."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from tasks.models import Assignment, AssignmentState, CampaignState, Membership, Slot
from tasks.rating.workflow.assignment import CampaignPaused, RaterPaused, claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.votes.workflow import skip_item
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next


def claimed_item(membership: Membership) -> str | None:
    claim = claim_item(membership=membership)
    return Assignment.objects.get(pk=claim.assignment_id).item.key if claim else None


def end_leases() -> None:
    Slot.objects.filter(holder__isnull=False).update(expires_at=Now() - timedelta(seconds=1))


def test_claim_gives_the_same_item_until_it_is_rated(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign())
    held = claimed_item(rater)
    assert held is not None
    assert claimed_item(rater) == held
    first = rate_next(rater)
    assert claimed_item(rater) != first


def test_claim_gives_every_item_once_and_then_nothing(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(items=5))
    items = [rate_next(rater) for _ in range(6)]
    assert sorted(filter(None, items)) == [f"item-{n}" for n in range(1, 6)]
    assert items[-1] is None


def test_claim_hands_out_no_item_beyond_its_overlap(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=2)
    claims = [claimed_item(make_member(campaign)) for _ in range(3)]
    assert claims == ["item-1", "item-1", None]


def test_claim_takes_over_a_slot_whose_lease_has_ended(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    first, second = make_member(campaign), make_member(campaign)
    assert claimed_item(first) == "item-1"
    assert claimed_item(second) is None
    end_leases()
    assert claimed_item(second) == "item-1"
    assert claimed_item(first) is None


def test_claim_renews_the_lease_of_a_rater_who_comes_back_in_time(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    rater, other = make_member(campaign), make_member(campaign)
    claimed_item(rater)
    end_leases()
    assert claimed_item(rater) == "item-1"
    assert claimed_item(other) is None


def test_claim_lease_lasts_as_long_as_the_campaign_says(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(lease_minutes=7)
    claim_item(membership=make_member(campaign))
    left = (
        Slot.objects.filter(holder__isnull=False).annotate(left=F("expires_at") - Now()).get().left
    )
    assert timedelta(minutes=6, seconds=50) < left <= timedelta(minutes=7)


def test_claim_returns_to_items_given_back_behind_the_rater(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=1)
    slow, quick = make_member(campaign), make_member(campaign)
    held = claimed_item(slow)
    other = rate_next(quick)
    assert claimed_item(quick) is None
    end_leases()
    assert {held, other} == {"item-1", "item-2"}
    assert claimed_item(quick) == held


def test_claim_is_refused_while_the_campaign_is_paused(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(state=CampaignState.PAUSED))
    with pytest.raises(CampaignPaused):
        claim_item(membership=rater)


def test_skip_gives_the_item_to_others_and_not_back(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    rater, other = make_member(campaign), make_member(campaign)
    claim = claim_item(membership=rater)
    assert claim is not None
    skip_item(assignment=Assignment.objects.get(pk=claim.assignment_id), reason="no idea")
    assert claimed_item(rater) is None
    assert claimed_item(other) == "item-1"
    skipped = Assignment.objects.get(rater=rater)
    assert (skipped.state, skipped.skip_reason) == (AssignmentState.SKIPPED, "no idea")


def test_paused_rater_gets_nothing_but_others_do(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign()
    paused, other = make_member(campaign), make_member(campaign)
    paused.is_paused = True
    with pytest.raises(RaterPaused, match="you are paused in campaign-1"):
        claim_item(membership=paused)
    assert claimed_item(other) is not None


def test_quota_of_the_campaign_ends_a_raters_work(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=5, rater_quota=2)
    rater = make_member(campaign)
    assert [rate_next(rater) is not None for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize(("quota", "rated"), [(0, 0), (1, 1), (4, 4)])
def test_quota_of_a_rater_goes_before_the_campaigns(
    make_campaign: MakeCampaign, make_member: MakeMember, quota: int, rated: int
) -> None:
    rater = make_member(make_campaign(items=5, rater_quota=2))
    rater.quota = quota
    assert sum(rate_next(rater) is not None for _ in range(5)) == rated


def test_revision_does_not_use_up_a_quota(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(items=5, rater_quota=2))
    rate_next(rater)
    assignment = Assignment.objects.get(rater=rater)
    submit_rating(
        assignment_id=assignment.pk,
        membership=rater,
        answers={"q1": True},
        idempotency_key="revision",
    )
    assert rate_next(rater) is not None
    assert rate_next(rater) is None
