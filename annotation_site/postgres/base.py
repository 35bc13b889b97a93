"""The engine: kept connections are checked without a round trip, commits are durable, and what a
statement takes hangs less on what the planner expects."""

import select
from typing import Any

from django.core import checks
from django.db.backends.base.validation import BaseDatabaseValidation
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from annotation_site.postgres import OF_WORK

DURABLE_COMMITS = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'
"""
# only the server's own administrator can change these
_NEEDED = ("fsync", "full_page_writes")
_SETTINGS = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name"


class DurabilityValidation(BaseDatabaseValidation):
    """Warns, whenever the site migrates, of a server that may lose what it has committed."""

    def check(self, **_options: Any) -> list[checks.CheckMessage]:
        with self.connection.cursor() as cursor:
            cursor.execute(_SETTINGS, [list(_NEEDED)])
            return [
                checks.Warning(
                    f"PostgreSQL runs with {name} = off.",
                    hint=f"A crash of its machine may lose ratings. Set {name} = on in "
                    "postgresql.conf.",
                    id="annotation_site.W001",
                )
                for (name,) in cursor.fetchall()
            ]


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
