"""What a backup says of itself: its versions, tables and files, each with its SHA-256."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from exporters.audit_head import AuditHead, head_from_json
from exporters.folder import FileEntry
from tasks.backup.errors import BackupError

FORMAT = "tomahto-backup-1"
MANIFEST = "manifest.json"
CHECKSUM = "manifest.sha256"
TABLES, FILES = "tables", "files"


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


def checksum_line(manifest: str) -> str:
    """As `sha256sum` writes and checks it."""
    return f"{hashlib.sha256(manifest.encode()).hexdigest()}  {MANIFEST}\n"


def read_manifest(folder: Path) -> Manifest:
    """Raises BackupError if it is damaged, or of another format, and OSError if it is not there."""
    content = (folder / MANIFEST).read_bytes()
    checksum = (folder / CHECKSUM).read_bytes()
    if checksum.split()[:1] != [hashlib.sha256(content).hexdigest().encode()]:
        raise BackupError(f"{folder / MANIFEST} is damaged: its SHA-256 is not that of {CHECKSUM}")
    found: dict[str, Any] = json.loads(content)
    if (kind := found.pop("format", None)) != FORMAT:
        raise BackupError(f"{folder / MANIFEST}: the format is {kind!r}, not {FORMAT!r}")
    tables = (TableEntry(**{**t, "columns": tuple(t["columns"])}) for t in found.pop("tables"))
    files = [FileEntry(**file) for file in found.pop("files")]
    for file in files:
        _require_inside(folder, file.path)
    found["audit"] = head_from_json(found)  # backups of before have none
    elsewhere, missing = tuple(found.pop("elsewhere")), tuple(found.pop("missing"))
    return Manifest(
        tables=tuple(tables), files=tuple(files), elsewhere=elsewhere, missing=missing, **found
    )


def _require_inside(folder: Path, path: str) -> None:
    parts = PurePosixPath(path).parts
    if parts[:1] != (FILES,) or ".." in parts or len(parts) == 1:
        raise BackupError(f"{folder / MANIFEST}: {path!r} is not a path below {FILES}/")
