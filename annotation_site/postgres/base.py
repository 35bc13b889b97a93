"""The engine: kept connections are checked without a round trip, commits are durable, and what a
statement takes hangs less on what the planner expects."""

import select

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from annotation_site.postgres.durability import DURABLE_COMMITS, DurabilityValidation
from annotation_site.postgres.limits import OF_WORK

_PLANNING = "SET cursor_tuple_fraction = 1; SET jit = off"


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for the check of a kept connection and for what a commit promises.

    Django asks the server `SELECT 1` before every request. A server that has ended a connection
    has said so on its socket, so only a socket with something to read needs that question.

    A commit has reached the disk when it returns, even where the server or the role is set up with
    `synchronous_commit=off`; what promises more than the disk is left as it is.

    Whoever opens a cursor here reads it to its end. The server supposes a tenth otherwise, and
    takes plans that give the first row soon and the last one late: an export took 100 times as
    long. Nor does it compile statements that it expects to be dear, which takes it seconds: the
    dearest take less than that here.

    `LIMITS` of the settings end what takes too long.
    """

    validation_class = DurabilityValidation

    def init_connection_state(self) -> None:
        super().init_connection_state()
        self.connection.execute(DURABLE_COMMITS)
        self.connection.execute(_PLANNING)
        self.connection.execute(self.settings_dict.get("LIMITS", OF_WORK).as_sql())

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
