"""Campaigns whose creation has no entry in the audit log: older than the log, or it was cut off."""

from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Exists, Min, OuterRef

from tasks.models import AuditAction, AuditEntry, Campaign

_BROUGHT_THE_LOG = "0026_audit_log"


class Unlogged(NamedTuple):
    """Slugs of campaigns without an entry of their creation, the oldest first.

    The log has lost the entries of `lost`. It never had those of `older`, which were made before
    the site's software had a log.
    """

    lost: list[str]
    older: list[str]


def unlogged_campaigns() -> Unlogged:
    """Only times tell the two kinds apart: those of the site's migrations and of the campaigns.

    A campaign from before the site's first migration came by a restore, which has an entry itself.
    """
    created = AuditEntry.objects.filter(
        campaign=OuterRef("pk"), action=AuditAction.CAMPAIGN_CREATED
    )
    restored = AuditEntry.objects.filter(action=AuditAction.BACKUP_RESTORED).exists()
    site_began, log_began = _migrated("0001"), _migrated(_BROUGHT_THE_LOG)
    found = Unlogged([], [])
    campaigns = Campaign.objects.filter(~Exists(created)).order_by("created_at", "pk")
    for slug, made_at in campaigns.values_list("slug", "created_at"):
        is_older = log_began is not None and made_at < log_began
        came_from_elsewhere = site_began is not None and made_at < site_began
        is_explained = is_older and (restored or not came_from_elsewhere)
        (found.older if is_explained else found.lost).append(slug)
    return found


def _migrated(name: str) -> datetime | None:
    """When the migration whose name begins so was applied."""
    applied = MigrationRecorder(connection).migration_qs.filter(app="tasks", name__startswith=name)
    moment: datetime | None = applied.aggregate(first=Min("applied"))["first"]
    return moment
