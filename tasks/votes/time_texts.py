"""Times that the database hands over as texts: of many rows these are read several times sooner."""

from datetime import UTC, datetime
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func, TextField
from django.db.models.sql.compiler import SQLCompiler

_SECONDS, _MICROSECONDS = 19, 26  # letters of 2026-03-01 12:00:00, without and with a fraction


class TimeText(Func):
    """A time in UTC, such as 2026-03-01 12:00:00.5: the text that SQLite stores."""

    output_field = TextField()
    template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **more: Any
    ) -> tuple[str, tuple[str | int, ...]]:
        """A column as it is would be of a type that Django reads."""
        cast = "CAST(%(expressions)s AS text)"
        sql, parameters = self.as_sql(compiler, connection, template=cast, **more)
        return sql, tuple(parameters)


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def iso_of(text: str) -> str:
    """As `isoformat` writes the time."""
    if len(text) not in (_SECONDS, _MICROSECONDS):
        return time_of(text).isoformat()
    return f"{text[:10]}T{text[11:].removesuffix('.000000')}+00:00"
