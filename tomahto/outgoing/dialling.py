"""Dialling: the name is resolved here, every address is judged, and the address judged is dialled.

Between judging and dialling nobody is asked again, so a name that changes its address in between
(DNS rebinding) gains nothing; and odd ways to write an address (decimal, octal, hexadecimal, fewer
than four parts) are judged by what the system's resolver makes of them.
"""

import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import httpcore2

from tomahto.outgoing.addresses import Address, is_public, read_address
from tomahto.outgoing.allow_list import AllowList
from tomahto.outgoing.clock import Clock
from tomahto.outgoing.errors import DestinationRefused, NoAnswer

Resolve: TypeAlias = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses the system's resolver gives, each once, in its order. Raises NoAnswer."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAnswer(f"{host}: the name has no address ({error})") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


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
