"""A network that can be told to fail: a TCP proxy on loopback, in a thread of its own.

`Proxy` passes bytes on, as slowly as it is told, and can break every connection or take no new
one. `CuttingProxy` reads HTTP and cuts the connection at the first submission of each key.
"""

import asyncio
import re
import socket
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Literal, TypeVar

Place = Literal["in the request", "before the answer", "in the answer", "nowhere"]

_RESET = struct.pack("ii", 1, 0)  # what is unsent is thrown away, and the peer hears a reset
_KEY = re.compile(rb"^Idempotency-Key: *(\S+)", re.IGNORECASE | re.MULTILINE)
_LENGTH = re.compile(rb"^Content-Length: *(\d+)", re.IGNORECASE | re.MULTILINE)


class Proxy:
    """Stands before a port of 127.0.0.1. Attributes may be set at any time, from any thread."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0  # seconds, for everything that goes to the target
        self.is_open = True
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._writers: set[StreamWriter] = set()

    def reset_all(self) -> None:
        """Break every connection that there is."""
        asyncio.run_coroutine_threadsafe(self._reset_all(), self._loop).result()

    async def serve(self, client: StreamReader, to_client: StreamWriter) -> None:
        """One connection of a client."""
        server, to_server = await self.connect()
        try:
            await _first_of(
                self._pass(client, to_server, is_slow=True), self._pass(server, to_client)
            )
        finally:
            self.forget(to_server)

    async def connect(self) -> tuple[StreamReader, StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers.add(writer)
        return reader, writer

    def forget(self, writer: StreamWriter) -> None:
        self._writers.discard(writer)
        writer.close()

    async def _pass(
        self, source: StreamReader, sink: StreamWriter, *, is_slow: bool = False
    ) -> None:
        while content := await source.read(1 << 16):
            if is_slow and self.delay:
                await asyncio.sleep(self.delay)
            sink.write(content)
            await sink.drain()

    async def _accept(self, client: StreamReader, to_client: StreamWriter) -> None:
        if not self.is_open:
            reset(to_client)
            return
        self._writers.add(to_client)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await self.serve(client, to_client)
        finally:
            self.forget(to_client)

    async def _reset_all(self) -> None:
        for writer in list(self._writers):
            reset(writer)

    async def _listen(self) -> asyncio.Server:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    @contextmanager
    def running(self) -> Iterator[None]:
        server = self._loop.run_until_complete(self._listen())
        thread = Thread(target=self._loop.run_forever)
        thread.start()
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(self._end(server), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    async def _end(self, server: asyncio.Server) -> None:
        server.close()
        await self._reset_all()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


class CuttingProxy(Proxy):
    """Before a web server: cuts the connection when it first sees a key; `cut` lists those keys."""

    def __init__(self, target: int) -> None:
        super().__init__(target)
        self.place: Place = "nowhere"
        self.cut: list[bytes] = []

    async def serve(self, client: StreamReader, to_client: StreamWriter) -> None:
        server, to_server = await self.connect()
        try:
            while await self._one_request(client, to_client, server, to_server):
                pass
        finally:
            self.forget(to_server)

    async def _one_request(
        self,
        client: StreamReader,
        to_client: StreamWriter,
        server: StreamReader,
        to_server: StreamWriter,
    ) -> bool:
        """Whether the connection still stands afterwards."""
        head, body = await _message(client)
        place = self._place(head)
        if place == "in the request":
            to_server.write(head + body[: len(body) // 2])
            await to_server.drain()
            reset(to_server)
            reset(to_client)
            return False
        to_server.write(head + body)
        answer = b"".join(await _message(server))
        if self.delay:
            await asyncio.sleep(self.delay)
        if place == "nowhere":
            to_client.write(answer)
            await to_client.drain()
            return True
        if place == "in the answer":
            to_client.write(answer[: len(answer) - 10])
            await to_client.drain()
            to_client.close()
            return False
        reset(to_client)
        return False

    def _place(self, head: bytes) -> Place:
        found = _KEY.search(head)
        if self.place == "nowhere" or found is None or found[1] in self.cut:
            return "nowhere"
        self.cut.append(found[1])
        return self.place


def reset(writer: StreamWriter) -> None:
    """End a connection as a network does that has lost it: without a farewell."""
    connection: socket.socket | None = writer.get_extra_info("socket")
    if connection is not None and not writer.transport.is_closing():
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


async def _message(source: StreamReader) -> tuple[bytes, bytes]:
    """Head and body of one HTTP message."""
    head = await source.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head, await source.readexactly(int(length[1]) if length else 0)


async def _first_of(*ways: Coroutine[None, None, None]) -> None:
    """Until one of them has ended; then all have."""
    tasks = [asyncio.ensure_future(way) for way in ways]
    _done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


P = TypeVar("P", bound=Proxy)


@contextmanager
def running_proxy(proxy: P) -> Iterator[P]:
    with proxy.running():
        yield proxy
