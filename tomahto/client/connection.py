"""Calls over one connection, their errors, and the download of a release.

A call is sent again where that does no harm. A download is continued where it was broken off, and
checked by the release's manifest. A file that is on its way ends in `.part`; once it has its name,
it is what the manifest says.
"""

import hashlib
import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO
from urllib.parse import urlencode, urlsplit

from tomahto.client.bodies import Release


class Refused(Exception):
    """The server answered with an error: `detail` says what is wrong, `field` where, if it does."""

    def __init__(self, status: int, detail: str, field: str | None = None) -> None:
        self.status, self.detail, self.field = status, detail, field
        super().__init__(f"{status}: {field + ': ' if field else ''}{detail}")

    @classmethod
    def by(cls, status: int, content: bytes) -> "Refused":
        """The error in an answer, written by the site or by something before it."""
        try:
            body = json.loads(content)
        except ValueError:
            body = None
        if isinstance(body, dict) and isinstance(body.get("detail"), str):
            return cls(status, body["detail"], body.get("field"))
        return cls(status, content[:500].decode(errors="replace"))


class Unanswered(Exception):
    """No answer came, however often it was tried; what was asked for may have been done or not."""


class JobEnded(Exception):
    """A job ended without having done its work; `job` is what the site says of it."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job = job
        super().__init__(f"job {job.get('id')} {job.get('state')}: {job.get('error') or ''}")


class Damaged(Exception):
    """A downloaded file is not what the manifest of its release says."""


TRIES = 4
FIRST_WAIT, LONGEST_WAIT = 0.25, 60.0  # seconds
_LATER = (429, 503)
_BROKEN = (OSError, http.client.HTTPException)

Content = bytes | BinaryIO


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content) if self.content else None


class Connection:
    """Speaks to one site with one token. Not for several threads.

    `wait` is called with seconds between tries.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout: float = 60,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address!r} is not the address of a site")
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._before = parts.path.rstrip("/")
        self._token = token
        self.wait = wait

    def call(
        self,
        method: str,
        path: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        content: Content = b"",
        headers: Mapping[str, str] | None = None,
        may_repeat: bool = True,
    ) -> Answer:
        """The whole answer. Raises Refused, and Unanswered if no try got one."""
        query = {name: value for name, value in (parameters or {}).items() if value is not None}
        target = path + (f"?{urlencode(query)}" if query else "")
        if not may_repeat:  # one that was kept open may have been closed at the other end
            self.close()
        for tries_left in reversed(range(TRIES)):
            was_open = self._connection.sock is not None
            try:
                response = self.open(method, target, content=content, headers=headers)
                answer = Answer(response.status, dict(response.headers), response.read())
            except _BROKEN as error:
                self.close()
                if not may_repeat or not tries_left:
                    raise Unanswered(f"{method} {path}: {error}") from error
                if not was_open:
                    self.wait(_pause(tries_left))
                continue
            if answer.status in _LATER and tries_left:  # nothing was done
                self.wait(_requested_wait(answer) or _pause(tries_left))
                continue
            break
        if answer.status >= 400:
            raise Refused.by(answer.status, answer.content)
        return answer

    def open(
        self,
        method: str,
        target: str,
        *,
        content: Content = b"",
        headers: Mapping[str, str] | None = None,
    ) -> http.client.HTTPResponse:
        """Send once; whoever asks reads the answer. Raises OSError and HTTPException."""
        every = {"Authorization": f"Token {self._token}", "Accept": "application/json"}
        if not isinstance(content, bytes):  # or it would be sent in chunks of no known length
            every["Content-Length"] = str(content.seek(0, SEEK_END))
            content.seek(0)
        self._connection.request(
            method, self._before + target, content, {**every, **(headers or {})}
        )
        return self._connection.getresponse()

    def close(self) -> None:
        self._connection.close()


def _pause(tries_left: int) -> float:
    return min(FIRST_WAIT * 2.0 ** (TRIES - 1 - tries_left), LONGEST_WAIT)


def _requested_wait(answer: Answer) -> float | None:
    """The wait that the server asks for, as far as somebody would wait."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), LONGEST_WAIT) if said.isascii() and said.isdigit() else None


MANIFEST = "manifest.json"
_CHUNK = 1 << 18

# asks for a file of the release from a byte on
Open = Callable[[str, int], http.client.HTTPResponse]


def download_release(release: Release, folder: Path, ask: Open, close: Callable[[], None]) -> Path:
    """All files of a release below the folder; those that are there already are only checked.

    `close` ends a connection that broke. Raises Damaged, Refused, Unanswered, OSError.
    """
    sizes = {file["path"]: file["bytes"] for file in release["files"]}
    for path in sizes:
        _path_below(folder, path)
    _fetch(folder, MANIFEST, sizes[MANIFEST], None, ask, close)
    manifest = json.loads(_path_below(folder, MANIFEST).read_bytes())
    if (manifest["version"], manifest["digest"]) != (release["version"], release["digest"]):
        raise Damaged(f"{folder} holds another release: {manifest['version']}")
    hashes = {file["path"]: file["sha256"] for file in manifest["files"]}
    for path in sorted(hashes.keys() - sizes.keys()):
        raise Damaged(f"{path} is in the manifest, and not in the release")
    for path, size in sizes.items():
        _fetch(folder, path, size, hashes.get(path), ask, close)
    return folder


def _path_below(folder: Path, path: str) -> Path:
    """The path of a file. Raises Damaged if that is not below the folder."""
    parts = PurePosixPath(path).parts
    is_odd = "\\" in path or ":" in path or "\0" in path
    if is_odd or not parts or any(part in ("/", "..") for part in parts):
        raise Damaged(f"{path!r} is not a path of a release")
    return folder.joinpath(*parts)


def _fetch(
    folder: Path, path: str, size: int, sha256: str | None, ask: Open, close: Callable[[], None]
) -> None:
    target = _path_below(folder, path)
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
