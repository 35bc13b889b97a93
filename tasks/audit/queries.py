"""The audit log of a campaign, whether the site's chain holds, and what it lacks."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError
from django.db.models import Exists, OuterRef, QuerySet

from tasks.models import AuditAction, AuditEntry, Campaign, Release
from tasks.models.audit import BEGINNING, HASHED, entry_hash
from tasks.release_store.files import NoSuchFile, StoreError, read_whole
from tasks.release_store.places import release_files
from tomahto.releases.records.fields import AuditHead, head_from_json
from tomahto.releases.stored.manifest import MANIFEST

_AT_A_TIME = 2000
_PREVIOUS = HASHED.index("previous")
# what drivers and Django raise over a value that no entry was ever written with
_UNREADABLE = (DatabaseError, ValueError, TypeError, AttributeError, OverflowError)


def entries_of(
    campaign: Campaign,
    *,
    action: str = "",
    actor: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """Acts in a campaign, the latest first: of one kind, by one name, from `since` on,
    before `until`."""
    parameters = {"action": action, "actor": actor, "at__gte": since, "at__lt": until}
    filters = {name: value for name, value in parameters.items() if value}
    return AuditEntry.objects.filter(campaign=campaign, **filters).order_by("-sequence")


def audit_head(*, using: str = DEFAULT_DB_ALIAS) -> AuditHead | None:
    """The last entry there is; None in a new site."""
    entries = AuditEntry.objects.using(using).order_by("-sequence")
    last = entries.values_list("sequence", "hash").first()
    return AuditHead(*last) if last else None


class Anchor(NamedTuple):
    """A head of the log that was kept outside of it, and where."""

    place: str
    head: AuditHead


class Chain(NamedTuple):
    """The good part of the chain: `entries` of them up to `head`, the hash of the last good one.

    `fault` says what is wrong with what comes next, and is empty if nothing is. `since_known`
    counts the entries after the known head, None where none was given or it was not met.
    `anchored` is the number of the last entry that an anchor has met, 0 if none has.
    """

    entries: int
    head: str
    fault: str
    since_known: int | None
    anchored: int = 0


def check_chain(*, known_head: str = "", anchors: Sequence[Anchor] = ()) -> Chain:
    """Walk the site's chain from its beginning to the first entry that is wrong.

    A chain whose end was cut off, or that was written anew, holds by itself: only a head that was
    kept elsewhere tells, as `known_head` or among the anchors. Only a few thousand entries are in
    memory at a time.
    """
    number, head, fault, anchored = 0, BEGINNING, "", 0
    known_at = 0 if known_head == BEGINNING else None
    anchors_at: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        anchors_at.setdefault(anchor.head.sequence, []).append(anchor)
    for row in _rows():
        *values, stored = row or (None,)
        others = [each for each in anchors_at.get(number + 1, ()) if each.head.hash != stored]
        fault = _fault(number + 1, values, stored, head)
        if others and not fault:
            fault = (
                f"entry {number + 1} is not the one that {others[0].place} records: the chain was "
                "rewritten"
            )
        if fault:
            break
        number, head = number + 1, stored
        if head == known_head:
            known_at = number
        if number in anchors_at:
            anchored = number
    beyond = [anchor for anchor in anchors if anchor.head.sequence > number]
    if beyond and not fault:
        fault = (
            f"{beyond[0].place} records entry {beyond[0].head.sequence}, and the log ends at "
            f"{number}: its end was cut off"
        )
    if known_head and known_at is None and not fault:
        fault = (
            f"no entry has the known head {known_head}: the end of the chain was cut off after it "
            "was noted, or the chain was rewritten"
        )
    since_known = None if known_at is None else number - known_at
    return Chain(number, head, fault, since_known, anchored)


def _rows() -> Iterator[tuple[Any, ...] | None]:
    """The hashed values and the hash of each entry; None, at the end, for one that has a value
    which cannot be read."""
    entries = AuditEntry.objects.order_by("sequence").values_list(*HASHED, "hash")
    last = 0
    try:
        for row in entries.iterator(chunk_size=_AT_A_TIME):
            yield row
            last = row[0]
    except _UNREADABLE:  # a whole chunk is lost with it
        rest = entries.filter(sequence__gt=last)
        for place in range(rest.count()):  # which raises if it is the database that fails
            try:
                yield from rest[place : place + 1]
            except _UNREADABLE:
                yield None
                return


def _fault(expected: int, values: list[Any], stored: str, head: str) -> str:
    number = values[0] if values else expected
    if number != expected:
        return f"entry {expected} is missing: entry {number!r} follows instead"
    if values and values[_PREVIOUS] != head:
        return f"entry {number} does not follow the one before it: it was inserted or moved"
    with suppress(*_UNREADABLE):
        if values and entry_hash(values) == stored:
            return ""
    return f"entry {number} was changed: its hash does not match"


def release_anchors() -> tuple[list[Anchor], list[str]]:
    """The heads in the manifests of all releases that are listed or lie in the site's folder, and
    the places whose manifests cannot be read. Releases of before have none."""
    # also of releases whose rows are gone
    manifests = Path(settings.RELEASES_DIR).glob(f"*/*/{MANIFEST}")
    own_folders = [str(manifest.parent) for manifest in manifests]
    found, unreadable = [], []
    for place in sorted({*Release.objects.values_list("path", flat=True), *own_folders}):
        try:
            head = head_from_json(json.loads(read_whole(release_files(place), MANIFEST)))
        except (StoreError, NoSuchFile, ValueError):
            unreadable.append(place)
        else:
            found += [Anchor(f"the release in {place}", head)] if head else []
    return found, unreadable


def unlogged_campaigns() -> list[str]:
    """Their slugs, the oldest first."""
    created = AuditEntry.objects.filter(
        campaign=OuterRef("pk"), action=AuditAction.CAMPAIGN_CREATED
    )
    found = Campaign.objects.filter(~Exists(created)).order_by("created_at", "pk")
    return list(found.values_list("slug", flat=True))
