"""An import of a file: run as a whole, noted for webhooks and kept in the audit log."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar, cast

from tasks.events.workflow.events import note_import
from tasks.intake.workflow.skipped import counts_of
from tasks.models import AuditAction, Campaign
from tasks.storing.acts import record
from tasks.storing.import_run import run_import
from tasks.storing.plan import Plan

_Record = TypeVar("_Record")
_Intake = TypeVar("_Intake")


def import_of(
    kind: str,
    *,
    campaign: Campaign,
    records: Iterable[_Record],
    plan: Callable[[Plan, Iterable[_Record]], _Intake],
    noted: Iterable[str],
    subject: tuple[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> _Intake:
    """What `plan` makes of the records, stored; webhooks are sent the `noted` of its counts.

    `subject` is what the audit log says it was about, the file's kind unless given; `details` is
    what it says beside all counts. Raises what `plan` raises, and ImportRefused; nothing is stored
    then.
    """

    def note(intake: _Intake) -> None:
        counts = {name: getattr(intake, name) for name in noted}
        all_details = counts_of(asdict(cast(Any, intake))) | dict(details or {})
        _note(campaign, kind, counts, subject or ("file", kind), all_details)

    return run_import(campaign=campaign, records=records, plan=plan, note=note)


def _note(
    campaign: Campaign,
    kind: str,
    counts: Mapping[str, int],
    subject: tuple[str, str],
    details: Mapping[str, Any],
) -> None:
    note_import(campaign.pk, kind, **counts)
    record(AuditAction.IMPORT_DONE, campaign=campaign, subject=subject, details=details)
