"""How much of the server each client has: connections, and bytes of large bodies under way."""

from collections.abc import Collection
from typing import Protocol

from annotation_site.serving import limits


class Connection(Protocol):
    """What the shares need of a connection."""

    client: str | None
    promised: int

    def waits_since(self) -> float | None:
        """Since when the client is waited for; None if it waits itself."""

    def end(self) -> None:
        """Close it at once, and leave the shares."""


class Shares:
    """Of one process, for its loop alone. Clients that cannot be told apart have no share."""

    def __init__(self, most_connections: int) -> None:
        self._most = most_connections
        self._open: dict[str | None, dict[Connection, None]] = {}
        self._bytes: dict[str | None, int] = {}

    def enter(self, connection: Connection, client: str | None) -> bool:
        """Count a connection as that client's; False if there is no room for it.

        Room is made by ending the connection of that client that has been waited for longest; or,
        where all clients together have too many, that of whoever has most.
        """
        self.leave(connection)
        group = self._open.get(client, {})
        is_room = True
        if client is not None and len(group) >= limits.CONNECTIONS_OF_ONE:
            is_room = _end_longest(group)
        elif sum(map(len, self._open.values())) >= self._most:
            is_room = _end_longest(max(self._open.values(), key=len))
        if is_room:
            connection.client = client
            self._open.setdefault(client, {})[connection] = None
        return is_room

    def leave(self, connection: Connection) -> None:
        """Count it no more, nor what was promised to it."""
        self.give_back(connection)
        group = self._open.get(connection.client, {})
        group.pop(connection, None)
        if not group:
            self._open.pop(connection.client, None)

    def promise(self, connection: Connection, size: int) -> bool:
        """Keep room for a large body of so many bytes; False if there is none."""
        client = connection.client
        of_one = self._bytes.get(client, 0) + size
        if client is not None and of_one > limits.LARGE_BODIES_OF_ONE:
            return False
        if sum(self._bytes.values()) + size > limits.LARGE_BODIES:
            return False
        self._bytes[client] = of_one
        connection.promised += size
        return True

    def give_back(self, connection: Connection) -> None:
        """The body promised to the connection takes no more room."""
        if not connection.promised:
            return
        self._bytes[connection.client] -= connection.promised
        connection.promised = 0
        if not self._bytes[connection.client]:
            del self._bytes[connection.client]


def _end_longest(group: Collection[Connection]) -> bool:
    """False if none of them waits for its client."""
    waiting = [(since, each) for each in group if (since := each.waits_since()) is not None]
    if not waiting:
        return False
    _since, longest = min(waiting, key=lambda pair: pair[0])
    longest.end()
    return True
