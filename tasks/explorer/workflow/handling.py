"""Items dismissed, sent to the adjudicators, rated more often, tagged, or a rater's set aside."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.db.models import Count, F

from tasks.campaigns.workflow.slots import copied_items, fit_items, offer_places, withdraw_places
from tasks.explorer.workflow.plan import (
    DISMISSING,
    TAGGING,
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    dismissed,
    not_live,
    sorted_out,
    standing,
    those_of,
)
from tasks.models import (
    BulkAct,
    Campaign,
    Item,
    ItemHandling,
    ItemPurpose,
    ItemTag,
    Membership,
    SetAside,
    Slot,
    Tag,
)
from tasks.storing.database import batches
from tasks.votes.blindness import votes_are_open_to
from tasks.votes.ratings import items_rated_since, ratings_to_set_aside
from tasks.votes.workflow import SetAsideUndone, set_aside_once, undo_set_aside_once

MOST_RATINGS = 100
"""Of an item, as of a campaign's overlap."""


def _plan_dismissal(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    calibrates = those_of(Item.objects.filter(purpose=ItemPurpose.CALIBRATION), items, "pk")
    return sorted_out(items, (LeftOut.NOT_LIVE, calibrates), (LeftOut.DISMISSED, dismissed(items)))


def _plan_taking_back(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    return sorted_out(items, (LeftOut.NOT_DISMISSED, set(items) - dismissed(items)))


def _dismiss(act: BulkAct, plan: Plan, _options: Options) -> None:
    _set_dismissed(act, plan.items, is_on=True)


def _take_back(act: BulkAct, plan: Plan, _options: Options) -> None:
    _set_dismissed(act, plan.items, is_on=False)


def _undo_dismissing(act: BulkAct, items: Sequence[int]) -> Undone:
    wanted = standing(act.campaign, items, DISMISSING)
    return _undo_switch(act, items, wanted, dismissed(items), _set_dismissed)


def _undo_switch(
    act: BulkAct, items: Sequence[int], wanted: set[int], are: set[int], switch: Callable[..., None]
) -> Undone:
    """Switch the items to what the acts that are left `wanted`."""
    switch(act, sorted(wanted - are), is_on=True)
    switch(act, sorted(are - wanted), is_on=False)
    changed = len(wanted ^ are)
    return Undone(changed, len(items) - changed)


def _set_dismissed(act: BulkAct, items: Sequence[int], *, is_on: bool) -> None:
    handle(items, is_dismissed=is_on)
    change_places = withdraw_places if is_on else offer_places
    change_places(campaign=act.campaign, items=items)
    fit_items(campaign=act.campaign, items=_sources(items))


def _sources(items: Sequence[int]) -> list[int]:
    """Of control items: the items they were made of, which get no ratings while they are used."""
    sources: list[int] = []
    for batch in batches(items):
        copies = Item.objects.filter(pk__in=batch, copied_from__isnull=False)
        sources += [source for source in copies.values_list("copied_from_id", flat=True) if source]
    return sources


def _plan_sending(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    return sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.SENT, those_of(ItemHandling.objects.filter(is_sent=True), items)),
    )


def _send(_act: BulkAct, plan: Plan, _options: Options) -> None:
    handle(plan.items, is_sent=True)


def _undo_sending(_act: BulkAct, items: Sequence[int]) -> Undone:
    """Whether they were decided meanwhile is not told: somebody may still have to judge them."""
    handle(items, is_sent=False)
    return Undone(len(items))


def _plan_more(_member: Membership, items: Sequence[int], options: Options) -> Plan:
    places = _places(items)
    full = {item for item in items if places.get(item, 0) + options.more > MOST_RATINGS}
    return sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.IS_COPIED, those_of(copied_items(), items, "pk")),
        (LeftOut.ENOUGH, full),
    )


def _ask_for_more(act: BulkAct, plan: Plan, options: Options) -> None:
    handle(plan.items, more_ratings=F("more_ratings") + options.more)
    fit_items(campaign=act.campaign, items=plan.items)


def _undo_more(act: BulkAct, items: Sequence[int]) -> Undone:
    """Places that have been taken meanwhile stay, and so does what other acts have asked for."""
    more, full = act.options["more"], _places(items)
    handle(items, more_ratings=F("more_ratings") - more)
    fit_items(campaign=act.campaign, items=items)
    left = _places(items)
    taken = {item for item in items if full.get(item, 0) - left.get(item, 0) < more}
    taken -= dismissed(items)  # their places go when they are offered again
    return Undone(len(items) - len(taken), len(taken))


def _places(items: Sequence[int]) -> dict[int, int]:
    """The number of ratings that are wanted of each item now."""
    found: dict[int, int] = {}
    for batch in batches(items):
        slots = Slot.objects.filter(item__in=batch, order_key__isnull=False)
        found |= dict(slots.values_list("item").annotate(places=Count("pk")).order_by())
    return found


def handle(items: Sequence[int], **changes: Any) -> None:
    for batch in batches(items):
        rows = [ItemHandling(item_id=item) for item in batch]
        ItemHandling.objects.bulk_create(rows, ignore_conflicts=True)
        ItemHandling.objects.filter(item__in=batch).update(**changes)


DISMISS = Act((), _plan_dismissal, _dismiss, _undo_dismissing)
TAKE_BACK = Act((), _plan_taking_back, _take_back, _undo_dismissing)
SEND = Act((), _plan_sending, _send, _undo_sending)
MORE = Act(("more",), _plan_more, _ask_for_more, _undo_more)


def _plan_setting_aside(member: Membership, items: Sequence[int], options: Options) -> Plan:
    """The raters of an item are withheld as the votes are."""
    rated = those_of(ratings_to_set_aside(_rater(member.campaign, options)), items)
    withheld = set(items) - those_of(
        Item.objects.filter(votes_are_open_to(member, "pk")), items, "pk"
    )
    plan = sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.BLIND, withheld),
        (LeftOut.NOT_RATED, set(items) - rated),
    )
    return replace(plan, withheld=tuple(sorted(withheld)))


def _set_aside(act: BulkAct, plan: Plan, options: Options) -> None:
    rater = _rater(act.campaign, options)
    done = set_aside_once(rater=rater, by=act.member, reason=options.reason, items=plan.items)
    act.result["set_aside"] = done.pk
    act.save(update_fields=["result"])


def _undo_setting_aside(act: BulkAct, items: Sequence[int]) -> Undone:
    """The ratings count again, also where others have rated the items since."""
    done = SetAside.objects.get(pk=act.result["set_aside"])
    kept = items_rated_since(done)
    assert act.undone_by is not None  # noqa: S101 - who undoes it is noted first
    with suppress(SetAsideUndone):  # from the list of what is set aside
        undo_set_aside_once(act=done, by=act.undone_by)
    return Undone(len(items) - kept, kept)


def _rater(campaign: Campaign, options: Options) -> Membership:
    return Membership.objects.get(campaign=campaign, pseudonym=options.rater)


SET_ASIDE = Act(("rater", "reason"), _plan_setting_aside, _set_aside, _undo_setting_aside)


def _plan_tag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    return sorted_out(items, (LeftOut.HAS_TAG, _tagged(member.campaign, items, options.tag)))


def _plan_untag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    tagged = _tagged(member.campaign, items, options.tag)
    return sorted_out(items, (LeftOut.LACKS_TAG, set(items) - tagged))


def _tagged(campaign: Campaign, items: Sequence[int], name: str) -> set[int]:
    return those_of(ItemTag.objects.filter(tag__campaign=campaign, tag__name=name), items)


def _tag(act: BulkAct, plan: Plan, _options: Options) -> None:
    _set_tagged(act, plan.items, is_on=True)


def _untag(act: BulkAct, plan: Plan, _options: Options) -> None:
    _set_tagged(act, plan.items, is_on=False)


def _undo_tagging(act: BulkAct, items: Sequence[int]) -> Undone:
    tag = act.options["tag"]
    wanted = standing(act.campaign, items, TAGGING, tag=tag)
    return _undo_switch(act, items, wanted, _tagged(act.campaign, items, tag), _set_tagged)


def _set_tagged(act: BulkAct, items: Sequence[int], *, is_on: bool) -> None:
    """A tag goes with the last item that has it."""
    named = {"campaign": act.campaign, "name": act.options["tag"]}
    if is_on and items:
        tag, _is_new = Tag.objects.get_or_create(**named)
        rows = [ItemTag(tag=tag, item_id=item) for item in items]
        ItemTag.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)
    elif not is_on:
        tags = Tag.objects.filter(**named)
        for batch in batches(items):
            ItemTag.objects.filter(item__in=batch, tag__in=tags).delete()
        tags.filter(item_tags=None).delete()


TAG = Act(("tag",), _plan_tag, _tag, _undo_tagging)
UNTAG = Act(("tag",), _plan_untag, _untag, _undo_tagging)
