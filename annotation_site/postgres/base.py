"""The engine: connections that outlive a request are checked without a round trip."""

import select

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for the check of a kept connection.

    Django asks the server `SELECT 1` before every request. A server that has ended a connection
    has said so on its socket, so only a socket with something to read needs that question.
    """

    def is_usable(self) -> bool:
        return self._is_quiet() or super().is_usable()

    def _is_quiet(self) -> bool:
        """Whether the connection is idle and nothing has arrived on its socket."""
        connection = self.connection
        if connection is None or connection.closed:
            return False
        if connection.info.transaction_status != TransactionStatus.IDLE:
            return False
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        return not poll.poll(0)
