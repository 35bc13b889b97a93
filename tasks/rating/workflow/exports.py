"""Handing out what a campaign holds, outside of releases."""

from collections.abc import Iterator

from django.db import transaction

from tasks.models import AuditAction, Campaign
from tasks.rating.queries.exported_ratings import rating_lines
from tasks.storing.acts import record


@transaction.atomic
def export_ratings(*, campaign: Campaign, with_comments: bool = False) -> Iterator[str]:
    """The lines of `rating_lines`, to be read after this; the audit log tells that they were."""
    details = {"with_comments": with_comments}
    record(
        AuditAction.EXPORT_TAKEN, campaign=campaign, subject=("file", "ratings"), details=details
    )
    return rating_lines(campaign, with_comments=with_comments)
