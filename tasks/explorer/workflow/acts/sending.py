"""Sending items to the adjudicators, whatever their votes are."""

from collections.abc import Mapping, Sequence
from typing import Any

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
from tasks.models import (
    Adjudication,
    AdjudicationRequest,
    AuditAction,
    BulkAct,
    Membership,
)


def _plan(_member: Membership, items: Sequence[int], _options: Options) -> Plan:
    return sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.DECIDED, those_of(Adjudication.objects.all(), items)),
        (LeftOut.SENT, those_of(AdjudicationRequest.objects.all(), items)),
    )


def _send(act: BulkAct, plan: Plan, _options: Options) -> Mapping[str, Any]:
    rows = [AdjudicationRequest(item_id=item, by=act.member) for item in plan.items]
    AdjudicationRequest.objects.bulk_create(rows, batch_size=1000)
    return {}


def _undo(_act: BulkAct, items: Sequence[int]) -> Undone:
    decided = those_of(Adjudication.objects.all(), items)
    waiting = [item for item in items if item not in decided]
    return Undone(remove(AdjudicationRequest, waiting), len(decided))


SEND = Act((), AuditAction.ITEMS_SENT, _plan, _send, _undo)
