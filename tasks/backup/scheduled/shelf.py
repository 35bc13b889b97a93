"""Where archives are kept: a folder on this machine, or an object store."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from django.conf import settings

from tasks.backup.errors import BackupError
from tasks.backup.scheduled.archive import sha256_of
from tasks.release_store.interface import NoSuchFile, chunks
from tasks.release_store.object_place import ObjectPlace, object_place


class Shelf(Protocol):
    """`put` leaves an archive there whole or not at all, and sees that it reads as written."""

    def __str__(self) -> str: ...

    def put(self, archive: Path) -> None: ...

    def remove(self, name: str) -> None: ...


def shelf() -> Shelf:
    """The one that the settings name."""
    if settings.BACKUPS_URL:
        return ObjectShelf(object_place(settings.BACKUPS_URL))
    return FolderShelf(Path(settings.BACKUPS_DIR))


class FolderShelf:
    """Archives come from its own disk: they are renamed into it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __str__(self) -> str:
        return str(self._folder)

    def put(self, archive: Path) -> None:
        archive.rename(self._folder / archive.name)
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def remove(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)


class ObjectShelf:
    def __init__(self, place: ObjectPlace) -> None:
        self._place = place

    def __str__(self) -> str:
        return str(self._place)

    def put(self, archive: Path) -> None:
        """Raises BackupError if it does not read as it was written, and StoreError."""
        from tasks.release_store.bucket import Bucket  # boto3 is there for those who use a store

        bucket, key = Bucket(self._place.bucket), self._place.key(archive.name)
        bucket.put(key, archive)
        digest = hashlib.sha256()
        for chunk in _content(bucket, key):
            digest.update(chunk)
        if digest.hexdigest() != sha256_of(archive):
            bucket.delete([key])
            raise BackupError(f"{self}/{archive.name} does not read as it was written")

    def remove(self, name: str) -> None:
        from tasks.release_store.bucket import Bucket  # as above

        Bucket(self._place.bucket).delete([self._place.key(name)])


def _content(bucket: "object", key: str) -> Iterator[bytes]:
    from tasks.release_store.bucket import Bucket  # as above

    assert isinstance(bucket, Bucket)  # noqa: S101 - for the types
    try:
        file = bucket.open(key)
    except NoSuchFile as error:
        raise BackupError(f"{key} is not there after it was written") from error
    yield from chunks(file)
