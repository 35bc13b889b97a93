"""The audit log of a campaign, for its admins, and whether the site's chain holds."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tasks.models import AuditEntry, Campaign
from tasks.models.audit import BEGINNING, HASHED, entry_hash

_AT_A_TIME = 2000
_PREVIOUS = HASHED.index("previous")


def entries_of(
    campaign: Campaign,
    *,
    action: str = "",
    actor: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """What was done in a campaign, the latest first: of one kind, by one name, from `since` on,
    before `until`."""
    found = AuditEntry.objects.filter(campaign=campaign).order_by("-sequence")
    if action:
        found = found.filter(action=action)
    if actor:
        found = found.filter(actor=actor)
    if since:
        found = found.filter(at__gte=since)
    if until:
        found = found.filter(at__lt=until)
    return found


class Chain(NamedTuple):
    """How far the chain holds: `entries` of them up to `head`, the hash of the last good one.

    `fault` says what is wrong with what comes next, and is empty if nothing is. `since_known`
    counts the entries after the known head, None where none was given or it was not met.
    """

    entries: int
    head: str
    fault: str
    since_known: int | None


def check_chain(*, known_head: str = "") -> Chain:
    """Walk the site's chain from its beginning to the first entry that is wrong.

    A chain whose end was cut off, or that was written anew, holds by itself: only a head that was
    kept elsewhere tells, as `known_head`. Only a few thousand entries are in memory at a time.
    """
    number, head, fault = 0, BEGINNING, ""
    known_at = 0 if known_head == BEGINNING else None
    for *values, stored in _rows():
        if fault := _fault(number + 1, values, stored, head):
            break
        number, head = number + 1, stored
        if head == known_head:
            known_at = number
    if known_head and known_at is None and not fault:
        fault = (
            f"no entry has the known head {known_head}: "
            f"the end of the chain was cut off after it was noted, or the chain was written anew"
        )
    return Chain(number, head, fault, None if known_at is None else number - known_at)


def _rows() -> Iterator[tuple[Any, ...]]:
    entries = AuditEntry.objects.order_by("sequence").values_list(*HASHED, "hash")
    return entries.iterator(chunk_size=_AT_A_TIME)


def _fault(expected: int, values: list[Any], stored: str, head: str) -> str:
    number = values[0]
    if number != expected:
        return f"entry {expected} is missing: entry {number} stands in its place"
    if values[_PREVIOUS] != head:
        return f"entry {number} does not follow the one before it: it was put there or moved"
    if entry_hash(values) != stored:
        return f"entry {number} was changed: its hash is of something else"
    return ""
