"""Whether a backup is as it was written."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from tasks.backup.errors import BackupError
from tasks.backup.manifest import CHECKSUM, MANIFEST, Manifest, is_regular, read_manifest
from tomahto.releases.files.folder import FileEntry

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
    expected = {entry.path: entry for entry in _entries(manifest)}
    there = set(_files_in(folder))
    for path, entry in expected.items():
        if path not in there:
            yield f"{path} is missing"
        elif said := _difference(folder / path, entry):
            yield f"{path} is damaged: {said}"
    for path in sorted(there - expected.keys() - {MANIFEST, CHECKSUM}):
        yield f"{path} is not part of the backup"


def _entries(manifest: Manifest) -> Iterator[FileEntry]:
    for table in manifest.tables:
        yield FileEntry(table.path, table.sha256, table.bytes, table.rows)
    yield from manifest.files


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
