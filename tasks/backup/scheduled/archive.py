"""A backup as one file: its folder as tar and gzip, encrypted if there is a key."""

import gzip
import hashlib
import io
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Final

from tasks.backup.errors import BackupError
from tasks.backup.scheduled.encryption import MAGIC, DecryptingReader, EncryptingWriter

ENDING: Final = ".tar.gz"
ENCRYPTED: Final = ".encrypted"
_CHUNK = 1 << 20


def archive_name(moment: datetime, *, is_encrypted: bool) -> str:
    """Names sort as their moments do."""
    return f"tomahto-{moment:%Y%m%dT%H%M%SZ}{ENDING}{ENCRYPTED if is_encrypted else ''}"


def pack(folder: Path, archive: Path, key: bytes) -> None:
    """Write the folder of a backup to a new file, which its owner alone may read, and sync it."""
    with open(archive, "xb", opener=_private) as file:
        if key:
            writer = EncryptingWriter(file, key)
            _write_tar(folder, writer)
            writer.finish()
        else:
            _write_tar(folder, file)
        file.flush()
        os.fsync(file.fileno())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _write_tar(folder: Path, target: IO[bytes] | EncryptingWriter) -> None:
    with (
        gzip.GzipFile(fileobj=target, mode="wb", filename="", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|") as tar,
    ):
        for place in sorted(folder.rglob("*")):
            if place.is_file():
                tar.add(place, arcname=place.relative_to(folder).as_posix())


def unpack(archive: Path, folder: Path, key: bytes) -> None:
    """Bring what is in an archive into a new folder. Raises BackupError if it is not whole, or
    encrypted with another key."""
    folder.mkdir(mode=0o700)
    with archive.open("rb") as file:
        is_encrypted = file.read(len(MAGIC)) == MAGIC
        file.seek(0)
        source: IO[bytes] = (
            io.BufferedReader(DecryptingReader(file, key), _CHUNK) if is_encrypted else file
        )
        try:
            with gzip.GzipFile(fileobj=source, mode="rb") as content:
                with tarfile.open(fileobj=content, mode="r|") as tar:
                    tar.extractall(folder, filter="data")
                _read_to_its_end(content)  # to the checksum
            _read_to_its_end(source)  # to the mark of the last chunk
        except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BackupError(f"{archive} is damaged: {error or 'its end is missing'}") from error


def _read_to_its_end(stream: IO[bytes] | gzip.GzipFile) -> None:
    while stream.read(_CHUNK):
        pass


@contextmanager
def unpacked(backup: Path, workplace: Path, key: bytes) -> Iterator[Path]:
    """The folder of a backup: `backup` itself, or what is in it, below `workplace` for a while."""
    import shutil
    import tempfile

    if not backup.is_file():
        yield backup
        return
    workplace.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=workplace))
    try:
        folder = scratch / backup.name.partition(".")[0]
        unpack(backup, folder, key)
        yield folder
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def sha256_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
