"""Flags: what raters point out to the admins, and how an admin settles it."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.models import Assignment, AuditAction, Flag, Membership
from tasks.storing.acts import record
from tasks.talk.workflow.messages import note_flag, note_settlement


@transaction.atomic
def raise_flag(*, assignment: Assignment, reason: str) -> Flag:
    """The rater's open flag on the item, with this reason from now on.

    A rater has at most one open flag on an item: flagging again changes its reason, and after it
    is settled opens another. Each reason is a message to the admins. Raises TooManyMessages.
    """
    flag, _created = Flag.objects.update_or_create(
        item_id=assignment.item_id,
        rater_id=assignment.rater_id,
        settled_at=None,
        defaults={"reason": reason},
    )
    note_flag(flag=flag)
    return flag


@transaction.atomic
def settle_flag(*, flag: Flag, by: Membership, settlement: str, is_decision: bool = False) -> bool:
    """Settle a flag for good; false if that has been done before, and then nothing changes.

    Its rater is told the words, except those of a decision, which may say how others have rated.
    """
    changed = Flag.objects.filter(pk=flag.pk, settled_at=None).update(
        settled_at=Now(), settled_by=by, settlement=settlement
    )
    if changed:
        note_settlement(flag=flag, by=by, text="" if is_decision else settlement)
        record(
            AuditAction.FLAG_SETTLED, campaign=by.campaign, subject=("item", flag.item.key), by=by
        )
    return bool(changed)
