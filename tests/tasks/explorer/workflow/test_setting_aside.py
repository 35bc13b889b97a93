"""Ratings on chosen items set aside in the explorer, and brought back there or from the list."""

import pytest

from tasks.explorer.queries.history import acts_on
from tasks.explorer.shown.history import history_of
from tasks.explorer.workflow.acts import NothingToDo, items_of_act, preview, undo_act
from tasks.explorer.workflow.plan import LeftOut, Options, Undone
from tasks.models import ActKind, BulkAct, Campaign, Membership, SetAside
from tasks.votes.items import Progress, campaign_progress
from tasks.votes.ratings import SetAsideNow, set_aside_now
from tasks.votes.workflow import show_votes, undo_set_aside
from tests.tasks.adjudication.acts import item_of, vote
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next
from tests.tasks.explorer.workflow.test_acts import campaign, do, oak, pks

__all__ = ["campaign", "oak"]


@pytest.fixture
def rated(campaign: Campaign) -> Campaign:
    """Two of four items have both their ratings, the third one."""
    for number, votes in enumerate(("en", "ee", "e"), 1):
        vote(campaign, number, votes)
    return campaign


def by(campaign: Campaign, name: str) -> Options:
    rater = campaign.memberships.get(name=name)
    return Options(rater=rater.pseudonym, reason="Clicked through.")


def test_only_items_that_the_rater_has_rated_and_whose_votes_are_open_are_changed(
    rated: Campaign, oak: Membership
) -> None:
    items, options = pks(rated, 1, 2, 3, 4), by(rated, "ben")
    plan = preview(member=oak, kind=ActKind.SET_ASIDE, items=items, options=options)
    assert (plan.items, plan.left_out, plan.withheld) == (
        tuple(items[:2]),
        {LeftOut.BLIND: 2},
        tuple(items[2:]),
    )
    act = do(oak, ActKind.SET_ASIDE, items, options)
    assert items_of_act(act) == items[:2]
    assert set_aside_now(rated) == SetAsideNow(ratings=2, raters=1)
    assert campaign_progress(rated) == Progress(3, 8)
    with pytest.raises(NothingToDo):
        do(oak, ActKind.SET_ASIDE, items, options)


def test_undoing_says_of_how_many_items_others_have_worked_since(
    rated: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    act = do(oak, ActKind.SET_ASIDE, pks(rated, 1, 2), by(rated, "ben"))
    dan = make_member(rated, "dan")
    while rate_next(dan) != "item-2":
        pass
    done = BulkAct.objects.get(pk=act.pk)
    assert undo_act(act=done, by=oak).kept >= 1
    assert not set_aside_now(rated)


def test_what_was_undone_from_the_list_is_undone(rated: Campaign, oak: Membership) -> None:
    act = do(oak, ActKind.SET_ASIDE, pks(rated, 1, 2), by(rated, "ben"))
    undo_set_aside(act=SetAside.objects.get(), by=oak)
    assert undo_act(act=act, by=oak) == Undone(2)
    assert campaign_progress(rated) == Progress(5, 8)


def test_history_tells_it_to_those_who_may_see_the_votes_alone(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2)
    vote(campaign, 1, "ee")
    oak, elm = (make_member(campaign, name, "admin") for name in ("oak", "elm"))
    item = item_of(campaign, 1)
    show_votes(items=[item.pk], member=oak)
    do(oak, ActKind.SET_ASIDE, [item.pk], by(campaign, "ben"))
    assert [act.kind for act in acts_on(item)] == ["set-aside"]
    told = [
        [entry.what for entry in history_of(item, member, is_withheld=is_withheld)]
        for member, is_withheld in ((oak, False), (elm, True))
    ]
    assert ["did: Set ratings aside" in entries for entries in told] == [True, False]
    asides = [entry.aside for entry in history_of(item, oak, is_withheld=False)]
    assert asides.count("set aside, not counted") == 1
