"""Raising and settling flags."""

import pytest

from tasks.models import Assignment, AssignmentState, Campaign, Flag, Membership
from tasks.rating.queries.own_work import flags_seen_by, open_flag_on, open_flags
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.records import raise_flag, settle_flag
from tests.tasks.conftest import MakeCampaign, MakeMember


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


def in_hand(membership: Membership) -> Assignment:
    claim = claim_item(membership=membership)
    assert claim is not None
    return Assignment.objects.get(pk=claim.assignment_id)


def test_flag_is_open_once_per_item_and_rater_whatever_its_reason(
    campaign: Campaign, make_member: MakeMember
) -> None:
    assignment = in_hand(make_member(campaign))
    first = raise_flag(assignment=assignment, reason="broken text")
    again = raise_flag(assignment=assignment, reason="broken passage")
    assert again == first
    assert list(Flag.objects.values_list("reason", flat=True)) == ["broken passage"]
    raise_flag(assignment=in_hand(make_member(campaign)), reason="broken text")
    assert open_flags(campaign) == 2


def test_settling_is_final_and_done_once(campaign: Campaign, make_member: MakeMember) -> None:
    admin, other = (make_member(campaign, role="admin") for _ in range(2))
    flag = raise_flag(assignment=in_hand(make_member(campaign)), reason="broken text")
    assert settle_flag(flag=flag, by=admin, settlement="mended")
    assert not settle_flag(flag=flag, by=other, settlement="left as it is")
    flag.refresh_from_db()
    assert (flag.settled_by, flag.settlement) == (admin, "mended")
    assert flag.settled_at is not None
    assert open_flags(campaign) == 0


def test_flag_after_a_settled_one_is_another(campaign: Campaign, make_member: MakeMember) -> None:
    assignment = in_hand(make_member(campaign))
    settled = raise_flag(assignment=assignment, reason="broken text")
    admin = make_member(campaign, role="admin")
    settle_flag(flag=settled, by=admin, settlement="mended")
    assert open_flag_on(assignment.item_id, assignment.rater_id) is None
    opened = raise_flag(assignment=assignment, reason="still broken")
    assert list(flags_seen_by(admin)) == [opened, settled]


def test_flags_of_another_campaign_are_apart(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign, elsewhere = make_campaign(), make_campaign()
    raise_flag(assignment=in_hand(make_member(elsewhere)), reason="broken text")
    admin = make_member(campaign, role="admin")
    assert (open_flags(campaign), list(flags_seen_by(admin))) == (0, [])


def test_flags_on_an_item_that_an_admin_is_to_rate_wait_until_they_have(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater, admin = make_member(campaign), make_member(campaign, role="admin")
    flag = raise_flag(assignment=in_hand(rater), reason="broken text")
    own = in_hand(admin)
    assert list(flags_seen_by(admin)) == []
    raised = raise_flag(assignment=own, reason="mine")
    assert list(flags_seen_by(admin)) == []
    own.state = AssignmentState.SUBMITTED
    own.save()
    assert list(flags_seen_by(admin)) == [raised, flag]
