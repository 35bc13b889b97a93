"""Claiming the item after the one in hand, so that a page can show it without waiting."""

from datetime import timedelta

from django.db import IntegrityError, InternalError, transaction
from django.db.models import DateTimeField as DateTime
from django.db.models import ExpressionWrapper
from django.db.models.functions import Now

from tasks.models import Assignment, AssignmentState, Membership, Slot
from tasks.rating.workflow.assignment import Claim, claim_item, may_know_votes
from tasks.votes.workflow.seen_votes import lock_member

UNUSED_LEASE = timedelta(minutes=5)


def claim_following(*, assignment: Assignment) -> Claim | None:
    """The item its rater will get once this assignment is settled; None if there will be none.

    It is held for five minutes, so that a page that is closed does not keep it from others for
    long; the ordinary claim after the rating renews that. None as well if the assignment is
    settled already, or if the rater claims elsewhere at this very moment. `expires_at` is the end
    of an ordinary lease.

    Raises NotAdmitted, CampaignPaused and RaterPaused.
    """
    try:
        return _claim_as_if_settled(assignment.pk, assignment.rater)
    except (IntegrityError, InternalError):
        # PostgreSQL: a claim of the same rater got there first and has spoilt this transaction
        return None


@transaction.atomic
def _claim_as_if_settled(assignment_id: int, rater: Membership) -> Claim | None:
    """The ordinary claim, while the assignment counts as settled in this transaction alone.

    So order, quotas and everything else are as they will be when the item is really needed, and
    neither the item in hand nor another slot of it can be what comes next.
    """
    if may_know_votes(rater):
        lock_member(rater)  # before the assignment, as who gives items back does
    in_hand = Assignment.objects.filter(pk=assignment_id)
    settled = AssignmentState.SUBMITTED
    if not in_hand.filter(state=AssignmentState.ACTIVE).update(state=settled):
        return None
    claim = claim_item(membership=rater)
    in_hand.update(state=AssignmentState.ACTIVE)
    if claim is not None:
        lease = min(UNUSED_LEASE, timedelta(minutes=rater.campaign.lease_minutes))
        Slot.objects.filter(holder=claim.assignment_id).update(
            expires_at=ExpressionWrapper(Now() + lease, output_field=DateTime())
        )
    return claim
