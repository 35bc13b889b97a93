"""How many items a member could still be handed, told so that it gives no control item away.

The number falls by one with every item that they rate or skip, whatever its purpose: live items
with a place for them and control items they have not had are counted together, and one that they
hold until they are done with it. So two looks, before and after an item, say nothing of it. Others
take places meanwhile, and some control items are never handed out. The number is a bound therefore,
and a multiple of ten, so that its last value does not say how many control items there were.
"""

from django.db.models import OuterRef, Q, QuerySet

from tasks.models import Assignment, AssignmentState, Item, ItemPurpose, Membership, Role
from tasks.rating.workflow.assignment import claimable_slots
from tasks.rating.workflow.controls import controls_of, is_control_next
from tasks.storing.lookups import there_is
from tasks.votes.progress import quota_of

MOST = 1000
_STEP = 10
_IS_HELD = Q(state=AssignmentState.ACTIVE)


def items_left(member: Membership) -> int | None:
    """At most so many items are left for the member; None for more than MOST.

    0 if a claim would hand out nothing, pauses and admission aside.
    """
    own = Assignment.objects.filter(rater=member)
    checks = member.campaign.control_every > 0 and member.role == Role.RATER
    live = _live_items(member)[: MOST + 1].count()
    has_next = live or own.filter(_IS_HELD).exists() or (checks and is_control_next(member))
    if not has_next:
        return 0
    controls = controls_of(member.campaign).exclude(pk__in=own.filter(~_IS_HELD).values("item"))
    left = max(1, live + (controls.count() if checks else 0))
    bound = None if left > MOST else -(-left // _STEP) * _STEP
    quota = quota_of(member)
    if quota is None:
        return bound
    by_quota = max(0, quota - own.filter(state=AssignmentState.SUBMITTED).count())
    return by_quota if bound is None else min(bound, by_quota)


def _live_items(member: Membership) -> QuerySet[Item]:
    """Those that the member holds, and those that have a place for them."""
    held = Assignment.objects.filter(_IS_HELD, rater=member, item=OuterRef("pk"))
    places = claimable_slots(member).filter(item=OuterRef("pk"))
    live = Item.objects.filter(campaign=member.campaign_id, purpose=ItemPurpose.LIVE)
    return live.filter(there_is(held) | there_is(places))
