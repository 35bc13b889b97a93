"""Sites as earlier versions left them, on the database of this test run."""

import json
import os
import sqlite3
import tarfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

import psycopg
from psycopg import sql

from tasks.backup.manifest import Manifest, TableEntry, read_manifest
from tests.migrated import SQLITE_FILE, address_of
from tests.site import Site

HERE = Path(__file__).resolve().parent
BACKUP, DATABASE = "backup.tar.gz", "database.sql"
DATA = "{data folder}"
"""Stands for the data folder in DATABASE."""

_MIGRATE = """
from django.core.management import call_command
for app, names in {migrations!r}.items():
    call_command("migrate", app, names[-1], verbosity=0)
"""
_FILL = sql.SQL(
    "INSERT INTO {table} ({columns})"
    " SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)"
)
_SEQUENCE = "SELECT pg_get_serial_sequence(%s, 'id')"
_CONTINUE = sql.SQL("SELECT setval(%s, max(id)) FROM {table}")


def versions() -> list[str]:
    """Those that there is a fixture of."""
    return sorted(folder.name for folder in HERE.iterdir() if (folder / BACKUP).is_file())


def unpacked_backup(version: str, folder: Path) -> Path:
    """Written file by file: Python 3.11 knows safe ways to extract all only from 3.11.4 on."""
    with tarfile.open(HERE / version / BACKUP) as tar:
        for entry in tar:
            if content := tar.extractfile(entry):
                target = folder / entry.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())
    return folder


@contextmanager
def site_of(version: str, folder: Path) -> Iterator[tuple[Site, Manifest]]:
    """The site with the schema and the rows of that version, and what its backup says of them."""
    backup = unpacked_backup(version, folder / "unpacked")
    manifest = read_manifest(backup)
    copytree(backup / "files", folder / "data")
    if server := os.environ.get("DATABASE_URL", ""):
        with _new_database(server) as address:
            site = Site(folder / "data", {"DATABASE_URL": address}, migrate=None)
            site.python(_MIGRATE.format(migrations=manifest.migrations))
            _fill_postgres(address, backup, manifest, releases=site.folder / "releases")
            yield site, manifest
        return
    site = Site(folder / "data", {"DATABASE_URL": ""}, migrate=None)
    _fill_sqlite(site.folder, (HERE / version / DATABASE).read_text(encoding="utf-8"))
    yield site, manifest


def _fill_sqlite(folder: Path, text: str) -> None:
    connection = sqlite3.connect(folder / SQLITE_FILE)
    connection.executescript(text.replace(DATA, str(folder)))
    connection.close()


def _fill_postgres(address: str, backup: Path, manifest: Manifest, *, releases: Path) -> None:
    """As they are, without triggers and in any order: that version has stored them before."""
    tables = [sql.Identifier(entry.table) for entry in manifest.tables]
    with psycopg.connect(address) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(tables)))
        for entry, table in zip(manifest.tables, tables, strict=True):
            columns = sql.SQL(", ").join(map(sql.Identifier, entry.columns))
            rows = json.dumps(list(_rows(backup, entry, releases)))
            connection.execute(_FILL.format(table=table, columns=columns), [rows])
            if "id" in entry.columns:
                [[sequence]] = connection.execute(_SEQUENCE, [entry.table]).fetchall()
                if sequence:
                    connection.execute(_CONTINUE.format(table=table), [sequence])


def _rows(backup: Path, entry: TableEntry, releases: Path) -> Iterator[dict[str, object]]:
    for line in (backup / entry.path).read_text(encoding="utf-8").split("\n")[:-1]:
        row = dict(zip(entry.columns, json.loads(line), strict=True))
        if entry.table == "tasks_release":
            row["path"] = row["path"].replace("releases:", f"{releases}/")
        yield row


@contextmanager
def _new_database(server: str) -> Iterator[str]:
    name = f"tomahto_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield address_of(server, name)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
