"""Reading many ratings at once leaves one entry in the audit log, when the reading is over.

The entry is written when the last row has been handed out, or when whoever reads breaks off: so it
says how much was read. A file that nobody begins to fetch leaves none.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from django.db import DatabaseError, transaction

from tasks.models import AuditAction, Campaign
from tasks.storing.acts import acting, present_actor, record

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Reading:
    """What is read, and by whom: by whoever acts at this moment, however long it takes."""

    def __init__(
        self,
        action: AuditAction,
        *,
        campaign: Campaign,
        subject: tuple[str, object],
        details: Mapping[str, Any],
    ) -> None:
        self._action, self._campaign = action, campaign
        self._subject, self._details = subject, details
        self._actor = present_actor()

    def of_rows(self, rows: Iterable[T]) -> Iterator[T]:
        """The rows, counted as they are taken."""
        return self._until_over(rows, "rows", lambda _row: 1)

    def of_bytes(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The chunks of a file, measured as they are taken."""
        return self._until_over(chunks, "bytes", len)

    def is_over(self, **read: Any) -> None:
        """Record it: once, with how much was read.

        An entry that cannot be written is logged: what was read cannot be taken back.
        """
        try:
            with acting(lambda: self._actor), transaction.atomic():
                record(
                    self._action,
                    campaign=self._campaign,
                    subject=self._subject,
                    details={**self._details, **read},
                )
        except DatabaseError:
            logger.exception("a reading could not be recorded: %s %s", self._action, read)

    def _until_over(self, parts: Iterable[T], unit: str, size: Callable[[Any], int]) -> Iterator[T]:
        source, read, is_complete = iter(parts), 0, False
        try:
            for part in source:
                read += size(part)
                yield part
            is_complete = True
        finally:
            if close := getattr(source, "close", None):
                close()  # a query that is still being read would be in the way of the entry
            self.is_over(**{unit: read, "complete": is_complete})
