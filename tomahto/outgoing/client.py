"""The one client for every HTTP request that leaves the site.

It sends what it is told and reads the answer, nothing else: redirects are handed back and never
followed; it keeps no cookies, uses no proxy of the environment, reuses no connection and unpacks
no compressed answer.
"""

import re
import ssl
from collections.abc import Mapping
from functools import cached_property

import httpcore2

from tomahto.outgoing.allow_list import AllowList
from tomahto.outgoing.clock import Clock, SystemClock
from tomahto.outgoing.destination import Destination, read_destination
from tomahto.outgoing.dialling import Deadline, Dialler, Resolve, resolve
from tomahto.outgoing.errors import AnswerTooLarge, NoAnswer, OutgoingError, TimedOut
from tomahto.outgoing.messages import USUAL_LIMITS, Limits, Request, Response

_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[\t -~]*")
# what the client itself decides
_RESERVED = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding"}
)


class OutgoingClient:
    """Sends requests to the public internet and to what the allow-list names besides."""

    def __init__(
        self,
        allowed: AllowList,
        *,
        clock: Clock | None = None,
        resolve: Resolve = resolve,
        network: httpcore2.NetworkBackend | None = None,
    ) -> None:
        self._allowed = allowed
        self._clock = clock or SystemClock()
        self._resolve = resolve
        self._network = network or httpcore2.SyncBackend()

    def send(self, request: Request, limits: Limits = USUAL_LIMITS) -> Response:
        """The answer, complete. Raises OutgoingError; ValueError for an unusable header."""
        destination = read_destination(request.url)
        headers = _headers(request.headers, destination)
        try:
            with (
                self._pool(destination, limits) as pool,
                pool.stream(
                    request.method,
                    _as_url(destination),
                    headers=headers,
                    content=request.body,
                    extensions={"timeout": _timeouts(limits)},
                ) as answer,
            ):
                return _read(answer, destination, limits)
        except OutgoingError:
            raise
        except httpcore2.TimeoutException as error:
            raise TimedOut(f"{destination}: no answer in time") from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise NoAnswer(f"{destination}: {_reason(error)}") from error

    def _pool(self, destination: Destination, limits: Limits) -> httpcore2.ConnectionPool:
        """For one request: its connection is dialled, checked and closed with it."""
        is_encrypted = destination.scheme == "https"
        deadline = Deadline(self._clock, self._clock.now() + limits.total_seconds)
        return httpcore2.ConnectionPool(
            ssl_context=self._ssl_context if is_encrypted else None,
            max_connections=1,
            max_keepalive_connections=0,
            network_backend=Dialler(
                allowed=self._allowed,
                resolve=self._resolve,
                deadline=deadline,
                network=self._network,
            ),
        )

    @cached_property
    def _ssl_context(self) -> ssl.SSLContext:
        return httpcore2.default_ssl_context()  # takes long: it reads all certificates


def _as_url(destination: Destination) -> httpcore2.URL:
    return httpcore2.URL(
        scheme=destination.scheme,
        host=destination.host,
        port=destination.port,
        target=destination.target,
    )


def _headers(given: Mapping[str, str], destination: Destination) -> list[tuple[str, str]]:
    for name, value in given.items():
        if not _HEADER_NAME.fullmatch(name) or name.lower() in _RESERVED:
            raise ValueError(f"the header {name!r} cannot be set")
        if not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"the header {name} holds a character that no header may hold")
    own = {"Host": destination.authority, "Connection": "close", "Accept-Encoding": "identity"}
    return [*own.items(), *given.items()]


def _timeouts(limits: Limits) -> dict[str, float]:
    return {
        "connect": limits.connect_seconds,
        "read": limits.read_seconds,
        "write": limits.read_seconds,
        "pool": limits.connect_seconds,
    }


def _read(answer: httpcore2.Response, destination: Destination, limits: Limits) -> Response:
    headers = {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers
    }
    if (encoding := headers.get("content-encoding", "identity").lower()) != "identity":
        raise OutgoingError(
            f"{destination}: the answer is compressed ({encoding!r:.40}), which was not requested"
        )
    pieces, size = [], 0
    for piece in answer.iter_stream():
        size += len(piece)
        if size > limits.answer_bytes:
            raise AnswerTooLarge(
                f"{destination}: the answer has more than {limits.answer_bytes:,} bytes"
            )
        pieces.append(piece)
    return Response(answer.status, headers, b"".join(pieces))


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or "the connection broke"
