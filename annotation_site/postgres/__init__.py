"""Django's PostgreSQL engine with a cheaper health check and durable commits, named by the
settings; and how long its server lets a connection ask, and keep a transaction open without
asking."""

from typing import NamedTuple

_HOUR = 3600


class Limits(NamedTuple):
    """In seconds, 0 for no limit. A statement is cancelled, an idle transaction's connection ended.

    What is read through a cursor may take longer.
    """

    statement: int = _HOUR
    idle: int = _HOUR

    def as_sql(self) -> str:
        return (
            f"SET statement_timeout = '{self.statement}s';"
            f" SET idle_in_transaction_session_timeout = '{self.idle}s'"
        )


OF_WORK = Limits()
"""Of jobs and commands, and of whoever does not say that it answers requests."""


def of_requests(statement: int) -> Limits:
    # longer than any request computes between two statements
    return Limits(statement, idle=300)
