"""A real HTTP server on loopback that plays a script: one act per request, in order."""

import json
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, TypeAlias

Act: TypeAlias = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Received:
    """A request as it came in. Names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class LocalServer:
    """The requests, and the answers still to be played; `otherwise` is played when none is left."""

    port: int
    script: deque[Act] = field(default_factory=deque)
    received: list[Received] = field(default_factory=list)
    otherwise: Callable[[Received], Act] | None = None
    is_over: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def allowed(self) -> str:
        """The entry of an allow-list that permits this server."""
        return f"127.0.0.1:{self.port}"

    def next_act(self, request: Received) -> Act:
        with self._lock:
            self.received.append(request)
            if self.script:
                return self.script.popleft()
        if self.otherwise is None:
            raise AssertionError(f"nobody expected {request.method} {request.path}")
        return self.otherwise(request)

    def never_answers(self) -> Act:
        """Holds the connection open without a word until the test is over."""
        return lambda _: void(self.is_over.wait())


def void(_: object) -> None:
    """For a lambda whose value nobody wants."""


def answers(
    body: bytes | str | Mapping[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Act:
    """A complete answer; a mapping is sent as JSON."""
    kind = "application/json" if isinstance(body, Mapping) else "text/plain"
    text = json.dumps(body) if isinstance(body, Mapping) else body
    content = text.encode() if isinstance(text, str) else text

    def play(handler: BaseHTTPRequestHandler) -> None:
        sent = {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})}
        handler.send_response(status)
        for name, value in sent.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return play


def breaks_off(body: bytes, *, after: int) -> Act:
    """Promises the whole body and closes the connection after so many bytes of it."""

    def play(handler: BaseHTTPRequestHandler) -> None:
        answers(body[:after], headers={"Content-Length": str(len(body))})(handler)

    return play


def resets(handler: BaseHTTPRequestHandler) -> None:
    """Answers with a TCP reset."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.connection.close()
    handler.close_connection = True


def drips(pieces: Iterator[bytes]) -> Act:
    """A chunked answer, piece by piece, until the client has gone."""

    def play(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        try:
            for piece in pieces:
                handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            handler.close_connection = True

    return play


@contextmanager
def local_server() -> Iterator[LocalServer]:
    """A server on a free port, stopped at the end with all its connections."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._act(b"")

        def do_POST(self) -> None:
            self._act(self.rfile.read(int(self.headers["Content-Length"])))

        def _act(self, body: bytes) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.command, self.path, headers, body)
            self.close_connection = True
            server.next_act(received)(self)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def finish(self) -> None:
            # the client may have gone, or the connection have been reset on purpose
            with suppress(OSError):
                super().finish()

    class Server(ThreadingHTTPServer):
        daemon_threads = False  # closing waits for every connection

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is no error of the test."""

    with Server(("127.0.0.1", 0), Handler) as listening:
        server = LocalServer(listening.server_address[1])
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.is_over.set()
            listening.shutdown()
            thread.join()
