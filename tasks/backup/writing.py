"""Writing a backup while the site runs."""

import os
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model

from tasks.audit.queries import audit_head
from tasks.backup.files import folders_named, operators_files, path_in_backup, regular_files
from tasks.backup.manifest import (
    CHECKSUM,
    MANIFEST,
    TABLES,
    BackupError,
    Manifest,
    TableEntry,
    checksum_line,
)
from tasks.backup.tables import (
    applied_migrations,
    backed_up_models,
    columns_of,
    fields_of,
    lines_of,
    rows_of,
    snapshot,
)
from tasks.models import AuditAction
from tasks.storing.acts import record
from tomahto.releases.files.folder import FileEntry, NewFolder, new_folder

_CHUNK = 1 << 20


def write_backup(target: Path) -> Manifest:
    """A new folder with everything of the site but sessions and the secret key.

    The database as it stands at one moment comes first, then the files that its rows name: a row
    appears only once its files are complete. Nobody but its owner may read the folder. It appears
    whole or not at all. Raises BackupError and OSError.
    """
    if os.path.lexists(target):
        raise BackupError(f"{target} already exists; a backup is never overwritten")
    began = datetime.now(UTC)
    with new_folder(target) as folder:
        folder.path.chmod(0o700)
        with snapshot(folder.path) as database:
            migrations = applied_migrations(database)
            tables = [_write_table(folder, model, database) for model in backed_up_models()]
            own, elsewhere = folders_named(database)
            head = audit_head(using=database)
        places = operators_files() + [place for each in own for place in regular_files(each)]
        files = [_copy(folder, place) for place in places]
        manifest = Manifest(
            software=settings.VERSION,
            database=connection.vendor,
            created_at=began.isoformat(timespec="seconds"),
            migrations=migrations,
            tables=tuple(tables),
            files=tuple(files),
            elsewhere=tuple(elsewhere),
            missing=tuple(str(place) for place in own if not place.is_dir()),
            audit=head,
        )
        text = manifest.to_json()
        folder.write(MANIFEST, text)
        folder.write(CHECKSUM, checksum_line(text))
    with transaction.atomic():
        record(AuditAction.BACKUP_TAKEN, subject=("backup", target.name))
    return manifest


def _write_table(folder: NewFolder, model: type[Model], database: str) -> TableEntry:
    table, columns = model._meta.db_table, columns_of(model)
    fields = fields_of(model, columns)
    rows = 0
    with folder.open(f"{TABLES}/{table}.jsonl") as file:
        for line in lines_of(fields, rows_of(model, fields, using=database)):
            file.write(line)
            rows += 1
    entry = folder.files[-1]
    return TableEntry(table, columns, rows, entry.sha256, entry.bytes)


def _copy(folder: NewFolder, place: Path) -> FileEntry:
    with place.open("rb") as source, folder.open(path_in_backup(place)) as file:
        while chunk := source.read(_CHUNK):
            file.write(chunk)
    return folder.files[-1]
