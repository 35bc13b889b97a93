"""Saved views: names for what the explorer shows; and handing it out as a file."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction

from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.queries.rows import ExplorerRow, rows_of
from tasks.explorer.workflow.refreshing import refresh_all
from tasks.models import AuditAction, Membership, SavedView
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal

MOST_VIEWS: Final = 100
"""Of one member."""


class ViewNameTaken(Refusal):
    """The member has a view of that name."""


class TooManyViews(Refusal):
    """The member has as many views as there may be."""


def save_view(*, member: Membership, name: str, query: str, is_shared: bool) -> SavedView:
    """Keep it under this name. Raises ViewNameTaken and TooManyViews."""
    if SavedView.objects.filter(member=member).count() >= MOST_VIEWS:
        raise TooManyViews(
            f"you have {MOST_VIEWS} saved views, the most you can have; delete one first"
        )
    try:
        with transaction.atomic():
            return SavedView.objects.create(
                campaign=member.campaign,
                member=member,
                name=name,
                query=query,
                is_shared=is_shared,
            )
    except IntegrityError:
        raise ViewNameTaken("you already have a view with this name") from None


def remove_view(*, view: SavedView) -> None:
    view.delete()


MOST_IN_WORKBOOK: Final = 100_000
"""Items; a workbook is sent when all of it is made."""

_AT_ONCE = 500


class TooManyForWorkbook(Refusal):
    """More items are found than a workbook is made of."""


def export_items(
    *, member: Membership, listing: ItemListing, columns: Sequence[str], file_format: str
) -> Iterator[ExplorerRow]:
    """The rows of all items found, to be read after this; the audit log tells that they were.

    Which items they are is decided at once, whatever changes while they are read. Votes that the
    list withholds from the member are withheld here. Raises TooManyForWorkbook.
    """
    refresh_all(campaign=member.campaign)
    items = item_ids(member, listing)
    if file_format == "xlsx" and len(items) > MOST_IN_WORKBOOK:
        raise TooManyForWorkbook(
            f"a workbook has at most {MOST_IN_WORKBOOK:,} items, and {len(items):,} match; choose "
            "CSV or JSON lines, or narrow the filter"
        )
    details: dict[str, Any] = {"columns": list(columns), "order": listing.order, **listing.filters}
    # with filters by votes their number would say what the votes on an item are
    rows = {} if listing.tells_votes else {"rows": len(items)}
    with transaction.atomic():
        record(
            AuditAction.EXPORT_TAKEN,
            campaign=member.campaign,
            subject=("file", "items"),
            details=details | {"format": file_format} | rows,
        )
    return _rows(member, listing, items)


def _rows(member: Membership, listing: ItemListing, items: Sequence[int]) -> Iterator[ExplorerRow]:
    for start in range(0, len(items), _AT_ONCE):
        for row in rows_of(member, items[start : start + _AT_ONCE]):
            if row.withheld is None or not listing.tells_votes:
                yield row
