"""The item after the one in hand: claimed early, never in the way of anybody."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from tasks.models import Assignment, AssignmentState, Campaign, CampaignState, Membership, Slot
from tasks.rating.workflow.assignment import CampaignPaused, claim_following, claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.votes.workflow import skip_item
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign()


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign)


def in_hand(membership: Membership) -> Assignment:
    claim = claim_item(membership=membership)
    assert claim is not None
    return Assignment.objects.select_related("rater__campaign__guideline").get(
        pk=claim.assignment_id
    )


def following(assignment: Assignment) -> int | None:
    claim = claim_following(assignment=assignment)
    return claim.assignment_id if claim else None


def rate(assignment: Assignment) -> None:
    submit_rating(
        assignment_id=assignment.pk,
        membership=assignment.rater,
        answers=EQUIVALENT,
        idempotency_key=f"key-{assignment.pk}",
    )


def end_lease_of(assignment_id: int) -> None:
    Slot.objects.filter(holder=assignment_id).update(expires_at=Now() - timedelta(seconds=1))


def lease_of(assignment_id: int) -> timedelta:
    left: timedelta = (
        Slot.objects.annotate(left=F("expires_at") - Now()).get(holder=assignment_id).left
    )
    return left


def test_following_is_another_item_and_the_one_in_hand_stays(rater: Membership) -> None:
    first = in_hand(rater)
    second = following(first)
    assert second not in {None, first.pk}
    assert in_hand(rater) == first
    held = Slot.objects.filter(holder__rater=rater).values_list("holder", flat=True)
    assert sorted(held) == sorted([first.pk, second])


def test_following_is_what_the_claim_after_the_rating_gives(rater: Membership) -> None:
    first = in_hand(rater)
    second = following(first)
    rate(first)
    assert in_hand(rater).pk == second


def test_following_is_the_same_however_often_it_is_asked_for(rater: Membership) -> None:
    first = in_hand(rater)
    assert following(first) == following(first)
    assert Slot.objects.exclude(holder=None).count() == 2


def test_following_visits_every_item_once_in_order(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=5)
    with_page, with_program = make_member(campaign), make_member(campaign)
    seen = {with_page: list[int](), with_program: list[int]()}
    for _item in range(5):
        assignment = in_hand(with_page)
        seen[with_page].append(assignment.item_id)
        following(assignment)
        rate(assignment)
        assignment = in_hand(with_program)
        seen[with_program].append(assignment.item_id)
        rate(assignment)
    assert seen[with_page] == seen[with_program]
    assert len(set(seen[with_page])) == 5


def test_following_is_never_another_slot_of_the_item_in_hand(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(items=1, overlap=2))
    assert following(in_hand(rater)) is None
    assert in_hand(rater).state == AssignmentState.ACTIVE


def test_following_keeps_an_item_from_others_for_five_minutes_only(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=1)
    rater, other = make_member(campaign), make_member(campaign)
    second = following(in_hand(rater))
    assert second is not None
    assert claim_item(membership=other) is None
    assert timedelta(minutes=4, seconds=50) < lease_of(second) <= timedelta(minutes=5)
    end_lease_of(second)
    assert in_hand(other).item_id == Assignment.objects.get(pk=second).item_id


def test_following_that_went_to_somebody_else_is_not_claimed_again(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=1)
    rater, other = make_member(campaign), make_member(campaign)
    first = in_hand(rater)
    second = following(first)
    assert second is not None
    end_lease_of(second)
    in_hand(other)
    rate(first)
    assert claim_item(membership=rater) is None


def test_following_is_held_for_a_full_lease_once_it_is_in_hand(rater: Membership) -> None:
    first = in_hand(rater)
    following(first)
    rate(first)
    assert lease_of(in_hand(rater).pk) > timedelta(minutes=29)


def test_following_is_held_no_longer_than_the_campaign_allows(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    second = following(in_hand(make_member(make_campaign(lease_minutes=2))))
    assert second is not None
    assert lease_of(second) <= timedelta(minutes=2)


def test_following_of_a_settled_assignment_is_none(rater: Membership) -> None:
    rated = in_hand(rater)
    rate(rated)
    skipped = in_hand(rater)
    skip_item(assignment=skipped, reason="no idea")
    assert (following(rated), following(skipped)) == (None, None)
    assert not Slot.objects.filter(is_filled=False).exclude(holder=None).exists()


def test_following_of_a_paused_campaign_is_refused_and_changes_nothing(
    campaign: Campaign, rater: Membership
) -> None:
    first = in_hand(rater)
    Campaign.objects.update(state=CampaignState.PAUSED)
    first.refresh_from_db()
    first.rater.campaign.refresh_from_db()
    with pytest.raises(CampaignPaused):
        claim_following(assignment=first)
    assert Assignment.objects.get().state == AssignmentState.ACTIVE


def test_nothing_follows_the_last_item_of_a_quota(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    rater = make_member(make_campaign(items=5, rater_quota=2))
    rate(in_hand(rater))
    assert following(in_hand(rater)) is None
