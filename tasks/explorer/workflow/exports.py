"""Handing out what the explorer shows, as a file."""

from collections.abc import Iterator, Sequence
from typing import Any

from tasks.explorer.queries.asked import Asked
from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.rows import ExplorerRow, rows_of
from tasks.explorer.workflow.refreshing import refresh_all
from tasks.models import AuditAction, Membership
from tasks.rating.workflow.seen_votes import show_all_votes
from tasks.storing.readings import Reading

_AT_ONCE = 500


def export_items(
    *,
    member: Membership,
    asked: Asked,
    columns: Sequence[str],
    file_format: str,
    shows_votes: bool,
) -> Iterator[ExplorerRow]:
    """The rows of all items found, to be read after this; the audit log tells how many were.

    Which items they are is decided at once, whatever changes while they are read. `shows_votes`:
    the member asks for all votes there are now, as who takes any other file with everybody's votes.
    """
    refresh_all(campaign=member.campaign)
    details: dict[str, Any] = {"columns": list(columns), "order": asked.order, **asked.filters}
    if shows_votes:
        show_all_votes(member=member)
    reading = Reading(
        AuditAction.EXPORT_TAKEN,
        campaign=member.campaign,
        subject=("file", "items"),
        details=details | {"format": file_format, "with_votes": shows_votes},
    )
    return reading.of_rows(_rows(member, asked, item_ids(member, asked)))


def _rows(member: Membership, asked: Asked, items: Sequence[int]) -> Iterator[ExplorerRow]:
    for start in range(0, len(items), _AT_ONCE):
        for row in rows_of(member, items[start : start + _AT_ONCE]):
            if row.withheld is None or not asked.tells_votes:
                yield row
