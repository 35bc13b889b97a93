"""Members: leaving, and what stays."""

import pytest

from tasks.models import Campaign, Membership, Rating, Slot
from tasks.people.workflow.members import LastAdmin, change_member, deactivate, reactivate
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_items, make_member


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign(overlap=1)
    make_items(campaign, 2)
    return campaign


def rate(member: Membership) -> Rating:
    claim = claim_item(membership=member)
    assert claim is not None
    return submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        answers={"q1": True},
        idempotency_key=f"key-{claim.assignment_id}",
    ).rating


def test_deactivation_keeps_ratings_and_frees_what_is_held(campaign: Campaign) -> None:
    member = make_member(campaign)
    rating = rate(member)
    assert claim_item(membership=member) is not None
    deactivate(member=member)
    filled, free = Slot.objects.filter(campaign=campaign).order_by("-is_filled")
    assert Rating.objects.get() == rating
    assert (filled.is_filled, filled.holder_id) == (True, rating.assignment_id)
    assert (free.is_filled, free.holder, free.expires_at) == (False, None, None)


def test_deactivation_frees_nothing_of_others_or_of_no_order(campaign: Campaign) -> None:
    member, other = make_member(campaign), make_member(campaign)
    for each in (member, other):
        assert claim_item(membership=each) is not None
    # a slot made for its holder alone is offered to nobody else
    Slot.objects.filter(holder__rater=member).update(order_key=None)
    deactivate(member=member)
    assert set(Slot.objects.values_list("holder__rater", flat=True)) == {member.pk, other.pk}


def test_reactivated_member_goes_on(campaign: Campaign) -> None:
    member = make_member(campaign)
    claim_item(membership=member)
    deactivate(member=member)
    reactivate(member=member)
    rate(member)
    rate(member)
    assert claim_item(membership=member) is None


@pytest.mark.parametrize("other", ["inactive", "without an account", "account switched off"])
def test_the_last_admin_who_can_sign_in_stays(campaign: Campaign, other: str) -> None:
    admin, second = make_member(campaign, "admin"), make_member(campaign, "admin")
    assert second.user is not None
    if other == "inactive":
        Membership.objects.filter(pk=second.pk).update(is_active=False)
    elif other == "without an account":
        Membership.objects.filter(pk=second.pk).update(user=None)
    else:
        type(second.user).objects.filter(pk=second.user.pk).update(is_active=False)
    with pytest.raises(LastAdmin):
        deactivate(member=admin)
    with pytest.raises(LastAdmin):
        change_member(member=admin, role="rater", quota=None)
    change_member(member=admin, role="admin", quota=5)
    admin.refresh_from_db()
    assert (admin.role, admin.is_active, admin.quota) == ("admin", True, 5)
