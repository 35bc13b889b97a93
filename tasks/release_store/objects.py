"""A release in an S3-compatible object store."""

from pathlib import PurePosixPath

from tasks.release_store.bucket import Bucket
from tasks.release_store.interface import NoSuchFile, Opened, StoredFile
from tasks.release_store.object_place import ObjectPlace


class ObjectFiles:
    """The objects below a place."""

    def __init__(self, place: ObjectPlace) -> None:
        self._place = place
        self._bucket = Bucket(place.bucket)

    def listed(self) -> list[StoredFile]:
        prefix = self._place.key("")
        sizes = self._bucket.sizes(prefix)
        return [StoredFile(key.removeprefix(prefix), sizes[key]) for key in sorted(sizes)]

    def size(self, path: str) -> int:
        return self._bucket.size(self._key(path))

    def open(self, path: str, part: range | None = None) -> Opened:
        return self._bucket.open(self._key(path), part)

    def _key(self, path: str) -> str:
        pure = PurePosixPath(path)
        is_inside = not pure.is_absolute() and ".." not in pure.parts and "\0" not in path
        if not is_inside or str(pure) != path or path == ".":
            raise NoSuchFile(path)
        return self._place.key(path)
