"""A release in an S3-compatible object store, put there so that it is whole or counts for nothing.

A store cannot rename. So each release goes to a place of its own, named by the SHA-256 of its
manifest: as that names the SHA-256 of every file, two who write to one place write the same. The
manifest comes last, after all else was read back. A place without a manifest is what a killed
process left, and nothing ever points there.
"""

import hashlib
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from tasks.release_store.bucket import Bucket
from tasks.release_store.files import (
    NoSuchFile,
    ObjectPlace,
    Opened,
    ReleaseFiles,
    StoredFile,
    StoreError,
    chunks,
    read_whole,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import (
    CHECKSUMS,
    MANIFEST,
    Manifest,
    checksum_lines,
    manifest_in,
)


class ObjectFiles:
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


logger = logging.getLogger(__name__)

_NAME_LENGTH = 16  # hexadecimal digits
_NAME = re.compile(rf"([0-9a-f]{{{_NAME_LENGTH}}})/.")


def upload_release(
    folder: Path, parent: ObjectPlace, *, require_held: Callable[[], None]
) -> ObjectPlace:
    """Store a release folder below `parent`; its place.

    `require_held` is asked before every file; what it raises stops the upload. Whatever fails,
    what was stored is removed again as far as the store lets it. Raises StoreError.
    """
    manifest = (folder / MANIFEST).read_bytes()
    place = parent / hashlib.sha256(manifest).hexdigest()[:_NAME_LENGTH]
    bucket = Bucket(place.bucket)
    expected = _expected(manifest_in(manifest), manifest)
    try:
        for path in sorted(expected):
            require_held()
            bucket.put(place.key(path), folder / path)
        _require_whole(ObjectFiles(place), expected)
        require_held()
        bucket.put(place.key(MANIFEST), folder / MANIFEST)
    except BaseException:
        with suppress(StoreError):
            remove_release(place)
        raise
    return place


def find_release(
    parent: ObjectPlace, *, campaign: str, version: str, digest: str
) -> ObjectPlace | None:
    """The folder below `parent` that has this very release already, whole; None if there is
    none."""
    for name, keys in _folders(parent).items():
        place = parent / name
        if place.key(MANIFEST) in keys and _is_whole(place, (campaign, version, digest)):
            return place
    return None


def remove_release(place: ObjectPlace) -> None:
    """The manifest first, so that what is left of it counts for nothing. Raises StoreError."""
    bucket = Bucket(place.bucket)
    manifest = place.key(MANIFEST)
    keys = bucket.sizes(place.key(""))
    bucket.delete(sorted(keys, key=lambda key: (key != manifest, key)))


def remove_below(parent: ObjectPlace) -> None:
    """Everything there, finished or not. Raises StoreError."""
    bucket = Bucket(parent.bucket)
    bucket.delete(bucket.sizes(parent.key("")))


def remove_unfinished(parent: ObjectPlace) -> None:
    """Remove what killed processes left below `parent`.

    To be called when the version is listed: from then on no other place of it ever will be.
    """
    bucket = Bucket(parent.bucket)
    try:
        for name, keys in _folders(parent).items():
            if (parent / name).key(MANIFEST) not in keys:
                bucket.delete(keys)
    except StoreError as error:
        logger.warning("an unfinished upload could not be removed: %s", error)


def _folders(parent: ObjectPlace) -> Mapping[str, list[str]]:
    """The keys in places of releases below `parent`, by the names of these."""
    prefix = parent.key("")
    folders: dict[str, list[str]] = defaultdict(list)
    for key in Bucket(parent.bucket).sizes(prefix):
        if name := _NAME.match(key.removeprefix(prefix)):
            folders[name[1]].append(key)
    return folders


def _is_whole(place: ObjectPlace, wanted: tuple[str, str, str]) -> bool:
    files = ObjectFiles(place)
    content = read_whole(files, MANIFEST)
    try:
        manifest = manifest_in(content)
    except ReleaseError:
        return False
    if (manifest.campaign, manifest.version, manifest.digest) != wanted:
        return False
    return not list(_differences(files, _expected(manifest, content)))


def _expected(manifest: Manifest, content: bytes) -> dict[str, tuple[int, str]]:
    """Size and SHA-256 of every file but the manifest itself."""
    sums = {file.path: file.sha256 for file in manifest.files}
    lines = checksum_lines(sums | {MANIFEST: hashlib.sha256(content).hexdigest()}).encode()
    return {
        **{file.path: (file.bytes, file.sha256) for file in manifest.files},
        CHECKSUMS: (len(lines), hashlib.sha256(lines).hexdigest()),
    }


def _require_whole(files: ReleaseFiles, expected: Mapping[str, tuple[int, str]]) -> None:
    for difference in _differences(files, expected):
        raise StoreError(f"the store of releases did not keep a file intact: {difference}")


def _differences(files: ReleaseFiles, expected: Mapping[str, tuple[int, str]]) -> Iterator[str]:
    stored = {file.path: file.size for file in files.listed() if file.path != MANIFEST}
    for path in sorted(stored.keys() ^ expected.keys()):
        yield f"{path}: is {'missing' if path in expected else 'not in the manifest'}"
    for path in sorted(stored.keys() & expected.keys()):
        size, sha256 = expected[path]
        if stored[path] != size:
            yield f"{path}: has {stored[path]} bytes, not {size}"
        elif _sha256(files, path) != sha256:
            yield f"{path}: its SHA-256 is not {sha256}"


def _sha256(files: ReleaseFiles, path: str) -> str:
    digest = hashlib.sha256()
    for chunk in chunks(files.open(path)):
        digest.update(chunk)
    return digest.hexdigest()
