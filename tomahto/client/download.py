"""Downloading a release: continued where it was broken off, and checked by its manifest.

A file that is on its way ends in `.part`; once it has its name, it is what the manifest says.
"""

import hashlib
import http.client
import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from tomahto.client.bodies import Release
from tomahto.client.connection import TRIES
from tomahto.client.errors import Damaged, Refused, Unanswered

MANIFEST = "manifest.json"
_CHUNK = 1 << 18
_BROKEN = (OSError, http.client.HTTPException)

# asks for a file of the release from a byte on
Open = Callable[[str, int], http.client.HTTPResponse]


def download_release(release: Release, folder: Path, ask: Open, close: Callable[[], None]) -> Path:
    """All files of a release below the folder; those that are there already are only checked.

    `close` ends a connection that broke. Raises Damaged, Refused, Unanswered, OSError.
    """
    sizes = {file["path"]: file["bytes"] for file in release["files"]}
    for path in sizes:
        _place(folder, path)
    _fetch(folder, MANIFEST, sizes[MANIFEST], None, ask, close)
    manifest = json.loads(_place(folder, MANIFEST).read_bytes())
    if (manifest["version"], manifest["digest"]) != (release["version"], release["digest"]):
        raise Damaged(f"{folder} holds another release: {manifest['version']}")
    hashes = {file["path"]: file["sha256"] for file in manifest["files"]}
    for path in sorted(hashes.keys() - sizes.keys()):
        raise Damaged(f"{path} is in the manifest, and not in the release")
    for path, size in sizes.items():
        _fetch(folder, path, size, hashes.get(path), ask, close)
    return folder


def _place(folder: Path, path: str) -> Path:
    """Where a file goes. Raises Damaged if that is not below the folder."""
    parts = PurePosixPath(path).parts
    is_odd = "\\" in path or ":" in path or "\0" in path
    if is_odd or not parts or any(part in ("/", "..") for part in parts):
        raise Damaged(f"{path!r} is not a path of a release")
    return folder.joinpath(*parts)


def _fetch(
    folder: Path, path: str, size: int, sha256: str | None, ask: Open, close: Callable[[], None]
) -> None:
    target = _place(folder, path)
    if _is_whole(target, size, sha256):
        return
    part = target.with_name(f"{target.name}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    for is_again in (False, True):
        _continue(part, path, size, ask, close)
        if _is_whole(part, size, sha256):
            part.replace(target)
            return
        part.unlink()  # what an earlier try has left may be of something else
        if is_again:
            raise Damaged(f"{path} differs from the manifest")


def _continue(part: Path, path: str, size: int, ask: Open, close: Callable[[], None]) -> None:
    """Read what is missing of a file, however often the connection breaks while more comes."""
    tries_left = TRIES
    while (there := part.stat().st_size if part.exists() else 0) < size:
        try:
            _read(part, ask(path, there), there)
        except _BROKEN as error:
            close()
            is_farther = part.exists() and part.stat().st_size > there
            tries_left = TRIES if is_farther else tries_left - 1
            if not tries_left:
                raise Unanswered(f"{path}: {error}") from error
        else:
            if part.stat().st_size <= there:
                raise Damaged(f"{path} ends after {there} of {size} bytes")
    part.touch()  # an empty file


def _read(part: Path, response: http.client.HTTPResponse, there: int) -> None:
    if response.status not in (200, 206):
        raise Refused.by(response.status, response.read())
    is_rest = response.status == 206
    with part.open("ab" if is_rest and there else "wb") as file:
        while chunk := response.read(_CHUNK):
            file.write(chunk)
    if response.length:  # bytes that were announced and did not come
        raise http.client.IncompleteRead(b"", response.length)


def _is_whole(file: Path, size: int, sha256: str | None) -> bool:
    if not file.is_file() or file.stat().st_size != size:
        return False
    if sha256 is None:  # the manifest and its checksums: they do not list themselves
        return True
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == sha256
