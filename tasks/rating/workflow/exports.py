"""Handing out what a campaign holds, outside of releases."""

from collections.abc import Iterator, Mapping
from typing import Any

from tasks.models import AuditAction, Campaign, Membership
from tasks.rating.queries.exported_ratings import rating_lines
from tasks.storing.readings import Reading


def export_ratings(*, campaign: Campaign, with_comments: bool = False) -> Iterator[str]:
    """The lines of `rating_lines`, to be read after this; the audit log tells how many were."""
    reading = Reading(
        AuditAction.EXPORT_TAKEN,
        campaign=campaign,
        subject=("file", "ratings"),
        details={"format": "jsonl", "with_comments": with_comments},
    )
    return reading.of_rows(rating_lines(campaign, with_comments=with_comments))


def note_list_read(*, member: Membership, filters: Mapping[str, Any], rows: int) -> None:
    """Record that a page of a list of ratings was read. One's own ratings, those of a single item,
    and nothing at all are no reading of many."""
    if not rows or "item" in filters or filters.get("rater") == member.pseudonym:
        return
    chosen = {name: value for name, value in filters.items() if value is not None}
    reading = Reading(
        AuditAction.RATINGS_READ,
        campaign=member.campaign,
        subject=("list", "ratings"),
        details={"format": "json", **chosen, "cursor": "cursor" in chosen},
    )
    reading.is_over(rows=rows)
