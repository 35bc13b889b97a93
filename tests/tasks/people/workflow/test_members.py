"""Members: leaving, and what stays."""

import pytest

from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Item, ItemPurpose, Membership, Rating, Role, Slot
from tasks.people.workflow.members import (
    LastAdmin,
    NoStandingToReset,
    change_member,
    deactivate,
    password_reset,
    reactivate,
)
from tasks.rating.workflow.assignment import claim_item
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.conftest import rate_next


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign(overlap=1)
    make_items(campaign, 2)
    return campaign


def test_deactivation_keeps_ratings_and_frees_what_is_held(campaign: Campaign) -> None:
    member = make_member(campaign)
    rate_next(member)
    rating = Rating.objects.get()
    assert claim_item(membership=member) is not None
    deactivate(member=member)
    filled, free = Slot.objects.filter(campaign=campaign).order_by("-is_filled")
    assert Rating.objects.get() == rating
    assert (filled.is_filled, filled.holder_id) == (True, rating.assignment_id)
    assert (free.is_filled, free.holder, free.expires_at) == (False, None, None)


def test_deactivation_frees_nothing_of_others_or_of_control_items(campaign: Campaign) -> None:
    member, other = make_member(campaign), make_member(campaign)
    for each in (member, other):
        assert claim_item(membership=each) is not None
    # a slot made for its holder alone is offered to nobody else
    Item.objects.filter(slots__holder__rater=member).update(purpose=ItemPurpose.CONTROL)
    deactivate(member=member)
    assert set(Slot.objects.values_list("holder__rater", flat=True)) == {member.pk, other.pk}


def test_reactivated_member_goes_on(campaign: Campaign) -> None:
    member = make_member(campaign)
    claim_item(membership=member)
    deactivate(member=member)
    reactivate(member=member)
    rate_next(member)
    rate_next(member)
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


def may_reset(member: Membership, by: Membership) -> bool:
    try:
        password_reset(member=member, by=by)
    except NoStandingToReset:
        return False
    return True


@pytest.mark.parametrize(
    ("theirs", "own", "is_allowed"),
    [
        ("rater", "admin", True),
        ("admin", "admin", False),
        ("rater", "researcher", False),
        *((role, None, False) for role in Role.values),
    ],
)
@pytest.mark.parametrize("is_active", [True, False])
def test_password_links_are_for_accounts_of_campaigns_one_administers(
    campaign: Campaign, theirs: str, own: str | None, is_allowed: bool, is_active: bool
) -> None:
    """`theirs` and `own` are the roles in another campaign, which the account may have left."""
    admin, member = make_member(campaign, "admin"), make_member(campaign)
    assert may_reset(member, admin)
    other = make_campaign()
    assert admin.user is not None
    assert member.user is not None
    elsewhere = add_member(campaign=other, user=member.user, role=theirs)
    Membership.objects.filter(pk=elsewhere.pk).update(is_active=is_active)
    if own:
        add_member(campaign=other, user=admin.user, role=own)
    assert may_reset(member, admin) is is_allowed


@pytest.mark.parametrize("lowered_to", [None, "researcher", "rater"])
def test_no_password_link_for_who_is_or_has_been_an_admin(
    campaign: Campaign, lowered_to: str | None
) -> None:
    """An open browser of theirs could make somebody else an admin, who takes their account."""
    admin, accomplice = make_member(campaign, "admin"), make_member(campaign, "admin")
    if lowered_to:
        change_member(member=admin, role=lowered_to, quota=None)
    assert not may_reset(admin, accomplice)


@pytest.mark.parametrize("standing", ["is_staff", "is_superuser"])
def test_no_password_link_for_operators(campaign: Campaign, standing: str) -> None:
    member = make_member(campaign)
    setattr(member.user, standing, True)
    assert not may_reset(member, make_member(campaign, "admin"))
