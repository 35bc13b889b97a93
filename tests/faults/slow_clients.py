"""Clients who take their time: a byte now and then, or none at all."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from threading import Event, Thread

EVERY = 0.2  # seconds between two bytes
SILENT = b""
HEADERS = b"GET /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
FORM = (
    b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nusername="
)
CHUNKS = (
    b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n\r\nffff\r\nusername="
)
# more than the system keeps for who does not read
READER = b"GET /static/vendor/chartjs/chart.umd.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 12
KINDS = (SILENT, HEADERS, FORM, CHUNKS, READER)
SPEAK_ON = (HEADERS, FORM, CHUNKS)


class SlowClient:
    """A connection that has sent the beginning of something."""

    def __init__(self, port: int, kind: bytes, source: str = "127.0.0.1") -> None:
        self.kind = kind
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((source, 0))
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(kind)

    def go_on(self) -> None:
        """A byte more, if it is one who speaks."""
        if self.kind in SPEAK_ON:
            with suppress(OSError):
                self.socket.send(b"x")

    def is_open(self) -> bool:
        """Whether the server has not ended the connection. What it sent stays unread."""
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


@contextmanager
def slow_clients(
    port: int, count: int, kinds: Sequence[bytes] = KINDS, sources: Sequence[str] = ("127.0.0.1",)
) -> Iterator[list[SlowClient]]:
    """So many, of all kinds and from all addresses in turn; each goes on until the block ends."""
    places = zip(cycle(kinds), cycle(sources), strict=False)
    clients = [SlowClient(port, kind, source) for kind, source in islice(places, count)]
    is_over = Event()

    def go_on() -> None:
        while not is_over.wait(EVERY):
            for client in clients:
                client.go_on()

    thread = Thread(target=go_on)
    thread.start()
    try:
        yield clients
    finally:
        is_over.set()
        thread.join()
        for client in clients:
            client.socket.close()
