"""An import from its beginning to its end: one at a time in a campaign, planned without a lock,
stored at once. A process that is killed leaves all of it or nothing."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from tasks.models import Campaign
from tasks.storing.database import execute, refresh_after_commit
from tasks.storing.plan import CampaignChanged, Plan
from tasks.storing.refusals import Refusal

_Record = TypeVar("_Record")
_Intake = TypeVar("_Intake")

_TRIES: Final = 3
_LOCK: Final = 0x746F6D  # of PostgreSQL, together with a campaign's id
_CACHE: Final = 128 << 20  # bytes


class ImportRefused(Refusal, ValueError):
    """An import that cannot be done now, told in one line; it changed nothing."""


def run_import(
    *,
    campaign: Campaign,
    records: Iterable[_Record],
    plan: Callable[[Plan, Iterable[_Record]], _Intake],
    note: Callable[[_Intake], None],
    waits: bool = False,
) -> _Intake:
    """Let `plan` plan what the records bring, store it, and `note` it in the same transaction.

    What `plan` reads is what the campaign is when it is stored: if something else has changed it in
    the meantime, everything is planned again. Records that can be read only once are not.

    Raises what `plan` raises, and ImportRefused if another import of the campaign is running,
    unless this one `waits` for it, or if the campaign is changed too often.
    """
    tries = 1 if isinstance(records, Iterator) else _TRIES
    with _only_import(campaign, waits=waits):
        while True:
            tries -= 1
            with Plan(campaign) as planned:
                intake = plan(planned, records)
                planned.fill_tables()
                is_large = planned.is_large
                try:
                    with _changes_in_memory(), transaction.atomic():
                        planned.store()
                        note(intake)
                    break
                except CampaignChanged:
                    if not tries:
                        message = "was changed while the file was read; import it again"
                        raise ImportRefused(f"{campaign.slug} {message}") from None
                except IntegrityError:
                    if not tries:
                        raise
    if is_large:
        refresh_after_commit()
    return intake


@contextmanager
def _only_import(campaign: Campaign, *, waits: bool) -> Iterator[None]:
    """The turn of one import in the campaign. It ends with the process, however that ends."""
    take_turn = _turn_on_postgres if connection.vendor == "postgresql" else _turn_on_sqlite
    with take_turn(campaign, waits=waits) as is_ours:
        if not is_ours:
            raise ImportRefused(
                f"another import into {campaign.slug} is running; try again when it has ended"
            )
        yield


@contextmanager
def _turn_on_postgres(campaign: Campaign, *, waits: bool) -> Iterator[bool]:
    function = "pg_advisory_lock" if waits else "pg_try_advisory_lock"
    ((answer,),) = execute(f"SELECT {function}(%s, %s)", [_LOCK, campaign.pk])
    is_ours = answer is not False  # waiting returns nothing
    try:
        yield is_ours
    finally:
        if is_ours and not connection.needs_rollback:
            execute("SELECT pg_advisory_unlock(%s, %s)", [_LOCK, campaign.pk])


@contextmanager
def _turn_on_sqlite(campaign: Campaign, *, waits: bool) -> Iterator[bool]:
    """By a lock on a file: whoever has the database has the folder it is in."""
    folder = settings.DATA_DIR / "imports"
    folder.mkdir(exist_ok=True)
    # a database in memory is one process's own
    database = str(connection.settings_dict["NAME"])
    is_in_memory = database == ":memory:" or "mode=memory" in database
    name = f"{os.getpid()}-{campaign.pk}" if is_in_memory else str(campaign.pk)
    with (folder / f"{name}.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


@contextmanager
def _changes_in_memory() -> Iterator[None]:
    """Let SQLite hold what a transaction changes until it commits.

    What does not fit is written to the file before, and from then on nobody else can read it.
    """
    if connection.vendor != "sqlite":
        yield
        return
    ((usual,),) = execute("PRAGMA main.cache_size")
    execute(f"PRAGMA main.cache_size = -{_CACHE >> 10}")
    try:
        yield
    finally:
        execute(f"PRAGMA main.cache_size = {usual}")
        execute("PRAGMA shrink_memory")
