"""Acts on many items: what they would do, what they do, what undoing them leaves."""

from collections.abc import Collection

import pytest
from django.db import IntegrityError

from tasks.adjudication.queries.queue import Queue, Reason, Shelf
from tasks.agreement.figures.more_figures import places_of
from tasks.campaigns.workflow.slots import fit_campaign
from tasks.explorer.workflow.acts import (
    ActKeyReused,
    ActUndone,
    NothingToDo,
    PlanChanged,
    do_act,
    items_of_act,
    preview,
    undo_act,
)
from tasks.explorer.workflow.plan import LeftOut, Options, Undone
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import (
    ActKind,
    AuditEntry,
    BulkAct,
    Campaign,
    Item,
    ItemHandling,
    ItemSummary,
    Membership,
    Slot,
    Tag,
)
from tasks.people.workflow.members import deactivate
from tasks.rating.workflow.assignment import claim_item
from tasks.storing.refusals import InTheWay
from tasks.votes.blindness import withheld_from
from tasks.votes.items import Progress, campaign_progress
from tests.tasks.adjudication.acts import decide, item_of, vote
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

TAG = Options(tag="check")


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=4, overlap=2, adjudicates_blind=False)


@pytest.fixture
def oak(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def pks(campaign: Campaign, *numbers: int) -> list[int]:
    return [item_of(campaign, number).pk for number in numbers]


def do(
    member: Membership, kind: ActKind, items: Collection[int], options: Options = TAG, key: str = ""
) -> BulkAct:
    return do_act(
        member=member,
        kind=kind,
        items=items,
        options=options,
        idempotency_key=key or f"{kind}-{BulkAct.objects.count()}",
    ).act


def tagged(campaign: Campaign) -> list[str]:
    items = Item.objects.filter(item_tags__tag__name="check", campaign=campaign)
    return list(items.order_by("pk").values_list("key", flat=True))


def open_places(campaign: Campaign) -> dict[str, int]:
    """The number of ratings that can still be claimed of each item that has a place."""
    found: dict[str, int] = {}
    for key in Slot.objects.filter(
        campaign=campaign, is_filled=False, order_key__isnull=False
    ).values_list("item__key", flat=True):
        found[key] = found.get(key, 0) + 1
    return dict(sorted(found.items()))


def test_tag_is_put_on_those_that_lack_it_and_taken_away_again(
    campaign: Campaign, oak: Membership
) -> None:
    one, two, three = pks(campaign, 1, 2, 3)
    first = do(oak, ActKind.TAG, [one])
    second = do(oak, ActKind.TAG, [one, two, three])
    assert (items_of_act(second), second.left_out) == ([two, three], {"has-tag": 1})
    assert tagged(campaign) == ["item-1", "item-2", "item-3"]
    third = do(oak, ActKind.UNTAG, [one, two])
    assert tagged(campaign) == ["item-3"]
    assert undo_act(act=third, by=oak) == Undone(2)
    # what has lost the tag meanwhile is as it was before
    do(oak, ActKind.UNTAG, [two])
    assert undo_act(act=second, by=oak) == Undone(1, kept=1)
    assert tagged(campaign) == ["item-1"]
    assert undo_act(act=first, by=oak) == Undone(1)
    assert not Tag.objects.exists()
    with pytest.raises(ActUndone):
        undo_act(act=first, by=oak)


def test_act_is_done_once_and_only_as_it_was_looked_at(campaign: Campaign, oak: Membership) -> None:
    items = pks(campaign, 1, 2)
    seen = preview(member=oak, kind=ActKind.TAG, items=items, options=TAG)
    same = {"member": oak, "kind": ActKind.TAG, "items": items, "options": TAG}
    done = do_act(**same, idempotency_key="k", looked_at=seen.digest)  # type: ignore[arg-type]  # by name
    again = do_act(**same, idempotency_key="k", looked_at=seen.digest)  # type: ignore[arg-type]  # by name
    assert (done.is_replay, again.is_replay, again.act) == (False, True, done.act)
    with pytest.raises(ActKeyReused):
        do(oak, ActKind.TAG, items, Options(tag="other"), key="k")
    with pytest.raises(NothingToDo):
        do(oak, ActKind.TAG, items)
    with pytest.raises(PlanChanged):
        do_act(**same, idempotency_key="l", looked_at=seen.digest)  # type: ignore[arg-type]  # by name
    assert BulkAct.objects.count() == 1


@pytest.mark.parametrize(
    ("seen", "done"),
    [
        ((ActKind.MORE, Options(more=1)), (ActKind.MORE, Options(more=2))),
        ((ActKind.SEND, Options()), (ActKind.DISMISS, Options())),
    ],
)
def test_another_act_than_that_which_was_looked_at_is_not_done(
    campaign: Campaign,
    oak: Membership,
    seen: tuple[ActKind, Options],
    done: tuple[ActKind, Options],
) -> None:
    items = pks(campaign, 1)
    plan = preview(member=oak, kind=seen[0], items=items, options=seen[1])
    with pytest.raises(PlanChanged):
        do_act(
            member=oak,
            kind=done[0],
            items=items,
            options=done[1],
            idempotency_key="k",
            looked_at=plan.digest,
        )


def test_act_and_its_undoing_are_in_the_audit_log(campaign: Campaign, oak: Membership) -> None:
    act = do(oak, ActKind.TAG, pks(campaign, 1, 2))
    undo_act(act=act, by=oak)
    told = AuditEntry.objects.filter(subject_kind="act").order_by("sequence")
    assert [(one.action, one.actor, one.subject) for one in told] == [
        ("items.acted", "oak", str(act.pk)),
        ("items.act-undone", "oak", str(act.pk)),
    ]


def test_items_of_other_campaigns_are_left_alone(
    campaign: Campaign, oak: Membership, make_campaign: MakeCampaign
) -> None:
    other = make_campaign(items=1)
    stranger = Item.objects.get(campaign=other)
    plan = preview(
        member=oak, kind=ActKind.TAG, items=[stranger.pk, *pks(campaign, 2)], options=TAG
    )
    assert (plan.items, plan.left_out) == (tuple(pks(campaign, 2)), {LeftOut.NOT_THERE: 1})


def test_dismissed_item_is_handed_to_nobody_until_it_is_taken_back(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rater = make_member(campaign)
    act = do(oak, ActKind.DISMISS, pks(campaign, 1, 2, 3, 4)[:3])
    assert open_places(campaign) == {"item-4": 2}
    assert [rate_next(rater), rate_next(rater)] == ["item-4", None]
    fit_campaign(campaign=campaign)
    assert open_places(campaign) == {"item-4": 1}
    plan = preview(member=oak, kind=ActKind.DISMISS, items=pks(campaign, 1, 4), options=Options())
    assert (plan.items, plan.left_out) == (
        tuple(pks(campaign, 4)),
        {LeftOut.DISMISSED: 1},
    )
    assert undo_act(act=act, by=oak) == Undone(3)
    assert open_places(campaign) == {"item-1": 2, "item-2": 2, "item-3": 2, "item-4": 1}
    places = Slot.objects.filter(campaign=campaign).values_list("order_key", flat=True)
    assert None not in places


def test_taking_a_dismissal_back_can_be_undone(campaign: Campaign, oak: Membership) -> None:
    do(oak, ActKind.DISMISS, pks(campaign, 1))
    act = do(oak, ActKind.TAKE_BACK, pks(campaign, 1, 2))
    assert (items_of_act(act), act.left_out) == (pks(campaign, 1), {"not-dismissed": 1})
    assert undo_act(act=act, by=oak) == Undone(1)
    assert open_places(campaign) == {"item-2": 2, "item-3": 2, "item-4": 2}


def test_undoing_leaves_what_later_acts_have_done_again(
    campaign: Campaign, oak: Membership
) -> None:
    item = pks(campaign, 1)
    dismissed, tag = do(oak, ActKind.DISMISS, item), do(oak, ActKind.TAG, item)
    do(oak, ActKind.TAKE_BACK, item)
    do(oak, ActKind.DISMISS, item)
    assert undo_act(act=dismissed, by=oak) == Undone(0, kept=1)
    assert "item-1" not in open_places(campaign)
    untag = do(oak, ActKind.UNTAG, item)
    do(oak, ActKind.TAG, item)
    assert undo_act(act=tag, by=oak) == Undone(0, kept=1)
    assert tagged(campaign) == ["item-1"]
    do(oak, ActKind.UNTAG, item)
    assert undo_act(act=untag, by=oak) == Undone(0, kept=1)
    assert tagged(campaign) == []


def test_undoing_all_acts_in_any_order_leaves_nothing_of_them(
    campaign: Campaign, oak: Membership
) -> None:
    item = pks(campaign, 1)
    for one, other in ((ActKind.DISMISS, ActKind.TAKE_BACK), (ActKind.TAG, ActKind.UNTAG)):
        first, second = do(oak, one, item), do(oak, other, item)
        assert undo_act(act=first, by=oak) == Undone(0, kept=1)
        assert undo_act(act=second, by=oak) == Undone(0, kept=1)
    assert (open_places(campaign)["item-1"], tagged(campaign)) == (2, [])


def test_who_could_see_votes_of_a_dismissed_item_is_not_given_it_again(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    elm = make_member(campaign, "elm", "researcher")
    vote(campaign, 1, "e")
    do(oak, ActKind.DISMISS, pks(campaign, 1))
    assert withheld_from(elm, item_of(campaign, 1)) is None
    do(oak, ActKind.TAKE_BACK, pks(campaign, 1))
    assert {rate_next(elm) for _turn in range(4)} == {"item-2", "item-3", "item-4", None}
    ash = make_member(campaign, "ash")
    assert "item-1" in {rate_next(ash) for _turn in range(4)}


def test_rating_of_who_held_a_dismissed_item_counts(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    claim = claim_item(membership=ash)
    assert claim is not None
    do(oak, ActKind.DISMISS, [claim.item.id])
    before = campaign_progress(campaign)
    assert rate_next(ash) == claim.item.key
    after = campaign_progress(campaign)
    assert (after.done, after.wanted) == (before.done + 1, before.wanted + 1)
    refresh_before_reading(campaign=campaign)
    summary = ItemSummary.objects.get(item=claim.item.id)
    assert (summary.ratings, summary.wanted, summary.state) == (1, 1, "dismissed")


def test_item_is_sent_to_the_adjudicators_whatever_its_votes_are(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    elm = make_member(campaign, "elm", "researcher")
    vote(campaign, 1, "ee")
    vote(campaign, 2, "e")
    vote(campaign, 3, "ee")
    decide(elm, 3)
    act = do(oak, ActKind.SEND, pks(campaign, 1, 2, 3), Options())
    assert act.left_out == {}
    waiting = [
        (item.key, item.reasons, round(item.value, 3))
        for item in Queue(elm, Shelf.WAITING, None, 9)[0:9]
    ]
    assert waiting == [("item-1", (Reason.SENT,), 0.5), ("item-2", (Reason.SENT,), 0.5)]
    decide(elm, 1, reason="So it is.")
    assert undo_act(act=act, by=oak) == Undone(3)
    assert not Queue(elm, Shelf.WAITING, None, 9)[0:9]


def test_dismissed_item_does_not_wait_for_adjudicators(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 1, "en")
    elm = make_member(campaign, "elm", "researcher")
    assert [item.key for item in Queue(elm, Shelf.WAITING, None, 9)[0:9]] == ["item-1"]
    do(oak, ActKind.DISMISS, pks(campaign, 1))
    assert not Queue(elm, Shelf.WAITING, None, 9)[0:9]


def test_dismissed_items_are_counted_as_far_as_they_are_rated(
    campaign: Campaign, oak: Membership
) -> None:
    do(oak, ActKind.DISMISS, pks(campaign, 1, 2, 3))
    vote(campaign, 1, "ee")  # from a file
    assert campaign_progress(campaign) == Progress(2, 4)
    places = places_of(campaign)
    assert (places.items.tolist(), places.open.tolist()) == (pks(campaign, 1, 4), [0, 2])


def test_who_is_shut_out_holds_no_dismissed_item(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    claim = claim_item(membership=ash)
    assert claim is not None
    do(oak, ActKind.DISMISS, [claim.item.id])
    deactivate(member=ash)
    do(oak, ActKind.TAKE_BACK, [claim.item.id])
    assert not Slot.objects.filter(holder__isnull=False).exists()


def test_more_ratings_are_asked_for_and_unused_places_go_again(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 1, "ee")
    do(oak, ActKind.DISMISS, pks(campaign, 3))
    act = do(oak, ActKind.MORE, pks(campaign, 1, 2, 3), Options(more=2))
    assert act.left_out == {"dismissed": 1}
    assert open_places(campaign) == {"item-1": 2, "item-2": 4, "item-4": 2}
    # imports and settings keep to it
    fit_campaign(campaign=campaign)
    assert open_places(campaign) == {"item-1": 2, "item-2": 4, "item-4": 2}
    rater = make_member(campaign)
    taken = {rate_next(rater) for _turn in range(3)}
    assert taken == {"item-1", "item-2", "item-4"}
    assert undo_act(act=act, by=oak) == Undone(1, kept=1)
    assert open_places(campaign) == {"item-2": 1, "item-4": 1}
    plan = preview(member=oak, kind=ActKind.MORE, items=pks(campaign, 2), options=Options(more=99))
    assert plan.left_out == {LeftOut.ENOUGH: 1}


def test_acts_that_ask_for_more_are_undone_in_any_order(
    campaign: Campaign, oak: Membership
) -> None:
    items = pks(campaign, 1)
    for first, second in ((0, 1), (1, 0)):
        acts = [
            do(oak, ActKind.MORE, items, Options(more=more), f"{first}{more}") for more in (1, 3)
        ]
        assert open_places(campaign)["item-1"] == 6
        undo_act(act=acts[first], by=oak)
        assert open_places(campaign)["item-1"] == (5, 3)[first]
        undo_act(act=acts[second], by=oak)
        assert open_places(campaign)["item-1"] == 2
        assert not ItemHandling.objects.filter(more_ratings__gt=0).exists()


def test_act_that_somebody_gets_in_the_way_of_is_tried_again(
    campaign: Campaign, oak: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a rater claims a place that is being taken away, on PostgreSQL."""
    items = pks(campaign, 1, 2)
    acts = [do(oak, ActKind.TAG, items[:1]), do(oak, ActKind.TAG, items[1:])]
    failures = iter([True, False, True, True, True])

    def find(act: BulkAct) -> list[int]:
        if next(failures):
            raise IntegrityError
        return items_of_act(act)

    monkeypatch.setattr("tasks.explorer.workflow.acts.items_of_act", find)
    assert undo_act(act=acts[0], by=oak) == Undone(1)
    with pytest.raises(InTheWay):
        undo_act(act=acts[1], by=oak)
    assert (tagged(campaign), BulkAct.objects.get(undone_at=None)) == (["item-2"], acts[1])


def test_places_that_were_not_taken_go_whichever_were(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    item = pks(campaign, 1)
    act = do(oak, ActKind.MORE, item, Options(more=1))
    Slot.objects.filter(item__in=item, number=3).update(order_key=0)
    assert rate_next(make_member(campaign)) == "item-1"
    assert Slot.objects.get(item__in=item, number=3).is_filled
    assert undo_act(act=act, by=oak) == Undone(1)
    assert open_places(campaign)["item-1"] == 1


def test_asking_for_more_ratings_of_dismissed_items_is_undone(
    campaign: Campaign, oak: Membership
) -> None:
    items = pks(campaign, 1)
    asked = do(oak, ActKind.MORE, items, Options(more=2))
    do(oak, ActKind.DISMISS, items)
    assert undo_act(act=asked, by=oak) == Undone(1)
    do(oak, ActKind.TAKE_BACK, items)
    assert open_places(campaign)["item-1"] == 2


def test_a_key_stands_for_the_items_too(campaign: Campaign, oak: Membership) -> None:
    one, two = pks(campaign, 1, 2)
    first = do(oak, ActKind.TAG, [one], key="k")
    with pytest.raises(ActKeyReused):
        do(oak, ActKind.TAG, [two], key="k")
    assert (do(oak, ActKind.TAG, [one], key="k"), tagged(campaign)) == (first, ["item-1"])
    matching = {"q": "question"}
    do_act(
        member=oak,
        kind=ActKind.TAG,
        items=[two],
        options=TAG,
        idempotency_key="l",
        asked=matching,
    )
    again = do_act(
        member=oak,
        kind=ActKind.TAG,
        items=[],
        options=TAG,
        idempotency_key="l",
        asked=matching,
    )
    assert again.is_replay
