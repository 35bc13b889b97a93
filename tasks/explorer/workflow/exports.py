"""Handing out what the explorer shows, as a file."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db import transaction

from tasks.explorer.queries.asked import Asked
from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.rows import ExplorerRow, rows_of
from tasks.explorer.workflow.refreshing import refresh_all
from tasks.models import AuditAction, Membership
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal

MOST_IN_WORKBOOK: Final = 100_000
"""Items; a workbook is sent when all of it is made."""

_AT_ONCE = 500


class TooManyForWorkbook(Refusal):
    """More items are found than a workbook is made of."""


def export_items(
    *, member: Membership, asked: Asked, columns: Sequence[str], file_format: str
) -> Iterator[ExplorerRow]:
    """The rows of all items found, to be read after this; the audit log tells that they were.

    Which items they are is decided at once, whatever changes while they are read. Votes that the
    list withholds from the member are withheld here. Raises TooManyForWorkbook.
    """
    refresh_all(campaign=member.campaign)
    items = item_ids(member, asked)
    if file_format == "xlsx" and len(items) > MOST_IN_WORKBOOK:
        raise TooManyForWorkbook(
            f"a workbook has at most {MOST_IN_WORKBOOK:,} items, and {len(items):,} match; choose "
            "CSV or JSON lines, or narrow the filter"
        )
    details: dict[str, Any] = {"columns": list(columns), "order": asked.order, **asked.filters}
    # with filters by votes their number would say what the votes on an item are
    rows = {} if asked.tells_votes else {"rows": len(items)}
    with transaction.atomic():
        record(
            AuditAction.EXPORT_TAKEN,
            campaign=member.campaign,
            subject=("file", "items"),
            details=details | {"format": file_format} | rows,
        )
    return _rows(member, asked, items)


def _rows(member: Membership, asked: Asked, items: Sequence[int]) -> Iterator[ExplorerRow]:
    for start in range(0, len(items), _AT_ONCE):
        for row in rows_of(member, items[start : start + _AT_ONCE]):
            if row.withheld is None or not asked.tells_votes:
                yield row
