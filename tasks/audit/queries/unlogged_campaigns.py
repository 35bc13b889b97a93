"""Campaigns whose creation has no entry in the audit log, which was emptied or cut off."""

from django.db.models import Exists, OuterRef

from tasks.models import AuditAction, AuditEntry, Campaign


def unlogged_campaigns() -> list[str]:
    """Their slugs, the oldest first."""
    created = AuditEntry.objects.filter(
        campaign=OuterRef("pk"), action=AuditAction.CAMPAIGN_CREATED
    )
    found = Campaign.objects.filter(~Exists(created)).order_by("created_at", "pk")
    return list(found.values_list("slug", flat=True))
