"""Flags: what raters point out to the admins, and how an admin settles it."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.models import Assignment, AuditAction, Flag, Membership
from tasks.storing.acts import record


@transaction.atomic
def raise_flag(*, assignment: Assignment, reason: str) -> Flag:
    """The rater's open flag on the item, with this reason from now on.

    A rater has at most one open flag on an item: flagging again changes its reason, and after it
    is settled opens another.
    """
    flag, _created = Flag.objects.update_or_create(
        item_id=assignment.item_id,
        rater_id=assignment.rater_id,
        settled_at=None,
        defaults={"reason": reason},
    )
    return flag


@transaction.atomic
def settle_flag(*, flag: Flag, by: Membership, settlement: str) -> bool:
    """Settle a flag for good; false if that has been done before, and then nothing changes."""
    changed = Flag.objects.filter(pk=flag.pk, settled_at=None).update(
        settled_at=Now(), settled_by=by, settlement=settlement
    )
    if changed:
        record(
            AuditAction.FLAG_SETTLED, campaign=by.campaign, subject=("item", flag.item.key), by=by
        )
    return bool(changed)
