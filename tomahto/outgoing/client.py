"""The one client for every HTTP request that leaves the site.

It sends what it is told and reads the answer, nothing else: redirects are handed back and never
followed; it keeps no cookies, uses no proxy of the environment, reuses no connection and unpacks
no compressed answer.

For dialling, the name is resolved here, every address is judged, and the address judged is dialled.
Between judging and dialling nobody is asked again, so a name that changes its address in between
(DNS rebinding) gains nothing; and odd ways to write an address (decimal, octal, hexadecimal, fewer
than four parts) are judged by what the system's resolver makes of them.
"""

import re
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import httpcore2

from tomahto.outgoing.destination import (
    Address,
    AllowList,
    AnswerTooLarge,
    Destination,
    DestinationRefused,
    NoAnswer,
    OutgoingError,
    TimedOut,
    is_public,
    read_address,
    read_destination,
)
from tomahto.outgoing.messages import USUAL_LIMITS, Clock, Limits, Request, Response, SystemClock

_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[\t -~]*")
# what the client itself decides
_RESERVED = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding"}
)

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses the system's resolver gives, each once, in its order. Raises NoAnswer."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAnswer(f"{host}: the name has no address ({error})") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


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


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment by which everything must be done."""

    clock: Clock
    at: float

    def within(self, timeout: float | None, error: type[httpcore2.TimeoutException]) -> float:
        """The seconds one step may take. Raises the error if none are left."""
        left = self.at - self.clock.now()
        if left <= 0:
            raise error("the request took too long")
        return left if timeout is None else min(timeout, left)


class Dialler(httpcore2.NetworkBackend):
    """Opens connections for one request, to permitted addresses and until the deadline only."""

    def __init__(
        self,
        *,
        allowed: AllowList,
        resolve: Resolve,
        deadline: Deadline,
        network: httpcore2.NetworkBackend,
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._deadline = deadline
        self._network = network

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Dial the addresses in turn. Raises DestinationRefused before anything is dialled if
        any of them is not permitted: an honest public name has no address inside."""
        addresses = [self._permitted(host, port, text) for text in self._resolve(host, port)]
        failure: Exception = NoAnswer(f"{host}: the name has no address")
        for address in addresses:
            limit = self._deadline.within(timeout, httpcore2.ConnectTimeout)
            try:
                stream = self._network.connect_tcp(
                    str(address), port, limit, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return TimedStream(stream, self._deadline)
        raise failure

    def _permitted(self, host: str, port: int, text: str) -> Address:
        address = read_address(text)
        if address is None:
            raise NoAnswer(f"{host}: {text!r} is not an address")
        if not is_public(address) and not self._allowed.permits(host, address, port):
            raise DestinationRefused(
                f"{host}: {address} is not on the public internet; to permit it, add "
                f"{_entry(host, port)} to TOMAHTO_OUTGOING_ALLOWED"
            )
        return address


class TimedStream(httpcore2.NetworkStream):
    """A connection on which no step goes on after the deadline."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.within(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.within(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        limit = self._deadline.within(timeout, httpcore2.ConnectTimeout)
        return TimedStream(
            self._stream.start_tls(ssl_context, server_hostname, limit), self._deadline
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _entry(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
