"""Control items made of items whose answer is known: whom they check, and what they tell nobody."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.campaigns.workflow.slots import follow_settings
from tasks.explorer.queries.found import count, item_ids
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.queries.rows import rows_of
from tasks.explorer.workflow.acts import PlanChanged, do_act, items_of_act, preview, undo_act
from tasks.explorer.workflow.plan import LeftOut, Options, Plan, Undone
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import (
    ActKind,
    BulkAct,
    Campaign,
    ExpectedAnswer,
    FirstLook,
    Item,
    Membership,
    SeenVotes,
    Slot,
    Suggestion,
)
from tasks.people.workflow.members import change_member
from tasks.rating.workflow.admission import claim_control
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.blindness import may_judge_blind, withheld_from
from tasks.votes.items import campaign_progress
from tasks.votes.ratings import counted_ratings
from tasks.votes.workflow import set_aside, show_votes
from tests.tasks.adjudication.acts import decide, item_of, vote
from tests.tasks.conftest import LOSES, MakeCampaign, MakeMember, rate_next
from tests.tasks.explorer.workflow.test_acts import campaign, do, oak, open_places, pks, tagged

__all__ = ["campaign", "oak"]


@pytest.fixture
def blind(make_campaign: MakeCampaign) -> Campaign:
    """The votes on two of three items agree; adjudicators are to judge without having seen them."""
    blind = make_campaign(items=3, control_every=1)
    vote(blind, 1, "ee")
    vote(blind, 2, "nn")
    return blind


@pytest.fixture
def elm(blind: Campaign, make_member: MakeMember) -> Membership:
    """An admin who has seen the votes."""
    elm = make_member(blind, "elm", "admin")
    show_votes(items=pks(blind, 1, 2), member=elm)
    return elm


def plan_for(member: Membership, *numbers: int) -> Plan:
    items = pks(member.campaign, *numbers)
    return preview(member=member, kind=ActKind.CONTROL, items=items, options=Options())


def make(member: Membership, *numbers: int) -> BulkAct:
    return do(member, ActKind.CONTROL, pks(member.campaign, *numbers), Options())


def copy_of(campaign: Campaign, number: int) -> Item:
    return Item.objects.get(copied_from=item_of(campaign, number))


def rate_all(campaign: Campaign, make_member: MakeMember) -> list[Membership]:
    """Two raters rate every item alike."""
    raters = [make_member(campaign), make_member(campaign)]
    for rater in raters:
        while rate_next(rater):
            pass
    return raters


def test_controls_are_copies_of_items_whose_answer_is_known(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    elm = make_member(campaign, "elm", "researcher")
    vote(campaign, 1, "ee")
    vote(campaign, 2, "en")
    vote(campaign, 3, "en")
    vote(campaign, 4, "e")
    decide(elm, 3, reason="So it is.")
    assert plan_for(oak, 1, 2, 3, 4).left_out == {LeftOut.SPLIT: 1, LeftOut.UNFINISHED: 1}
    act = make(oak, 1, 2, 3, 4)
    # that the votes on some item differ is not told to all
    assert act.left_out == {"unsettled": 1, "unfinished": 1}
    expected = ExpectedAnswer.objects.filter(item__purpose="control").order_by("pk")
    assert [(one.item, one.outcome.label, one.explanation) for one in expected] == [
        (copy_of(campaign, 1), "equivalent", "All 2 raters agreed."),
        (copy_of(campaign, 3), "equivalent", "So it is."),
    ]
    assert item_of(campaign, 1).purpose == "live"
    assert plan_for(oak, 1).left_out == {LeftOut.IS_COPIED: 1}
    assert undo_act(act=act, by=oak) == Undone(2)
    assert not Item.objects.filter(purpose="control").exists()
    assert plan_for(oak, 1).items == tuple(pks(campaign, 1))


def test_one_vote_is_no_answer_and_a_decision_is(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    single = make_campaign(items=2, overlap=1, adjudicates_blind=False)
    oak = make_member(single, "oak", "admin")
    vote(single, 1, "e")
    vote(single, 2, "e")
    decide(oak, 2)
    plan = plan_for(oak, 1, 2)
    assert (plan.items, plan.left_out) == (tuple(pks(single, 2)), {LeftOut.FEW_VOTES: 1})


def test_other_answers_than_those_that_were_looked_at_are_not_taken(
    campaign: Campaign, oak: Membership
) -> None:
    vote(campaign, 1, "ee")
    seen = plan_for(oak, 1)
    decide(oak, 1, LOSES)
    with pytest.raises(PlanChanged):
        do_act(
            member=oak,
            kind=ActKind.CONTROL,
            items=pks(campaign, 1),
            options=Options(),
            idempotency_key="k",
            looked_at=seen.digest,
        )


def test_copy_checks_who_has_not_rated_the_item_with_the_same_suggestion(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    campaign.control_every = 1
    campaign.save()
    raters = rate_all(campaign, make_member)
    source = item_of(campaign, 1)
    Suggestion.objects.create(item=source, matcher="em", version="1", score=1, is_correct=True)
    act = make(oak, 1)
    yew = make_member(campaign, "yew")
    do(oak, ActKind.MORE, pks(campaign, 2, 3), Options(more=1))
    rate_next(yew)
    controls = [claim_control(membership=rater) for rater in (*raters, yew)]
    assert [control and control.item for control in controls] == [None, None, copy_of(campaign, 1)]
    copied = Suggestion.objects.get(item=copy_of(campaign, 1))
    assert (copied.matcher, copied.version, copied.score) == ("em", "1", 1)
    assert undo_act(act=act, by=oak) == Undone(0, kept=1)


def test_copies_that_somebody_has_judged_stay_and_check_nobody_any_more(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    act = make(oak, 1, 2, 3)
    one, two, three = (copy_of(campaign, number) for number in (1, 2, 3))
    refresh_before_reading(campaign=campaign)
    SeenVotes.objects.create(item=one, member=oak)
    outcome = ExpectedAnswer.objects.get(item=two).outcome
    FirstLook.objects.create(item=two, adjudicator=oak, outcome=outcome)
    do(oak, ActKind.TAG, [three.pk])
    assert undo_act(act=act, by=oak) == Undone(1, kept=2)
    assert list(Item.objects.filter(purpose="control").order_by("pk")) == [two, three]
    assert tagged(campaign) == [three.key]
    campaign.control_every = 1
    campaign.save()
    do(oak, ActKind.MORE, pks(campaign, 4), Options(more=1))
    yew = make_member(campaign, "yew")
    assert [rate_next(yew), claim_control(membership=yew)] == ["item-4", None]


def test_a_control_item_that_is_dismissed_checks_nobody_until_it_is_taken_back(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    campaign.control_every = 1
    campaign.save()
    rate_all(campaign, make_member)
    make(oak, 1)
    copy = copy_of(campaign, 1)
    dismissal = do(oak, ActKind.DISMISS, [copy.pk])
    do(oak, ActKind.MORE, pks(campaign, 2, 3), Options(more=1))
    yew = make_member(campaign, "yew")
    assert rate_next(yew) is not None
    assert claim_control(membership=yew) is None
    assert undo_act(act=dismissal, by=oak) == Undone(1)
    before = campaign_progress(campaign)
    assert rate_next(yew) == copy.key
    # no more than before though it has been dismissed
    assert campaign_progress(campaign) == before
    assert not Slot.objects.filter(item=copy, order_key__isnull=False).exists()


def test_an_item_whose_votes_were_set_aside_gets_others_once_its_control_item_is_dismissed(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    make(oak, 1)
    vote = counted_ratings(campaign).filter(item=pks(campaign, 1)[0]).earliest("pk")
    set_aside(rater=vote.rater, by=oak, reason="Too fast.")
    is_open = Slot.objects.filter(item=vote.item, is_filled=False, order_key__isnull=False)
    assert not is_open.exists()
    do(oak, ActKind.DISMISS, [copy_of(campaign, 1).pk])
    assert is_open.count() == 1


def test_copies_of_items_with_long_ids_have_ids_of_their_own(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    items = pks(campaign, 1, 2)
    for number, item in enumerate(items):
        Item.objects.filter(pk=item).update(key=f"{'a' * 253}-{number}")
    do(oak, ActKind.CONTROL, items, Options())
    keys = set(Item.objects.filter(purpose="control").values_list("key", flat=True))
    assert [len(key) for key in keys] == [255, 255]


def test_no_more_ratings_are_wanted_of_an_item_whose_copy_checks_raters(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    make(oak, 1)
    more = preview(
        member=oak, kind=ActKind.MORE, items=pks(campaign, 1, 2), options=Options(more=1)
    )
    assert (more.items, more.left_out) == (tuple(pks(campaign, 2)), {LeftOut.IS_COPIED: 1})


def test_nobody_learns_votes_by_trying(blind: Campaign, make_member: MakeMember) -> None:
    plan = plan_for(make_member(blind, "oak", "admin"), 1, 2)
    assert (plan.items, plan.left_out) == ((), {LeftOut.BLIND: 2})


def test_a_copy_opens_the_votes_on_its_item_to_all_who_see_results(
    blind: Campaign, elm: Membership, make_member: MakeMember
) -> None:
    """It tells that they agree: also to who comes later, and after it is gone."""
    fir = make_member(blind, "fir", "researcher")
    source, other = item_of(blind, 1), item_of(blind, 2)
    assert [may_judge_blind(item, fir) for item in (source, other)] == [True, True]
    act = make(elm, 1)
    late = make_member(blind, "late", "researcher")
    refresh_before_reading(campaign=blind)
    for reader in (fir, late):
        assert [may_judge_blind(item, reader) for item in (source, other)] == [False, True]
        found = item_ids(reader, ItemListing(label="equivalent"))
        assert (found, count(reader, ItemListing(label="equivalent")).items) == ([source.pk], 1)
        assert [row.withheld for row in rows_of(reader, [source.pk, other.pk])] == [None, "blind"]
    undo_act(act=act, by=elm)
    assert [may_judge_blind(item, late) for item in (source, other)] == [False, True]


def test_no_place_is_added_to_an_item_whose_copy_checks_raters(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    """A rater who was checked has judged the same texts."""
    rate_all(campaign, make_member)
    act = make(oak, 1)
    campaign.overlap = 3
    campaign.save()
    follow_settings(campaign=campaign, changed=["overlap"])
    assert open_places(campaign) == {"item-2": 1, "item-3": 1, "item-4": 1}
    undo_act(act=act, by=oak)
    assert open_places(campaign)["item-1"] == 1


def test_who_sees_results_rates_no_item_of_which_a_copy_was_made(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    make(oak, 1)
    do(oak, ActKind.DISMISS, [copy_of(campaign, 1).pk])
    more = do(oak, ActKind.MORE, pks(campaign, 1), Options(more=1))
    assert open_places(campaign) == {"item-1": 1}
    assert items_of_act(more) == pks(campaign, 1)
    SeenVotes.objects.all().delete()  # of those who could see the votes until now
    assert rate_next(make_member(campaign, "late", "researcher")) is None
    assert rate_next(make_member(campaign, "yew")) == "item-1"


def test_copy_of_an_item_that_a_reader_holds_tells_them_nothing(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    fir = make_member(campaign, "fir", "researcher")
    held = claim_item(membership=fir)
    assert held is not None
    source = Item.objects.get(pk=held.item.id)
    # the lease ends, and others rate the item
    Slot.objects.filter(holder=held.assignment_id).update(expires_at=Now() - timedelta(seconds=1))
    rate_all(campaign, make_member)
    number = int(source.key.removeprefix("item-"))
    make(oak, number)
    copy = copy_of(campaign, number)
    assert withheld_from(fir, copy) == "rating"
    refresh_before_reading(campaign=campaign)
    listing = ItemListing(purpose="control", vote="equivalent")
    assert (item_ids(fir, listing), count(fir, listing).items) == ([], 0)


def test_who_holds_a_copy_learns_nothing_of_it(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    campaign.control_every = 1
    campaign.save()
    rate_all(campaign, make_member)
    make(oak, 1)
    do(oak, ActKind.MORE, pks(campaign, 2, 3), Options(more=1))
    yew = make_member(campaign, "yew")
    rate_next(yew)
    held = claim_item(membership=yew)
    copy = copy_of(campaign, 1)
    assert held is not None
    assert held.item.id == copy.pk
    change_member(member=yew, role="researcher", quota=None)
    show_votes(items=[copy.pk], member=yew)
    assert withheld_from(yew, copy) == "rating"
