"""Writing the audit log: an act's entry is stored with the act, in one transaction.

There is one chain for the whole site. Who writes to it holds it until their transaction ends, so
that no two entries follow the same one and none is missing: `record` is the last thing that an act
does, and what takes long does it at its end.
"""

import json
import os
import pwd
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from tasks.models import ActorKind, AuditAction, AuditEntry, Campaign, Membership, User
from tasks.models.audit import BEGINNING, HASHED, entry_hash
from tasks.storing.refusals import require_allowed

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def storable(value: Any) -> Any:
    """The JSON value with U+FFFD for what PostgreSQL's jsonb refuses: NUL and half pairs."""
    match value:
        case str():
            text = value.replace("\0", _REPLACEMENT)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {storable(key): storable(inner) for key, inner in value.items()}
        case list() | tuple():
            return [storable(inner) for inner in value]
        case _:
            return value


_LOCK: Final = 0x746F6D6168746F  # of PostgreSQL, for whoever writes to the chain
_NOW: Final = {
    "postgresql": "clock_timestamp()",
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now')",
}
_LIMITS: Final = {
    "actor": AuditEntry._meta.get_field("actor").max_length,
    "via": AuditEntry._meta.get_field("via").max_length,
    "subject": AuditEntry._meta.get_field("subject").max_length,
}
_COLUMNS: Final = (*HASHED, "hash")
# names of ours only; values are parameters
_HEAD: Final = (
    "SELECT {now}, (SELECT max(sequence) FROM tasks_auditentry), "
    "(SELECT hash FROM tasks_auditentry ORDER BY sequence DESC LIMIT 1)"
)
_INSERT: Final = (
    f"INSERT INTO tasks_auditentry ({', '.join(_COLUMNS)}) "  # noqa: S608 - see above
    f"VALUES ({', '.join(['%s'] * len(_COLUMNS))})"
)


class NotInTransaction(RuntimeError):
    """An act is to be recorded outside the transaction that does it."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody who acts, and the way of the act; `user` is None without an account here."""

    kind: ActorKind
    name: str = ""
    user: User | None = None
    via: str = ""


_acting: ContextVar[Callable[[], Actor] | None] = ContextVar("acting", default=None)


@contextmanager
def acting(who: Callable[[], Actor]) -> Iterator[None]:
    """Acts that are recorded in this block were done by whom `who` names; it is asked only then."""
    token = _acting.set(who)
    try:
        yield
    finally:
        _acting.reset(token)


def operating_system_actor(via: str) -> Actor:
    """The person, as the operating system knows them, who runs this process."""
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:  # as in a container that runs as a number
        name = f"uid {number}"
    return Actor(ActorKind.COMMAND, name, via=via)


def record(
    action: AuditAction,
    *,
    campaign: Campaign | None = None,
    subject: tuple[str, object] = ("", ""),
    details: Mapping[str, Any] | None = None,
    by: Membership | None = None,
    while_archived: bool = False,
) -> None:
    """Add an entry: `subject` is a kind and a name, `details` says what changed.

    `by` is the member who acts; without one it is who `acting` named. Details hold no secrets and
    no answers of raters. `while_archived`: an archived campaign allows it, as it does all acts of
    `tasks.storing.refusals.ALLOWED`.

    Raises NotInTransaction, and CampaignArchived for every other act in an archived campaign: it is
    looked up while this transaction holds the chain, so that no act slips past the one that
    archives.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction(f"{action} is recorded outside the transaction that does it")
    actor_of_block = _acting.get()
    who = operating_system_actor("python") if actor_of_block is None else actor_of_block()
    member = by
    if by is None and who.user is not None and campaign is not None:
        member = Membership.objects.filter(campaign=campaign, user=who.user).first()
    kind, text = subject
    facts = json.dumps(details or {}, sort_keys=True, cls=DjangoJSONEncoder)
    _append(
        actor_kind=ActorKind.PERSON if member else who.kind,
        actor=_fitting("actor", member.name if member else who.name),
        user_id=member.user_id if member else who.user and who.user.pk,
        role=member.role if member else "",
        via=_fitting("via", who.via),
        campaign_id=campaign.pk if campaign else None,
        action=str(action),
        subject_kind=kind,
        subject=_fitting("subject", str(text)),
        details=facts,
    )
    if campaign is not None and not while_archived:
        require_allowed(action, campaign)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Details of what is another now, each name with both values: `{"changes": {name: [a, b]}}`."""
    return {
        "changes": {
            name: [before.get(name), value]
            for name, value in after.items()
            if before.get(name) != value
        }
    }


def _fitting(field: str, text: str) -> str:
    return str(storable(text))[: _LIMITS[field]]


def _append(**values: Any) -> None:
    """SQL by hand, because a campaign's every import and job comes by here."""
    with connection.cursor() as cursor:
        # on SQLite a transaction has the database to itself from its beginning
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        cursor.execute(_HEAD.format(now=_NOW[connection.vendor]))
        now, last, previous = cursor.fetchone()
        values["sequence"] = (last or 0) + 1
        is_text = isinstance(now, str)
        values["at"] = datetime.fromisoformat(now).replace(tzinfo=UTC) if is_text else now
        values["previous"] = previous or BEGINNING
        hashed = [values[name] for name in HASHED]
        row = [*hashed, entry_hash(hashed)]
        row[1] = connection.ops.adapt_datetimefield_value(values["at"])
        cursor.execute(_INSERT, row)
