"""Taking a backup when one is due: written, packed, tried, kept, and older ones removed."""

import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Final

from django.conf import settings
from django.db import Error, IntegrityError, connection, transaction
from django.db.models.functions import Now

from tasks.backup.errors import BackupError
from tasks.backup.scheduled.archive import archive_name, pack, sha256_of
from tasks.backup.scheduled.queries import good_backups, interval, last_attempt_age
from tasks.backup.scheduled.retention import kept
from tasks.backup.scheduled.room import require_room
from tasks.backup.scheduled.shelf import shelf
from tasks.backup.scheduled.trial import try_out
from tasks.backup.writing import write_backup
from tasks.models import BackupState, ScheduledBackup
from tasks.sealing.ciphers import key_name

logger = logging.getLogger(__name__)

TRY_AGAIN_AFTER: Final = timedelta(hours=1)
BEAT: Final = timedelta(minutes=1)
DEAD_AFTER: Final = timedelta(minutes=10)
_WORK: Final = ".taking-"


def is_due() -> bool:
    """Whether the last one is an interval old, or failed an hour ago.

    One of the future, before a clock was set back, is as good as none.
    """
    if not (wanted := interval()):
        return False
    if (last := last_attempt_age()) is None:
        return True
    state, age = last
    pause = wanted if state is BackupState.DONE else min(wanted, TRY_AGAIN_AFTER)
    return age >= pause or age < -BEAT


def back_up_if_due() -> ScheduledBackup | None:
    """The backup that was taken, good or failed; None if none was due or one is being taken."""
    _give_up_dead()
    return take_backup() if is_due() else None


def take_backup() -> ScheduledBackup | None:
    """As above, whether it is due or not."""
    if (backup := _begun()) is None:
        return None
    try:
        with _kept_alive(backup):
            _take(backup)
    except (BackupError, OSError, Error, LookupError, ValueError) as error:
        logger.exception("the backup %s failed", backup)
        _end(backup, BackupState.FAILED, error=_one_line(error))
    else:
        _end(backup, BackupState.DONE)
        remove_old()
    return backup


def _begun() -> ScheduledBackup | None:
    name = archive_name(datetime.now(UTC), is_encrypted=bool(settings.BACKUP_KEY))
    try:
        with transaction.atomic():
            return ScheduledBackup.objects.create(
                name=name, place=str(shelf()), key=key_name(settings.BACKUP_KEY)
            )
    except IntegrityError:  # somebody else has begun one
        return None


def _take(backup: ScheduledBackup) -> None:
    workplace = Path(settings.BACKUPS_DIR)
    workplace.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in workplace.glob(f"{_WORK}*"):  # by one that was killed
        shutil.rmtree(left, ignore_errors=True)
    require_room(workplace)
    with tempfile.TemporaryDirectory(prefix=_WORK, dir=workplace) as folder:
        manifest = write_backup(Path(folder, "backup"))
        archive = Path(folder, backup.name)
        pack(Path(folder, "backup"), archive, settings.BACKUP_KEY)
        shutil.rmtree(Path(folder, "backup"))
        backup.bytes, backup.rows = archive.stat().st_size, manifest.rows
        backup.sha256 = sha256_of(archive)
        backup.trial = try_out(archive, Path(folder), settings.BACKUP_KEY)
        shelf().put(archive)


def _end(backup: ScheduledBackup, state: BackupState, *, error: str = "") -> None:
    backup.state, backup.error = state, error
    backup.save(update_fields=["state", "error", "bytes", "rows", "sha256", "trial"])
    ScheduledBackup.objects.filter(pk=backup.pk).update(ended_at=Now())


def _one_line(error: Exception) -> str:
    return " ".join(f"{error}".split()) or type(error).__name__


def remove_old() -> None:
    """Remove the files that newer ones replace; those of another place are left alone."""
    place = shelf()
    here = good_backups().filter(place=str(place))
    moments = {each: each.started_at for each in here}
    staying = kept(moments, days=settings.BACKUPS_DAILY, weeks=settings.BACKUPS_WEEKLY)
    staying.update(here[:1])  # by the order in which they were taken, whatever the clock said
    for backup in moments.keys() - staying:
        try:
            place.remove(backup.name)
        except OSError:
            logger.exception("the old backup %s cannot be removed", backup)
        else:
            ScheduledBackup.objects.filter(pk=backup.pk).update(removed_at=Now())


def _give_up_dead() -> None:
    running = ScheduledBackup.objects.filter(state=BackupState.RUNNING)
    running.filter(seen_at__lt=Now() - DEAD_AFTER).update(
        state=BackupState.FAILED, ended_at=Now(), error="the process that took it has ended"
    )


@contextmanager
def _kept_alive(backup: ScheduledBackup) -> Iterator[None]:
    """Say every minute that this process is at it."""
    is_over = Event()

    def beat() -> None:
        while not is_over.wait(BEAT.total_seconds()):
            try:
                ScheduledBackup.objects.filter(pk=backup.pk).update(seen_at=Now())
            except Error:
                logger.warning("the backup could not say that it goes on", exc_info=True)
            finally:
                connection.close()

    thread = Thread(target=beat, name="backup", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
