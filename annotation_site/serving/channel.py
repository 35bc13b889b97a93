"""A connection: read and written in the loop's thread, its requests answered in others."""

import socket
import time
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel

from annotation_site.serving import limits
from annotation_site.serving.answers import Answer, Refusal
from annotation_site.serving.requests import (
    IncomingRequest,
    TryLater,
    too_large_for_strangers,
)


class Channel(HTTPChannel):  # type: ignore[misc]  # untyped
    """waitress' channel with an end to its patience. Times are monotonic."""

    parser_class = IncomingRequest
    task_class = Answer
    error_task_class = Refusal

    client: str | None = None  # whose share it is of
    promised = 0  # bytes of a large body
    sendbuf_len: int
    will_close: bool = False

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002 - waitress' name
        now = time.monotonic()
        # when the request began that is coming in; it has to begin with the connection
        self._began: float | None = now
        self._quiet_since = now
        self._lingers_until: float | None = None
        self._is_asking = self._is_refused = False
        self._sent, self._turn = 0, limits.SENT_AT_ONCE
        self._owed_since: tuple[float, int] | None = None  # with the bytes sent by then
        self._holds_next, self._held = False, b""
        super().__init__(server, sock, addr, adj, map=map)
        # read at once from files, of which the rest would be read again
        self.sendbuf_len = min(self.sendbuf_len, limits.SENT_AT_ONCE >> 2)
        if not server.shares.enter(self, server.client_at(addr[0])):
            self.end()

    # --- coming in --------------------------------------------------------------------------

    def readable(self) -> bool:
        if self._lingers_until is not None:
            return True
        return not self._is_asking and bool(super().readable())

    def received(self, data: bytes) -> bool:
        if self._lingers_until is not None:
            return False  # and forgotten
        if self._began is None:
            self._began = time.monotonic()
        super().received(data)
        if self.requests:
            self._began = None
        # its thread may have answered it meanwhile
        self._count(self.request or next(iter(self.requests[-1:]), None))
        if self.connected and self.request is not None and self.request.needs_leave:
            self._ask(self.request)
        return True

    def decided(self, request: IncomingRequest, is_known: bool | None) -> None:
        """Take or refuse a large body; None: nobody could be asked."""
        self._is_asking = False
        if request is not self.request or not self.connected:
            return  # it was complete, or the client has gone
        if is_known and self.server.shares.promise(self, request.promised):
            request.give_leave()
            self._continue(request)
        elif is_known or is_known is None:
            self._refuse(request, TryLater("Try again in a while."))
        elif request.content_length:
            self._refuse(request, too_large_for_strangers())
        else:
            self._continue(request)  # chunks, as far as strangers' reach

    def _continue(self, request: IncomingRequest) -> None:
        """Say so to a client that waits for it; else `service` does, after the answers before."""
        request.go_on()
        if request.expect_continue and not self.requests and not self.sent_continue:
            self.send_continue()

    def _ask(self, request: IncomingRequest) -> None:
        """Have it decided: at once if nobody says who they are."""
        request.is_asked_for = True
        if "AUTHORIZATION" in request.headers or "COOKIE" in request.headers:
            self._is_asking = True
            self.server.ask(self, request)
        else:
            self.decided(request, is_known=False)

    def _refuse(self, request: IncomingRequest, error: Any) -> None:
        request.refuse(error)
        with self.requests_lock:
            self.request, self._began = None, None
            self.requests.append(request)
            if len(self.requests) == 1:
                self.server.add_task(self)

    def _count(self, request: IncomingRequest | None) -> None:
        """Behind proxies only headers say whose share a connection is of."""
        if request is None or not request.headers_finished or not self.connected:
            return
        client = self.server.client_of(request.headers, self.addr[0])
        if client != self.client and not self.server.shares.enter(self, client) and self.request:
            self.end()

    # --- going out --------------------------------------------------------------------------

    def writable(self) -> bool:
        if self._lingers_until is not None or self._is_being_written():
            return False
        return bool(super().writable())

    def _is_being_written(self) -> bool:
        """Whether its thread is sending, which wakes the loop if something is left over.

        The loop would find the connection writable, and look again and again, for as long as it
        keeps the interpreter from that thread.
        """
        if not self.requests or not self.total_outbufs_len:
            return False
        if self.outbuf_lock.acquire(blocking=False):
            self.outbuf_lock.release()
            return False
        return True

    def handle_write(self) -> None:
        self._turn = limits.SENT_AT_ONCE
        super().handle_write()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """How much was sent; nothing if the turn is over. Only the loop's thread may close."""
        if do_close and self._turn <= 0:
            return 0
        sent = int(super().send(data, do_close=do_close))
        self._sent += sent
        if do_close:
            self._turn -= sent
        return sent

    def service(self) -> None:
        """In a thread of the application."""
        self._is_refused = self.requests[0].error is not None
        self._holds_next, self._held = False, b""
        super().service()

    def hold_next(self) -> None:
        """What is written next goes out together with what follows it."""
        self._holds_next = True

    def write_soon(self, data: Any) -> int:
        if self._holds_next:
            self._holds_next, self._held = False, data
            return len(data)
        if self._held:
            data, self._held = self._held + data, b""
        return int(super().write_soon(data))

    def send_held(self) -> None:
        """Nothing follows it."""
        if self._held:
            self.write_soon(b"")

    # --- ends -------------------------------------------------------------------------------

    def handle_close(self) -> None:
        """At once; after a refusal once the client had time to read it.

        It may be sending still, and closing then would take the answer from it (RFC 9112, 9.6).
        """
        if self._is_refused and self.will_close and self._lingers_until is None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
                self._lingers_until = time.monotonic() + limits.LINGER_SECONDS
                self.will_close = False
                return
        self.server.shares.leave(self)
        super().handle_close()

    def end(self) -> None:
        self._is_refused = False
        self.handle_close()
        if self.request is not None:
            self.request.close()

    def tend(self, now: float) -> None:
        """To be called about once a second: ends what has taken too long."""
        if self._is_overdue(now):
            self.end()
        elif not self.requests and self.request is None and not self.total_outbufs_len:
            # behind proxies the next request may be another client's
            resting = self.server.client_at(self.addr[0])
            if self.client != resting:
                self.server.shares.enter(self, resting)
        if not self.request and not self.requests:
            self.server.shares.give_back(self)

    def is_idle(self) -> bool:
        """Whether neither side owes the other anything."""
        return not (self.requests or self.request or self.total_outbufs_len or self._is_asking)

    def waits_since(self) -> float | None:
        if self.requests or self.total_outbufs_len or self._is_asking:
            return None
        return self._quiet_since if self._began is None else self._began

    def _is_overdue(self, now: float) -> bool:
        if self._lingers_until is not None:
            return now >= self._lingers_until
        if self.total_outbufs_len:
            self._owed_since = self._owed_since or (now, self._sent)
            since, sent = self._owed_since
            return is_too_slow(now - since, self._sent - sent)
        self._owed_since = None
        if self.requests or self._is_asking:
            self._quiet_since = now
            return False
        if self.request is not None and self.request.headers_finished:
            request = self.request
            return is_too_slow(now - request.headers_at, request.body_bytes_received)
        if self.request is not None and self._began is None:
            self._began = now  # it came with the request before
        if self._began is not None:
            return now - self._began > limits.HEADER_SECONDS
        return bool(now - self._quiet_since > self.server.config.keepalive)


def is_too_slow(seconds: float, count: int) -> bool:
    """Whether so many bytes in so many seconds are too few."""
    return seconds > limits.GRACE_SECONDS + count / limits.BYTES_PER_SECOND
