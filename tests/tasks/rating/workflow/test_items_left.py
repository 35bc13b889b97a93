"""The number of items left for a rater: a bound that holds, and gives no control item away."""

import pytest

from tasks.campaigns.workflow.campaign import change_settings
from tasks.intake.workflow.items import import_items
from tasks.models import Assignment, Campaign, ItemPurpose, Slot
from tasks.rating.workflow import assignment as module
from tasks.rating.workflow.assignment import claim_item, items_left
from tasks.votes.workflow import skip_item
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row, rate_next
from tomahto.interchange.reading.records import GivenAnswer


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number before it is rounded."""
    monkeypatch.setattr(module, "_STEP", 1)


@pytest.fixture
def checked(make_campaign: MakeCampaign) -> Campaign:
    """Six live items, and five control items, one after about every second live one. One of those
    has the texts of a live item."""
    campaign = make_campaign(items=6, overlap=1, control_every=2)
    known = GivenAnswer("equivalent")
    rows = [item_row(900 + n, purpose="control", expected=known) for n in range(4)]
    rows += [item_row(1, id="item-905", purpose="control", expected=known)]
    import_items(campaign=campaign, rows=rows)
    return campaign


def test_it_is_told_in_whole_tens(make_campaign: MakeCampaign, make_member: MakeMember) -> None:
    rater = make_member(make_campaign(items=12))
    assert items_left(rater) == 20
    rate_next(rater)
    rate_next(rater)
    assert items_left(rater) == 10


def test_a_quota_bounds_it(make_campaign: MakeCampaign, make_member: MakeMember) -> None:
    rater = make_member(make_campaign(items=12, rater_quota=2))
    assert items_left(rater) == 2
    rate_next(rater)
    rate_next(rater)
    assert items_left(rater) == 0


def test_it_falls_by_one_with_each_item_live_or_control(
    checked: Campaign, make_member: MakeMember, exact: None
) -> None:
    rater = make_member(checked)
    purposes, left = [], [items_left(rater)]
    while claim := claim_item(membership=rater):
        assignment = Assignment.objects.get(pk=claim.assignment_id)
        purposes.append(assignment.item.purpose)
        assert items_left(rater) == left[-1]  # until they are done with it
        if len(purposes) % 4 == 3:
            skip_item(assignment=assignment, reason="odd")
        else:
            rate_next(rater)
        left.append(items_left(rater))
    assert set(purposes) == {ItemPurpose.LIVE, ItemPurpose.CONTROL}
    assert left == [*range(6 + 5, 6 + 5 - len(purposes), -1), 0]


def test_nothing_is_left_where_nothing_is_handed_out(
    checked: Campaign, make_member: MakeMember
) -> None:
    first, second = make_member(checked), make_member(checked)
    while rate_next(first):
        assert items_left(first) == 0 or claim_item(membership=first)
    assert items_left(first) == 0
    # its live items have their ratings: nobody else gets one
    assert (items_left(second), claim_item(membership=second)) == (0, None)


def test_places_of_others_are_not_counted(
    make_campaign: MakeCampaign, make_member: MakeMember, exact: None
) -> None:
    campaign = make_campaign(items=3, overlap=1)
    first, second, admin = (
        make_member(campaign, role=role) for role in ("rater", "rater", "admin")
    )
    claim_item(membership=first)
    assert (items_left(first), items_left(second), items_left(admin)) == (3, 2, 2)
    rate_next(first)
    Slot.objects.filter(campaign=campaign, is_filled=False).update(holder=None, expires_at=None)
    assert (items_left(first), items_left(second)) == (2, 2)


def test_an_item_whose_lease_ended_is_left_only_while_it_has_a_place(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    slow, quick = make_member(campaign), make_member(campaign)
    claim_item(membership=slow)
    Slot.objects.filter(campaign=campaign).update(holder=None, expires_at=None)
    assert items_left(slow) == 10
    rate_next(quick)
    assert (items_left(slow), claim_item(membership=slow)) == (0, None)


def test_more_than_can_be_counted_is_not_told_as_a_number(
    make_campaign: MakeCampaign, make_member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_LEFT", 4)
    rater = make_member(make_campaign(items=5))
    assert items_left(rater) is None
    rate_next(rater)
    assert items_left(rater) == 10
    change_settings(campaign=rater.campaign, changes={"rater_quota": 3})
    assert items_left(rater) == 2


@pytest.mark.parametrize(("most", "left"), [(2, None), (3, 3)])
def test_as_many_are_left_if_the_first_places_are_of_few_items(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    exact: None,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    left: int | None,
) -> None:
    monkeypatch.setattr(module, "_SOME_PLACES", 2)
    monkeypatch.setattr(module, "MOST_LEFT", most)
    assert items_left(make_member(make_campaign(items=3, overlap=2))) == left
