"""Acts on many items: what they would do, what they do, what undoing them leaves."""

from collections.abc import Collection
from datetime import datetime

import pytest

from tasks.adjudication.queries.queue import Queue, Reason, Shelf
from tasks.campaigns.workflow.slots import fit_campaign
from tasks.explorer.workflow.acts.acts import (
    ActKeyReused,
    ActUndone,
    NothingToDo,
    PlanChanged,
    do_act,
    items_of_act,
    preview,
    undo_act,
)
from tasks.explorer.workflow.acts.plan import (
    LeftOut,
    Options,
    Undone,
)
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import (
    ActKind,
    Assignment,
    AuditEntry,
    BulkAct,
    Campaign,
    ExpectedAnswer,
    FirstLook,
    Item,
    ItemHandling,
    Membership,
    SeenVotes,
    Slot,
    Tag,
)
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.controls import claim_control
from tasks.rating.workflow.prefetch import claim_following
from tasks.votes.blindness import may_judge_blind
from tasks.votes.workflow.seen_votes import show_votes, skip_item
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
    """How many ratings can still be claimed of each item that has a place."""
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


def test_act_that_is_told_something_else_was_not_looked_at(
    campaign: Campaign, oak: Membership
) -> None:
    items, two = pks(campaign, 1), Options(more=2)
    seen = preview(member=oak, kind=ActKind.MORE, items=items, options=Options(more=1))
    with pytest.raises(PlanChanged):
        do_act(
            member=oak,
            kind=ActKind.MORE,
            items=items,
            options=two,
            idempotency_key="k",
            looked_at=seen.digest,
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


def test_item_is_sent_to_the_adjudicators_whatever_its_votes_are(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    elm = make_member(campaign, "elm", "researcher")
    vote(campaign, 1, "ee")
    vote(campaign, 2, "e")
    vote(campaign, 3, "ee")
    decide(elm, 3)
    act = do(oak, ActKind.SEND, pks(campaign, 1, 2, 3), Options())
    assert act.left_out == {"decided": 1}
    waiting = [
        (item.key, item.reasons, round(item.value, 3))
        for item in Queue(elm, Shelf.WAITING, None, 9)[0:9]
    ]
    assert waiting == [("item-1", (Reason.SENT,), 0.5), ("item-2", (Reason.SENT,), 0.5)]
    decide(elm, 1, reason="So it is.")
    assert undo_act(act=act, by=oak) == Undone(1, kept=1)
    assert not Queue(elm, Shelf.WAITING, None, 9)[0:9]


def test_dismissed_item_does_not_wait_for_adjudicators(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    vote(campaign, 1, "en")
    elm = make_member(campaign, "elm", "researcher")
    assert [item.key for item in Queue(elm, Shelf.WAITING, None, 9)[0:9]] == ["item-1"]
    do(oak, ActKind.DISMISS, pks(campaign, 1))
    assert not Queue(elm, Shelf.WAITING, None, 9)[0:9]


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


def test_assigned_items_come_first_and_to_nobody_else(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash, fir = make_member(campaign, "ash"), make_member(campaign, "fir")
    options = Options(raters=(ash.pseudonym, fir.pseudonym), days=7)
    act = do(oak, ActKind.ASSIGN, pks(campaign, 3, 4), options)
    assert len(act.result["assignments"]) == 4
    other = make_member(campaign, "yew")
    assert {rate_next(other) for _turn in range(4)} == {"item-1", "item-2", None}
    assert [rate_next(ash), rate_next(fir)] == ["item-3", "item-3"]
    claim = claim_item(membership=ash)
    assert claim is not None
    assert claim.item.key == "item-4"
    assert undo_act(act=act, by=oak) == Undone(0, kept=2)
    # what ash has begun is still theirs; the place held for fir is free again
    assert {rate_next(other) for _turn in range(2)} == {"item-4", None}
    assert rate_next(ash) == "item-4"


def test_items_are_divided_among_people_who_have_not_had_them(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash, fir = make_member(campaign, "ash"), make_member(campaign, "fir")
    first = claim_item(membership=ash)
    assert first is not None
    skip_item(assignment=ash.assignments.get(), reason="unclear")
    options = Options(raters=(ash.pseudonym, fir.pseudonym), is_divided=True, days=7)
    plan = preview(
        member=oak, kind=ActKind.ASSIGN, items=pks(campaign, 1, 2, 3, 4), options=options
    )
    given = {rater: [item for item, to in plan.places if to == rater] for rater in (ash.pk, fir.pk)}
    assert (len(given[ash.pk]), len(given[fir.pk])) == (2, 2)
    assert first.item.id in given[fir.pk]
    act = do(oak, ActKind.ASSIGN, pks(campaign, 1, 2, 3, 4), options)
    assert undo_act(act=act, by=oak) == Undone(4)
    plan = preview(
        member=oak,
        kind=ActKind.ASSIGN,
        items=[first.item.id],
        options=Options(raters=(ash.pseudonym,)),
    )
    assert (plan.items, plan.left_out) == ((), {LeftOut.TAKEN_UP: 1})


def test_who_may_have_seen_votes_is_assigned_nothing(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    to_ash = Options(raters=(ash.pseudonym,))
    items = pks(campaign, 1)
    assert preview(member=oak, kind=ActKind.ASSIGN, items=items, options=to_ash).items
    Membership.objects.filter(pk=ash.pk).update(has_been_more=True)
    assert not preview(member=oak, kind=ActKind.ASSIGN, items=items, options=to_ash).items


def test_item_without_a_place_is_not_assigned(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    vote(campaign, 1, "ee")
    plan = preview(
        member=oak,
        kind=ActKind.ASSIGN,
        items=pks(campaign, 1, 2),
        options=Options(raters=(ash.pseudonym,)),
    )
    assert (plan.items, plan.left_out) == (tuple(pks(campaign, 2)), {LeftOut.NO_PLACE: 1})


def test_controls_are_copies_of_items_whose_answer_is_known(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    elm = make_member(campaign, "elm", "researcher")
    vote(campaign, 1, "ee")
    vote(campaign, 2, "en")
    vote(campaign, 3, "en")
    vote(campaign, 4, "e")
    decide(elm, 3, reason="So it is.")
    act = do(oak, ActKind.CONTROL, pks(campaign, 1, 2, 3, 4), Options())
    assert act.left_out == {"split": 1, "unfinished": 1}
    expected = ExpectedAnswer.objects.filter(item__purpose="control").order_by("pk")
    assert [(one.item.key, one.outcome.label, one.explanation) for one in expected] == [
        ("item-1~control", "equivalent", "All 2 raters said so."),
        ("item-3~control", "equivalent", "So it is."),
    ]
    assert Item.objects.get(key="item-1").purpose == "live"
    plan = preview(member=oak, kind=ActKind.CONTROL, items=pks(campaign, 1), options=Options())
    assert plan.left_out == {LeftOut.IS_COPIED: 1}
    assert undo_act(act=act, by=oak) == Undone(2)
    assert not Item.objects.filter(purpose="control").exists()


def test_nobody_judges_an_item_blind_whose_control_copy_tells_the_answer(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    blind = make_campaign(items=2)
    oak, elm = make_member(blind, "oak", "admin"), make_member(blind, "elm", "researcher")
    vote(blind, 1, "ee")
    vote(blind, 2, "ee")
    one, two = item_of(blind, 1), item_of(blind, 2)
    show_votes(items=[one.pk], member=oak)
    do(oak, ActKind.CONTROL, pks(blind, 1, 2), Options())
    assert [may_judge_blind(item, elm) for item in (one, two)] == [False, True]


def test_rater_never_gets_the_control_copy_of_what_they_have_rated(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    campaign.control_every = 1
    campaign.save()
    ash, fir = make_member(campaign, "ash"), make_member(campaign, "fir")
    for rater in (ash, fir):
        while rate_next(rater):
            pass
    do(oak, ActKind.CONTROL, pks(campaign, 1), Options())
    new = make_member(campaign, "yew")
    do(oak, ActKind.MORE, pks(campaign, 2, 3), Options(more=1))
    rate_next(new)
    assert [claim_control(membership=one) is None for one in (ash, fir, new)] == [True, True, False]
    used = BulkAct.objects.get(kind="make-controls")
    assert undo_act(act=used, by=oak) == Undone(0, kept=1)


def test_nobody_learns_votes_by_trying_to_make_controls(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    blind = make_campaign(items=2)
    admin = make_member(blind, "elm", "admin")
    vote(blind, 1, "ee")
    vote(blind, 2, "en")
    plan = preview(member=admin, kind=ActKind.CONTROL, items=pks(blind, 1, 2), options=Options())
    assert (plan.items, plan.left_out) == ((), {LeftOut.BLIND: 2})


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


def test_asking_for_more_ratings_of_dismissed_items_is_undone(
    campaign: Campaign, oak: Membership
) -> None:
    items = pks(campaign, 1)
    asked = do(oak, ActKind.MORE, items, Options(more=2))
    do(oak, ActKind.DISMISS, items)
    assert undo_act(act=asked, by=oak) == Undone(1)
    do(oak, ActKind.TAKE_BACK, items)
    assert open_places(campaign)["item-1"] == 2


def rate_all(campaign: Campaign, make_member: MakeMember) -> None:
    """Two raters rate every item alike."""
    for _ in range(2):
        rater = make_member(campaign)
        while rate_next(rater):
            pass


def test_control_copies_go_with_their_tags_unless_somebody_has_judged_them(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    act = do(oak, ActKind.CONTROL, pks(campaign, 1, 2), Options())
    one, two = act.result["made"]
    refresh_before_reading(campaign=campaign)
    do(oak, ActKind.TAG, [one, two])
    SeenVotes.objects.create(item_id=one, member=oak)
    FirstLook.objects.create(item_id=two, adjudicator=oak, outcome_id=expected_of(two))
    assert undo_act(act=act, by=oak) == Undone(1, kept=1)
    assert list(Item.objects.filter(purpose="control").values_list("pk", flat=True)) == [two]
    assert tagged(campaign) == ["item-2~control"]


def test_control_copies_of_items_with_long_ids_have_ids_of_their_own(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    for number, item in enumerate(Item.objects.filter(campaign=campaign)):
        Item.objects.filter(pk=item.pk).update(key=f"{'a' * 253}-{number}")
    rate_all(campaign, make_member)
    act = do(oak, ActKind.CONTROL, list(campaign.items.values_list("pk", flat=True)), Options())
    assert len({*Item.objects.filter(pk__in=act.result["made"]).values_list("key")}) == 4
    plan = preview(member=oak, kind=ActKind.CONTROL, items=items_of_act(act), options=Options())
    assert plan.left_out == {LeftOut.IS_COPIED: 4}


def expected_of(item: int) -> str:
    return ExpectedAnswer.objects.get(item=item).outcome_id


def test_nobody_is_given_an_item_whose_control_copy_they_have_had(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    items = pks(campaign, 1)
    copy = do(oak, ActKind.CONTROL, items, Options()).result["made"]
    plan = preview(member=oak, kind=ActKind.MORE, items=items, options=Options(more=1))
    assert (plan.items, plan.left_out) == ((), {LeftOut.IS_COPIED: 1})
    campaign.control_every, campaign.overlap = 1, 4
    campaign.save()
    there = Slot.objects.filter(item__in=items).count()
    fit_campaign(campaign=campaign)
    assert Slot.objects.filter(item__in=items).count() == there
    Slot.objects.create(campaign=campaign, item_id=items[0], number=4, order_key=1)
    ash, fir = make_member(campaign, "ash"), make_member(campaign, "fir")
    slot = Slot.objects.create(campaign=campaign, item_id=copy[0], number=1000)
    Assignment.objects.create(item_id=copy[0], rater=ash, slot=slot)
    both = Options(raters=(ash.pseudonym, fir.pseudonym))
    plan = preview(member=oak, kind=ActKind.ASSIGN, items=items, options=both)
    assert plan.places == ((items[0], fir.pk),)


def test_what_is_dismissed_is_held_for_nobody_who_has_not_opened_it(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    to_ash = Options(raters=(ash.pseudonym,))
    assigned = do(oak, ActKind.ASSIGN, pks(campaign, 1, 2, 3), to_ash)
    opened = claim_item(membership=ash)
    assert opened is not None
    assert opened.item.key == "item-1"
    dismissal = do(oak, ActKind.DISMISS, pks(campaign, 1, 2))
    assert [rate_next(ash), rate_next(ash)] == ["item-1", "item-3"]
    # the other places of both, and the one that was held
    undo_act(act=dismissal, by=oak)
    assert open_places(campaign) == {"item-1": 1, "item-2": 2, "item-3": 1, "item-4": 2}
    assert undo_act(act=assigned, by=oak) == Undone(1, kept=2)


def test_who_is_assigned_items_gets_control_items_between_them(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    rate_all(campaign, make_member)
    do(oak, ActKind.CONTROL, pks(campaign, 1), Options())
    campaign.control_every = 1
    campaign.save()
    ash, rest = make_member(campaign, "ash"), pks(campaign, 2, 3, 4)
    do(oak, ActKind.MORE, rest, Options(more=1))
    do(oak, ActKind.ASSIGN, rest, Options(raters=(ash.pseudonym,)))
    keys = [rate_next(ash) for _ in range(4)]
    assert keys == ["item-2", "item-1~control", "item-3", "item-4"]


def test_an_assigned_item_that_a_page_has_read_ahead_stays_assigned(
    campaign: Campaign, oak: Membership, make_member: MakeMember
) -> None:
    ash = make_member(campaign, "ash")
    act = do(oak, ActKind.ASSIGN, pks(campaign, 2, 3), Options(raters=(ash.pseudonym,)))
    claim = claim_item(membership=ash)
    assert claim is not None
    following = claim_following(assignment=Assignment.objects.get(pk=claim.assignment_id))
    assert following is not None
    held = Slot.objects.get(holder=following.assignment_id)
    assert (held.item.key, held.expires_at) == (
        "item-3",
        datetime.fromisoformat(act.result["until"]),
    )


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
