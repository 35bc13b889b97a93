"""One connection that is kept open, and calls that are sent again where that does no harm."""

import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import SEEK_END
from typing import Any, BinaryIO
from urllib.parse import urlencode, urlsplit

from tomahto.client.errors import Refused, Unanswered

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
                self.wait(_told(answer) or _pause(tries_left))
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
    """Twice as long every time."""
    return min(FIRST_WAIT * 2.0 ** (TRIES - 1 - tries_left), LONGEST_WAIT)


def _told(answer: Answer) -> float | None:
    """How long the server asks to wait, as far as somebody would."""
    said = answer.headers.get("Retry-After", "")
    return min(float(said), LONGEST_WAIT) if said.isascii() and said.isdigit() else None
