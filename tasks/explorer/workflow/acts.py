"""Doing an act to many items, once, and undoing it: the one way by which each of them is done."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from tasks.explorer.workflow.assigning import ASSIGN
from tasks.explorer.workflow.handling import DISMISS, MORE, SEND, SET_ASIDE, TAG, TAKE_BACK, UNTAG
from tasks.explorer.workflow.making_controls import CONTROL
from tasks.explorer.workflow.plan import Act, LeftOut, Options, Plan, Undone, told_to_all
from tasks.models import ActedItem, ActKind, AuditAction, BulkAct, Item, Membership
from tasks.storing.acts import record
from tasks.storing.database import batches
from tasks.storing.plan import count_change
from tasks.storing.refusals import Refusal, again_if_in_the_way

MOST_ITEMS: Final = 5_000
"""Items of one act: it is done while somebody waits."""

ACTS: Final[Mapping[ActKind, Act]] = {
    ActKind.TAG: TAG,
    ActKind.UNTAG: UNTAG,
    ActKind.SEND: SEND,
    ActKind.MORE: MORE,
    ActKind.ASSIGN: ASSIGN,
    ActKind.CONTROL: CONTROL,
    ActKind.SET_ASIDE: SET_ASIDE,
    ActKind.DISMISS: DISMISS,
    ActKind.TAKE_BACK: TAKE_BACK,
}


class NothingToDo(Refusal):
    """The act would change none of the items."""


class PlanChanged(Refusal):
    """The act would do something else by now than what was looked at before."""


class ActKeyReused(Refusal):
    """The key was used for another act."""


class ActUndone(Refusal):
    """The act has been undone before."""


@dataclass(frozen=True, slots=True)
class Done:
    """A stored act; `is_replay` when this very act had been done before."""

    act: BulkAct
    is_replay: bool


@transaction.atomic
def preview(*, member: Membership, kind: ActKind, items: Collection[int], options: Options) -> Plan:
    """The plan of the act for these items of the campaign, as of now."""
    return _planned(member, kind, items, options)


def do_act(
    *,
    member: Membership,
    kind: ActKind,
    items: Collection[int],
    options: Options,
    idempotency_key: str,
    looked_at: str = "",
    asked: object = None,
) -> Done:
    """Do it, and keep what undoing it needs. `looked_at` is the digest of the plan that was seen,
    `asked` how the items were named, where that is not by their ids: as JSON has it.

    Raises PlanChanged if the act would do something else by now, NothingToDo, ActKeyReused and
    InTheWay.
    """
    return again_if_in_the_way(
        lambda: _do(member, kind, items, options, idempotency_key, looked_at, asked)
    )


@transaction.atomic
def _do(
    member: Membership,
    kind: ActKind,
    items: Collection[int],
    options: Options,
    idempotency_key: str,
    looked_at: str,
    asked: object,
) -> Done:
    Membership.objects.select_for_update(no_key=True).get(pk=member.pk)
    told = options.as_json(*ACTS[kind].options)
    text = json.dumps(sorted(set(items)) if asked is None else asked, sort_keys=True)
    chosen = hashlib.sha256(text.encode()).hexdigest()
    earlier = BulkAct.objects.filter(member=member, idempotency_key=idempotency_key).first()
    if earlier:
        is_same = (earlier.kind, earlier.options) == (str(kind), told)
        if not is_same or earlier.result.get("asked", chosen) != chosen:
            raise ActKeyReused("this idempotency key was used for another act")
        return Done(earlier, is_replay=True)
    count_change(member.campaign)
    plan = _planned(member, kind, items, options)
    if looked_at and looked_at != plan.digest:
        raise PlanChanged("the items or options have changed since the preview: look at it again")
    if not plan.items:
        raise NothingToDo("the act would change none of these items")
    stored = BulkAct.objects.create(
        campaign=member.campaign,
        member=member,
        kind=kind,
        options=told,
        left_out=told_to_all(plan.left_out),
        result={"asked": chosen},
        idempotency_key=idempotency_key,
    )
    missed = ACTS[kind].do(stored, plan, options) or ()
    if len(missed) == len(plan.items):
        raise NothingToDo("somebody else is working on all of these items; try again")
    rows = [ActedItem(act=stored, item_id=item) for item in plan.items if item not in missed]
    ActedItem.objects.bulk_create(rows, batch_size=1000)
    if missed:
        stored.left_out[LeftOut.NO_PLACE] = stored.left_out.get(LeftOut.NO_PLACE, 0) + len(missed)
        stored.save(update_fields=["left_out"])
    numbers = {"items": len(rows), "left_out": sum(stored.left_out.values())}
    details = {"act": str(kind), **numbers, **told}
    record(
        AuditAction.ITEMS_ACTED,
        campaign=member.campaign,
        subject=("act", stored.pk),
        details=details,
        by=member,
    )
    return Done(stored, is_replay=False)


def undo_act(*, act: BulkAct, by: Membership) -> Undone:
    """Undo it, as far as nobody has worked on it since. Raises ActUndone if it is undone, and
    InTheWay."""
    return again_if_in_the_way(lambda: _undo(act, by))


@transaction.atomic
def _undo(act: BulkAct, by: Membership) -> Undone:
    changed = BulkAct.objects.filter(pk=act.pk, undone_at=None).update(
        undone_at=Now(), undone_by=by
    )
    if not changed:
        raise ActUndone("this act has already been undone")
    act.refresh_from_db()
    count_change(by.campaign)
    undone = ACTS[ActKind(act.kind)].undo(act, items_of_act(act))
    act.result = {**act.result, "undone": undone.items, "kept": undone.kept}
    act.save(update_fields=["result"])
    details = {"act": act.kind, "items": undone.items, "kept": undone.kept}
    record(
        AuditAction.ITEMS_ACT_UNDONE,
        campaign=by.campaign,
        subject=("act", act.pk),
        details=details,
        by=by,
    )
    return undone


def items_of_act(act: BulkAct) -> list[int]:
    acted: QuerySet[ActedItem, int] = ActedItem.objects.filter(act=act).values_list(
        "item", flat=True
    )
    return list(acted.order_by("item"))


def _planned(member: Membership, kind: ActKind, items: Collection[int], options: Options) -> Plan:
    there = _in_campaign(member, items)
    plan = ACTS[kind].plan(member, there, options)
    left = {LeftOut.NOT_THERE: len(set(items)) - len(there), **plan.left_out}
    told = {"act": str(kind), **options.as_json(*ACTS[kind].options)}
    return replace(plan, left_out={why: n for why, n in left.items() if n}, told=told)


def _in_campaign(member: Membership, items: Collection[int]) -> Sequence[int]:
    """Those that are there, in their order; at most MOST_ITEMS are looked at."""
    found: set[int] = set()
    for batch in batches(sorted(set(items))[:MOST_ITEMS]):
        there = Item.objects.filter(campaign=member.campaign, pk__in=batch)
        found.update(there.values_list("pk", flat=True))
    return sorted(found)
