"""Items as an import stores them, in a transaction of the caller's."""

from collections.abc import Iterable
from dataclasses import asdict

from django.db import transaction

from tasks.events.workflow.events import note_import
from tasks.intake.workflow.items import plan_rows
from tasks.models import AuditAction, Campaign
from tasks.storing.acts import record
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import ItemRow


@transaction.atomic(savepoint=False)
def store_items(campaign: Campaign, rows: Iterable[ItemRow]) -> None:
    """The rows that `import_items` writes, without its lock."""
    with Plan(campaign) as plan:
        intake = plan_rows(plan, rows)
        plan.store()
    note_import(campaign.pk, "items", items_created=intake.items_created)
    record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("file", "items"),
        details=asdict(intake),
    )
