"""Dismissing items: they get no more ratings, and do not wait for adjudicators. What has been said
of them stays and counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.campaigns.workflow.slots import offer_places, withdraw_places
from tasks.explorer.workflow.acts.assigning import give_up_unopened
from tasks.explorer.workflow.acts.plan import (
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    dismissed,
    not_live,
    remove,
    sorted_out,
    those_of,
)
from tasks.models import AuditAction, BulkAct, Campaign, DismissedItem, Membership


def _plan_dismiss(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    return sorted_out(
        items, (LeftOut.NOT_LIVE, not_live(items)), (LeftOut.DISMISSED, dismissed(items))
    )


def _plan_take_back(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    return sorted_out(items, (LeftOut.NOT_DISMISSED, set(items) - dismissed(items)))


def _dismiss(act: BulkAct, plan: Plan, _options: Options) -> Mapping[str, Any]:
    _put_aside(act, act.member, plan.items)
    return {}


def _take_back(act: BulkAct, plan: Plan, _options: Options) -> Mapping[str, Any]:
    _offer_again(act.campaign, plan.items)
    return {}


def _undo_dismiss(act: BulkAct, items: Sequence[int]) -> Undone:
    still = sorted(those_of(DismissedItem.objects.all(), items))
    _offer_again(act.campaign, still)
    return Undone(len(still), len(items) - len(still))


def _undo_take_back(act: BulkAct, items: Sequence[int]) -> Undone:
    again = sorted(set(items) - dismissed(items))
    _put_aside(act, act.undone_by or act.member, again)
    return Undone(len(again), len(items) - len(again))


def _put_aside(act: BulkAct, by: Membership, items: Sequence[int]) -> None:
    rows = [DismissedItem(item_id=item, by=by) for item in items]
    DismissedItem.objects.bulk_create(rows, batch_size=1000)
    give_up_unopened(act.campaign, items)
    withdraw_places(campaign=act.campaign, items=items)


def _offer_again(campaign: Campaign, items: Sequence[int]) -> None:
    remove(DismissedItem, items)
    offer_places(campaign=campaign, items=items)


DISMISS = Act((), AuditAction.ITEMS_DISMISSED, _plan_dismiss, _dismiss, _undo_dismiss)
TAKE_BACK = Act((), AuditAction.ITEMS_TAKEN_BACK, _plan_take_back, _take_back, _undo_take_back)
