"""The manifest of a backup: its versions, tables and files, each with its SHA-256; and whether the
backup is as it was written."""

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from tomahto.releases.files.folder import FileEntry
from tomahto.releases.records.fields import AuditHead, Fields, ReleaseError, head_from_json


class BackupError(ValueError):
    """The message says why in one line, and names the file or table if it is one."""


FORMAT = "tomahto-backup-1"
MANIFEST = "manifest.json"
CHECKSUM = "manifest.sha256"
TABLES, FILES = "tables", "files"

_LARGEST = 1 << 26  # bytes of a manifest: hundreds of thousands of files
_TABLE = re.compile(r"[a-z0-9_]+")
_UNPLAIN = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table: its rows in order of their keys, a line each, are the file with this SHA-256."""

    table: str
    columns: tuple[str, ...]
    rows: int
    sha256: str
    bytes: int

    @property
    def path(self) -> str:
        return f"{TABLES}/{self.table}.jsonl"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`migrations`: the names of those applied, by app. `files`: with their paths in the backup.
    `elsewhere`: places of releases that are not in it. `missing`: folders that rows name and that
    were not there. `audit`: how far the audit log had come."""

    software: str
    database: str
    created_at: str
    migrations: dict[str, list[str]]
    tables: tuple[TableEntry, ...]
    files: tuple[FileEntry, ...]
    elsewhere: tuple[str, ...]
    missing: tuple[str, ...]
    audit: AuditHead | None = None

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"


_Entry = TypeVar("_Entry", TableEntry, FileEntry)


def checksum_line(manifest: str) -> str:
    """As `sha256sum` writes and checks it."""
    return f"{hashlib.sha256(manifest.encode()).hexdigest()}  {MANIFEST}\n"


def read_manifest(folder: Path) -> Manifest:
    """Raises BackupError if it is damaged, or of another format, and OSError if it is not there."""
    content, checksum = _content(folder / MANIFEST), _content(folder / CHECKSUM)
    if checksum.split()[:1] != [hashlib.sha256(content).hexdigest().encode()]:
        raise BackupError(f"{folder / MANIFEST} is damaged: its SHA-256 is not that of {CHECKSUM}")
    try:
        found = json.loads(content, object_pairs_hook=_distinct)
        return _manifest(Fields(found, str(folder / MANIFEST)))
    except ReleaseError as error:
        raise BackupError(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise BackupError(f"{folder / MANIFEST} cannot be read: {error}") from error


def _content(place: Path) -> bytes:
    if not is_regular(place):
        raise BackupError(f"{place} is not a regular file")
    if place.stat().st_size > _LARGEST:
        raise BackupError(f"{place} is larger than {_LARGEST >> 20} MiB")
    return place.read_bytes()


def is_regular(place: Path) -> bool:
    """Whether it is a file and no link, device or pipe. Raises OSError if it is not there."""
    return stat.S_ISREG(place.lstat().st_mode)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name occurs twice in one object")
    return found


def _manifest(fields: Fields) -> Manifest:
    if (kind := fields.text("format")) != FORMAT:
        raise BackupError(f"{fields.place}: the format is {kind!r}, not {FORMAT!r}")
    migrations = fields.object("migrations")
    tables, files = map(_table, fields.objects("tables")), map(_file, fields.objects("files"))
    return Manifest(
        software=fields.text("software"),
        database=fields.text("database"),
        created_at=fields.text("created_at"),
        migrations={app: list(migrations.texts(app)) for app in migrations.data},
        tables=_named_once(fields, "tables", tables),
        files=_named_once(fields, "files", files),
        elsewhere=fields.texts("elsewhere"),
        missing=fields.texts("missing"),
        audit=head_from_json(fields.data),  # backups of before have none
    )


def _table(fields: Fields) -> TableEntry:
    table = fields.text("table")
    if not _TABLE.fullmatch(table):
        raise fields.error("table", f"{table!r} is not the name of a table")
    columns = fields.texts("columns")
    return TableEntry(table, columns, fields.count("rows"), *_digest_and_size(fields))


def _file(fields: Fields) -> FileEntry:
    path = fields.text("path")
    if not is_plain(path) or not path.startswith(f"{FILES}/"):
        raise fields.error("path", f"{path!r} is not a path below {FILES}/")
    return FileEntry(path, *_digest_and_size(fields))


def _digest_and_size(fields: Fields) -> tuple[str, int]:
    digest = fields.text("sha256")
    if not _SHA256.fullmatch(digest):
        raise fields.error("sha256", "is not a SHA-256 in small hexadecimal digits")
    return digest, fields.count("bytes")


def is_plain(path: str) -> bool:
    """Whether it is a path that leads down, and is written in one way only."""
    return not _UNPLAIN.search(path) and not {"", ".", ".."} & set(path.split("/"))


def _named_once(fields: Fields, name: str, entries: Iterable[_Entry]) -> tuple[_Entry, ...]:
    listed = tuple(entries)
    if len({entry.path for entry in listed}) < len(listed):
        raise fields.error(name, "names one path twice")
    return listed


_CHUNK = 1 << 20


def require_whole(folder: Path) -> Manifest:
    """The manifest of a backup that is undamaged. Raises BackupError, naming what is not."""
    manifest = read_manifest(folder)
    if problems := list(damage(folder, manifest)):
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        raise BackupError(f"{folder}: {problems[0]}{more}")
    return manifest


def damage(folder: Path, manifest: Manifest) -> Iterator[str]:
    """A line for each file that is missing, changed, or none of the backup's."""
    of_tables = (FileEntry(t.path, t.sha256, t.bytes, t.rows) for t in manifest.tables)
    expected = {entry.path: entry for entry in (*of_tables, *manifest.files)}
    there = set(_files_in(folder))
    for path, entry in expected.items():
        if path not in there:
            yield f"{path} is missing"
        elif said := _difference(folder / path, entry):
            yield f"{path} is damaged: {said}"
    for path in sorted(there - expected.keys() - {MANIFEST, CHECKSUM}):
        yield f"{path} is not part of the backup"


def _files_in(folder: Path) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in [*names, *links]:
            yield (Path(parent) / name).relative_to(folder).as_posix()


def _difference(place: Path, entry: FileEntry) -> str:
    if not is_regular(place):
        return "it is not a regular file"
    if (there := place.stat().st_size) != entry.bytes:
        return f"{there} bytes instead of {entry.bytes}"
    digest, lines = hashlib.sha256(), 0
    with place.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            lines += chunk.count(b"\n")
    if digest.hexdigest() != entry.sha256:
        return "another SHA-256"
    if entry.rows is not None and lines != entry.rows:
        return f"{lines} rows instead of {entry.rows}"
    return ""
