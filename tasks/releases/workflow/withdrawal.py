"""Handing out a release, and withdrawing it: then its files are not given out any more."""

from django.db import IntegrityError, transaction

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import AuditAction, EventKind, Membership, Release, Withdrawal
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal
from tasks.storing.storable import storable

MAX_REASON = 2000


class WithdrawalRefused(Refusal, ValueError):
    """The release cannot be withdrawn; the message says why."""


@transaction.atomic
def note_download(*, release: Release, by: Membership) -> None:
    """Record that the member takes the whole release."""
    subject = ("release", release.version)
    record(AuditAction.RELEASE_DOWNLOADED, campaign=release.campaign, subject=subject, by=by)


def withdraw_release(*, release: Release, reason: str, by: Membership | None = None) -> Withdrawal:
    """Withdraw the release for good; `by` is None for operators at the command line.

    Its folder stays as it is. Raises WithdrawalRefused without a reason, with one longer than
    MAX_REASON characters, and if the release was withdrawn before.
    """
    reason = storable(reason).strip()
    if not reason:
        raise WithdrawalRefused("give a reason for the withdrawal")
    if len(reason) > MAX_REASON:
        raise WithdrawalRefused(f"the reason has {len(reason)} characters, over {MAX_REASON}")
    withdrawal = Withdrawal(
        release=release,
        reason=reason,
        withdrawn_by=by.user if by else None,
        role=by.role if by else "",
    )
    try:
        with transaction.atomic():
            withdrawal.save(force_insert=True)
            what = {"version": release.version, "digest": release.digest}
            note_events(release.campaign_id, NewEvent(EventKind.RELEASE_WITHDRAWN, what))
            record(
                AuditAction.RELEASE_WITHDRAWN,
                campaign=release.campaign,
                subject=("release", release.version),
                details={"reason": reason},
                by=by,
            )
    except IntegrityError:
        raise WithdrawalRefused(f"{release} was withdrawn before") from None
    withdrawal.refresh_from_db()
    return withdrawal
