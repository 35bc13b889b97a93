"""The site with its guard removed: slots are looked at, then filled, as other tools do it.

Only for the test that shows that the race test notices.
"""

from annotation_site.wsgi import application
from tasks.models import Assignment, AssignmentState, Membership, Rating, Slot
from tasks.rating.api import rating as calls
from tasks.rating.workflow import rating as submitting
from tasks.rating.workflow.assignment import Claim
from tasks.votes.items import item_to_rate

__all__ = ["application"]


def claim_by_looking(*, membership: Membership) -> Claim | None:
    slot = (
        Slot.objects.filter(campaign=membership.campaign, is_filled=False)
        .exclude(item__assignments__rater=membership)
        .order_by("order_key", "number")
        .first()
    )
    if slot is None:
        return None
    made = Assignment.objects.create(item=slot.item, rater=membership, slot=slot)
    return Claim(made.pk, made.claimed_at, item_to_rate(made.pk))


def store_after_looking(rating: Rating, _state: str) -> None:
    assignment = Assignment.objects.select_related("slot").get(pk=rating.assignment_id or 0)
    slot = rating.slot = assignment.slot
    rating.save(force_insert=True)
    slot.is_filled = True
    slot.save()
    assignment.state = AssignmentState.SUBMITTED
    assignment.save()


for module, name, naive in [
    (calls, "claim_item", claim_by_looking),
    (submitting, "_store_at_once", lambda *_: False),
    (submitting, "_store", store_after_looking),
]:
    setattr(module, name, naive)
