"""Migrated databases to copy: made once for each state of the code, whoever asks first.

Migrating an empty database takes longer than most of what is tried with it.
"""

import hashlib
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from bootstrap.system import PRIVATE, REQUIREMENTS, ROOT, waiting_turn

SQLITE_FILE = "tomahto.sqlite3"
_KEPT = PRIVATE / "migrated"
_OLD = 86_400.0  # seconds
_LOCK = 7_301_042  # any number, the same for all


def migrated_file() -> Path:
    """A migrated SQLite database. Not to be written to."""
    kept = _KEPT / f"{_state_of_the_code()}.sqlite3"
    with waiting_turn(_KEPT / "lock", waiting="another process is migrating a database …"):
        if not kept.is_file():
            _forget_old_ones()
            with tempfile.TemporaryDirectory(dir=_KEPT) as data:
                migrate({"TOMAHTO_DATA": data, "DATABASE_URL": ""})
                Path(data, SQLITE_FILE).replace(kept)
    return kept


def migrated_database(server: str) -> str:
    """The name of a migrated database on the server, to be the template of others.

    One is left there for each checkout.
    """
    ours = f"tomahto_{hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]}"
    name = f"{ours}_{_state_of_the_code()[:16]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        there = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if there.fetchone() is None:
            earlier = "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
            for (database,) in connection.execute(earlier, [f"{ours}_"]).fetchall():
                connection.execute(f"DROP DATABASE {database} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name}_partial")
            migrate({"DATABASE_URL": address_of(server, f"{name}_partial")})
            connection.execute(f"ALTER DATABASE {name}_partial RENAME TO {name}")
    return name


def address_of(server: str, database: str) -> str:
    """The server's address with another database."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{database}"))


@contextmanager
def copied_into(name: str) -> Iterator[None]:
    """The SQLite database of that name, which may be one in memory, holds a copy of the migrated
    one; as long as the context lasts one in memory stays there."""
    source = sqlite3.connect(f"{migrated_file().as_uri()}?mode=ro", uri=True)
    target = sqlite3.connect(name, uri=True)
    try:
        source.backup(target)
        yield
    finally:
        source.close()
        target.close()


def migrate(variables: Mapping[str, str]) -> None:
    """Migrate the database that the variables name, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "annotation_site.settings", **variables},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"migrating failed:\n{done.stdout}\n{done.stderr}")


def _forget_old_ones() -> None:
    """Remove what earlier states of the code left; a run that is under way keeps its own."""
    for earlier in _KEPT.glob("*.sqlite3"):
        if time.time() - earlier.stat().st_mtime > _OLD:
            earlier.unlink()


@cache
def _state_of_the_code() -> str:
    """A hash of all that could change what a migrated database holds."""
    hashed = hashlib.sha256(f"{platform.python_version()} {sqlite3.sqlite_version}".encode())
    code = (path for room in ("annotation_site", "tasks") for path in (ROOT / room).rglob("*.py"))
    for path in sorted([*code, *REQUIREMENTS.glob("*.lock")]):
        hashed.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return hashed.hexdigest()
