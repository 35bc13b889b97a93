"""A rater that costs next to nothing, so that what is measured is the server.

One socket, requests put together once, answers read up to their length. It speaks to gunicorn
only, for whom every answer here has a `Content-Length`; for programs there is `examples/rater.py`.
"""

import re
import socket
from typing import NamedTuple

_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_WORK = re.compile(rb'"assignment":(\d+),"idempotency_key":"([^"]+)"')
_BODY = b'{"q1":false,"q2":true}'


class Work(NamedTuple):
    assignment: bytes
    key: bytes


class QuickRater:
    """Claims and submits over one connection that is kept open."""

    def __init__(self, port: int, token: str, campaign: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._fields = (
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Token {token}\r\n"
            "Content-Type: application/json\r\n"
        ).encode()
        self._claim = b"POST /api/v1/campaigns/%s/claim HTTP/1.1\r\n%sContent-Length: 0\r\n\r\n" % (
            campaign.encode(),
            self._fields,
        )

    def cycle(self) -> None:
        """Claim an item and submit its rating. Raises AssertionError for any other answer."""
        claimed = self._answer(self._claim, b"200")
        found = _WORK.search(claimed)
        assert found is not None, claimed
        self._answer(self._submission(Work(*found.groups())), b"201")

    def close(self) -> None:
        self._socket.close()

    def _submission(self, work: Work) -> bytes:
        return (
            b"POST /api/v1/assignments/%s/rating HTTP/1.1\r\n%sIdempotency-Key: %s\r\n"
            b"Content-Length: %d\r\n\r\n%s"
            % (work.assignment, self._fields, work.key, len(_BODY), _BODY)
        )

    def _answer(self, request: bytes, status: bytes) -> bytes:
        self._socket.sendall(request)
        head, _, body = self._socket.recv(65_536).partition(b"\r\n\r\n")
        assert head[9:12] == status, head + body
        length = _LENGTH.search(head)
        assert length is not None, head
        while len(body) < int(length[1]):
            body += self._socket.recv(65_536)
        return body
