"""How many items a member could still be handed, told so that it gives no control item away."""

from typing import Any

from django.db.models import Q, QuerySet

from tasks.models import Assignment, AssignmentState, ItemPurpose, Membership, Role, Slot
from tasks.rating.workflow.assignment import claimable_slots
from tasks.rating.workflow.controls import controls_of, is_control_next
from tasks.votes.progress import quota_of

MOST_LEFT = 1000
_STEP = 10
_IS_HELD = Q(state=AssignmentState.ACTIVE)


def items_left(member: Membership) -> int | None:
    """At most so many items are left for the member; None for more than MOST_LEFT.

    0 if a claim would hand out nothing, pauses and admission aside.

    The number gives no control item away: it falls by one with every item that they rate or skip,
    whatever its purpose. Live items with a place for them and control items they have not had are
    counted together, and one that they hold until they are done with it. So two looks, before and
    after an item, say nothing of it. Others take places meanwhile, and some control items are never
    handed out. The number is a bound therefore, and a multiple of ten, so that its last value tells
    hardly how many control items were left over.
    """
    own = Assignment.objects.filter(rater=member)
    held = Slot.objects.filter(holder__in=own.filter(_IS_HELD))
    checks = member.campaign.control_every > 0 and member.role == Role.RATER
    live = held.filter(item__purpose=ItemPurpose.LIVE).count()
    live += _with_places(member).exclude(item__in=held.values("item"))[: MOST_LEFT + 1].count()
    has_next = live or held.exists() or (checks and is_control_next(member))
    if not has_next:
        return 0
    controls = controls_of(member.campaign).exclude(pk__in=own.filter(~_IS_HELD).values("item"))
    left = max(1, live + (controls.count() if checks else 0))
    bound = None if left > MOST_LEFT else -(-left // _STEP) * _STEP
    quota = quota_of(member)
    if quota is None:
        return bound
    by_quota = max(0, quota - own.filter(state=AssignmentState.SUBMITTED).count())
    return by_quota if bound is None else min(bound, by_quota)


def _with_places(member: Membership) -> QuerySet[Slot, Any]:
    """One slot for each item that has a place for the member, the items alone.

    Counted from the slots: asked of each item, SQLite reads all open slots of the campaign for it.
    """
    return claimable_slots(member).order_by().values("item").distinct()
