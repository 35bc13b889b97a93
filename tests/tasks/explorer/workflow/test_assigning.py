"""Assigned items come first, and nobody else gets these places until the time is over."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.shown.history import history_of
from tasks.explorer.workflow import assigning
from tasks.explorer.workflow.acts import NothingToDo, items_of_act, preview, undo_act
from tasks.explorer.workflow.plan import LeftOut, Options, Plan, Undone
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import ActKind, Assignment, BulkAct, Campaign, Membership, Slot, User
from tasks.people.workflow.members import (
    change_member,
    deactivate,
    give_consent,
    publish_consent_text,
    set_paused,
)
from tasks.rating.workflow.assignment import active_raters, claim_following, claim_item
from tasks.votes.workflow import skip_item
from tests.tasks.adjudication.acts import item_of, vote
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next
from tests.tasks.explorer.workflow.test_acts import do, oak, open_places, pks

__all__ = ["oak"]


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=4, overlap=2, item_order="oldest")


@pytest.fixture
def ash(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "ash")


@pytest.fixture
def fir(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "fir")


def to(*raters: Membership, is_divided: bool = False) -> Options:
    pseudonyms = tuple(rater.pseudonym for rater in raters)
    return Options(raters=pseudonyms, is_divided=is_divided, days=7)


def plan_for(oak: Membership, items: list[int], options: Options) -> Plan:
    return preview(member=oak, kind=ActKind.ASSIGN, items=items, options=options)


def lack_consent(member: Membership) -> None:
    """A consent text comes, to which all others have agreed."""
    text = publish_consent_text(campaign=member.campaign, text="Do you agree?")
    assert text is not None
    for other in Membership.objects.filter(campaign=member.campaign).exclude(pk=member.pk):
        give_consent(membership=other, version=text.version)


def next_items(member: Membership, turns: int) -> list[str | None]:
    return [rate_next(member) for _turn in range(turns)]


def test_assigned_items_come_first_and_to_nobody_else(
    campaign: Campaign,
    oak: Membership,
    ash: Membership,
    fir: Membership,
    make_member: MakeMember,
) -> None:
    act = do(oak, ActKind.ASSIGN, pks(campaign, 3, 4), to(ash, fir))
    yew = make_member(campaign, "yew")
    assert next_items(yew, 3) == ["item-1", "item-2", None]
    assert (rate_next(ash), rate_next(fir)) == ("item-3", "item-3")
    claim = claim_item(membership=ash)
    assert claim is not None
    assert claim.item.key == "item-4"
    # what ash has begun stays theirs, the place given to fir is free again
    assert undo_act(act=act, by=oak) == Undone(0, kept=2)
    assert next_items(yew, 2) == ["item-4", None]
    assert rate_next(ash) == "item-4"


def test_rater_goes_on_where_they_were_after_assigned_items(
    campaign: Campaign, oak: Membership, ash: Membership
) -> None:
    assert rate_next(ash) == "item-1"
    do(oak, ActKind.ASSIGN, pks(campaign, 4), to(ash))
    assert next_items(ash, 4) == ["item-4", "item-2", "item-3", None]


def test_place_goes_to_whoever_comes_next_when_the_time_is_over(
    campaign: Campaign, oak: Membership, ash: Membership, make_member: MakeMember
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 1, 2), to(ash))
    vote(campaign, 1, "e")
    yew = make_member(campaign, "yew")
    slot = Slot.objects.filter(given_to=ash).latest("pk")
    assert slot.given_until is not None
    assert (slot.given_until - BulkAct.objects.get().created_at).days == 7
    assert next_items(yew, 4) == ["item-2", "item-3", "item-4", None]
    Slot.objects.filter(given_to=ash).update(given_until=Now() - timedelta(seconds=1))
    assert next_items(yew, 2) == ["item-1", None]


def test_items_are_divided_among_those_who_have_not_had_them(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership
) -> None:
    claim = claim_item(membership=ash)
    assert claim is not None
    skip_item(assignment=ash.assignments.get(), reason="unclear")
    items = pks(campaign, 1, 2, 3, 4)
    plan = plan_for(oak, items, to(ash, fir, is_divided=True))
    assert [(share.name, share.items) for share in plan.shares] == [("ash", 2), ("fir", 2)]
    assert (claim.item.id, fir.pk) in plan.places
    act = do(oak, ActKind.ASSIGN, items, to(ash, fir, is_divided=True))
    given = Slot.objects.filter(given_to__isnull=False).values_list("item", "given_to")
    assert sorted(given) == sorted(plan.places)
    # nobody is given an item twice
    again = plan_for(oak, items, to(ash, fir))
    assert set(again.places).isdisjoint(plan.places)
    assert undo_act(act=act, by=oak) == Undone(4)
    plan = plan_for(oak, [claim.item.id], to(ash))
    assert (plan.items, plan.left_out) == ((), {LeftOut.NOBODY: 1})


def test_places_are_shared_evenly_where_there_are_fewer_than_raters(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership, make_member: MakeMember
) -> None:
    yew = make_member(campaign, "yew")
    plan = plan_for(oak, pks(campaign, 1, 2, 3), to(ash, fir, yew))
    assert [share.items for share in plan.shares] == [2, 2, 2]


def test_items_are_assigned_to_active_raters_who_have_seen_no_votes(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership, make_member: MakeMember
) -> None:
    make_member(campaign, "elm", "researcher")
    was_more, paused = make_member(campaign, "yew"), make_member(campaign, "box")
    Membership.objects.filter(pk=was_more.pk).update(has_been_more=True)
    set_paused(member=paused, is_paused=True)
    assert list(active_raters(campaign)) == [ash, fir]
    assert not plan_for(oak, pks(campaign, 1), to(was_more, paused)).items
    # also to those who have to be calibrated first
    Campaign.objects.filter(pk=campaign.pk).update(requires_calibration=True)
    assert plan_for(oak, pks(campaign, 1), to(ash)).items


def test_nobody_is_assigned_more_than_their_quota(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership
) -> None:
    Membership.objects.filter(pk=ash.pk).update(quota=3)
    rate_next(ash)
    do(oak, ActKind.ASSIGN, pks(campaign, 2), to(ash))
    plan = plan_for(oak, pks(campaign, 1, 3, 4), to(ash))
    assert (len(plan.items), plan.left_out) == (1, {LeftOut.NOBODY: 2})
    plan = plan_for(oak, pks(campaign, 1, 3, 4), to(ash, fir, is_divided=True))
    assert [share.items for share in plan.shares] == [1, 2]


def test_items_without_a_free_place_are_not_assigned(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership
) -> None:
    vote(campaign, 1, "ee")
    do(oak, ActKind.DISMISS, pks(campaign, 2))
    plan = plan_for(oak, pks(campaign, 1, 2, 3), to(ash))
    assert plan.items == tuple(pks(campaign, 3))
    assert plan.left_out == {LeftOut.NO_PLACE: 1, LeftOut.DISMISSED: 1}
    do(oak, ActKind.ASSIGN, pks(campaign, 3), to(ash, fir))
    assert plan_for(oak, pks(campaign, 3), to(ash)).left_out == {LeftOut.GIVEN: 1}


def test_assigned_item_that_a_page_reads_ahead_stays_assigned(
    campaign: Campaign, oak: Membership, ash: Membership, make_member: MakeMember
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 2, 3), to(ash))
    vote(campaign, 3, "e")
    claim = claim_item(membership=ash)
    assert claim is not None
    following = claim_following(assignment=Assignment.objects.get(pk=claim.assignment_id))
    assert following is not None
    assert following.item.key == "item-3"
    held = Slot.objects.filter(holder__isnull=False)
    held.update(expires_at=Now() - timedelta(seconds=1))
    assert next_items(make_member(campaign, "yew"), 4) == ["item-1", "item-2", "item-4", None]
    assert next_items(ash, 2) == ["item-2", "item-3"]


def test_skipped_item_is_offered_to_others(
    campaign: Campaign, oak: Membership, ash: Membership, make_member: MakeMember
) -> None:
    act = do(oak, ActKind.ASSIGN, pks(campaign, 1), to(ash))
    vote(campaign, 1, "e")
    claim_item(membership=ash)
    skip_item(assignment=ash.assignments.get(), reason="unclear")
    assert rate_next(make_member(campaign, "yew")) == "item-1"
    assert undo_act(act=act, by=oak) == Undone(1)


@pytest.mark.parametrize(
    "leave",
    [
        lambda ash: deactivate(member=ash),
        lambda ash: change_member(member=ash, role="researcher", quota=None),
        lambda ash: change_member(member=ash, role="rater", quota=0),
        lambda ash: set_paused(member=ash, is_paused=True),
        lambda ash: User.objects.filter(pk=ash.user_id).update(is_active=False),
        lack_consent,
    ],
    ids=["deactivated", "promoted", "quota", "paused", "account", "consent"],
)
def test_places_of_who_gets_no_items_are_open_to_who_has_none_left(
    campaign: Campaign,
    oak: Membership,
    ash: Membership,
    fir: Membership,
    leave: Callable[[Membership], None],
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 1, 2, 3, 4), to(ash))
    for number in (1, 2, 3, 4):
        vote(campaign, number, "e")
    assert rate_next(fir) is None
    leave(ash)
    fir = Membership.objects.get(pk=fir.pk)
    assert next_items(fir, 5) == ["item-1", "item-2", "item-3", "item-4", None]


def test_dismissed_item_is_not_handed_to_whom_it_was_assigned(
    campaign: Campaign, oak: Membership, ash: Membership
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 3), to(ash))
    dismissed = do(oak, ActKind.DISMISS, pks(campaign, 3))
    assert rate_next(ash) == "item-1"
    undo_act(act=dismissed, by=oak)
    assert rate_next(ash) == "item-3"


def test_places_given_to_nobody_go_first_where_fewer_are_wanted(
    campaign: Campaign, oak: Membership, ash: Membership
) -> None:
    more = do(oak, ActKind.MORE, pks(campaign, 1), Options(more=1))
    do(oak, ActKind.ASSIGN, pks(campaign, 1), to(ash))
    undo_act(act=more, by=oak)
    assert open_places(campaign)["item-1"] == 2
    assert Slot.objects.get(given_to=ash).item_id == pks(campaign, 1)[0]


def test_imported_ratings_take_places_that_are_given_to_nobody(
    campaign: Campaign, oak: Membership, ash: Membership
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 1), to(ash))
    free, given = Slot.objects.filter(item__in=pks(campaign, 1)).order_by("given_until", "number")
    if free.given_to_id:  # nulls stand last on PostgreSQL
        free, given = given, free
    Slot.objects.filter(pk=given.pk).update(number=0)
    vote(campaign, 1, "e")
    assert Slot.objects.get(is_filled=True) == free
    assert rate_next(ash) == "item-1"


def test_plan_stands_while_others_take_places(
    campaign: Campaign, oak: Membership, ash: Membership, make_member: MakeMember
) -> None:
    """A campaign at work is never still: what is free when the act is done is given."""
    items = pks(campaign, 1, 2)
    seen = plan_for(oak, items, to(ash))
    vote(campaign, 1, "ee")
    now = plan_for(oak, items, to(ash))
    assert (now.items, now.digest) == (tuple(items[1:]), seen.digest)
    assert plan_for(oak, items[1:], to(ash)).digest != seen.digest


def test_place_that_somebody_takes_at_this_moment_is_not_given(
    campaign: Campaign, oak: Membership, ash: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pks(campaign, 1, 2)
    locked = assigning._lock_free

    def lock_free(items: Iterable[int]) -> dict[int, list[int]]:
        return {**locked(items), one: []}

    monkeypatch.setattr(assigning, "_lock_free", lock_free)
    with pytest.raises(NothingToDo):
        do(oak, ActKind.ASSIGN, [one], to(ash))
    assert not BulkAct.objects.exists()
    act = do(oak, ActKind.ASSIGN, [one, two], to(ash))
    assert (items_of_act(act), act.left_out) == ([two], {"no-place": 1})
    assert act.result["shares"] == {ash.pseudonym: 1}


def test_whose_choice_is_small_comes_first(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership
) -> None:
    """Items that one of them has had go to the other, before his quota is reached by others."""
    assert next_items(fir, 2) == ["item-1", "item-2"]
    Membership.objects.filter(pk=ash.pk).update(quota=2)
    plan = plan_for(oak, pks(campaign, 1, 2, 3, 4), to(ash, fir, is_divided=True))
    assert (len(plan.items), plan.left_out) == (4, {})


def test_items_are_found_by_whom_they_are_assigned_to(
    campaign: Campaign, oak: Membership, ash: Membership
) -> None:
    items = pks(campaign, 1, 2)
    act = do(oak, ActKind.ASSIGN, items, to(ash))
    refresh_before_reading(campaign=campaign)
    listing = ItemListing(assigned=ash.pseudonym, order="number")
    assert item_ids(oak, listing) == items
    rate_next(ash)
    assert item_ids(oak, listing) == items[1:]
    undo_act(act=act, by=oak)
    assert item_ids(oak, listing) == []


def test_history_says_who_got_which_item(
    campaign: Campaign, oak: Membership, ash: Membership, fir: Membership
) -> None:
    do(oak, ActKind.ASSIGN, pks(campaign, 1, 2), to(ash, fir, is_divided=True))
    told = [
        entry.aside
        for number in (1, 2)
        for entry in history_of(item_of(campaign, number), oak, is_withheld=False)
        if entry.kind == "act"
    ]
    assert sorted(told) == ["ash", "fir"]
    # who could still judge the item is not told who has
    (entry,) = history_of(item_of(campaign, 1), oak, is_withheld=True)[1:]
    assert entry.aside == "ash, fir"
