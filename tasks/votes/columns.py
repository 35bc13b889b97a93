"""Numbers of a query as NumPy arrays, without an object for each of them.

PostgreSQL strings the numbers of a column together, those of many rows at a time, so that few
values cross the wire for millions of rows.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import FloatField, Func, QuerySet
from numpy.typing import NDArray

_ROWS = 50_000  # read at once from SQLite
# PostgreSQL sends at most 1 GB as a row, so there are eight, by the last bits of the first column.
# Numbers of transactions have no order: rows are put together without sorting them all for it.
_PART = "(c0 & 7)::text::xid"
_BINARY = 1  # psycopg.pq.Format.BINARY
_SENT = {int: "int8send({}::bigint)", float: "float8send(COALESCE({}::float8, 'NaN'))"}
_AS = {int: ">i8", float: ">f8"}


def columns_of(query: QuerySet[Any, Any], *kinds: type[int | float]) -> tuple[NDArray[Any], ...]:
    """The columns of a `values_list` side by side, in any order of the rows.

    A column is of whole numbers, none of them NULL, or of floats, where NULL is NaN. The first
    one is of whole numbers, the key of a table.
    """
    read = _from_postgres if connection.vendor == "postgresql" else _from_sqlite
    blocks = list(read(query, kinds))
    return tuple(
        np.concatenate([np.empty(0, dtype=kind), *(block[place] for block in blocks)])
        for place, kind in enumerate(kinds)
    )


def _from_postgres(
    query: QuerySet[Any, Any], kinds: Sequence[type[int | float]]
) -> Iterator[Sequence[NDArray[Any]]]:
    inner, parameters = query.order_by().query.sql_with_params()
    names = [f"c{place}" for place in range(len(kinds))]
    sent = (_SENT[kind].format(name) for name, kind in zip(names, kinds, strict=True))
    strung = ", ".join(f"string_agg({number}, '')" for number in sent)
    statement = (
        f"SELECT {strung} FROM ({inner}) AS numbers ({', '.join(names)})"  # noqa: S608 - our names
        f" GROUP BY {_PART}"
    )
    with connection.cursor() as cursor:
        cursor.cursor.format = _BINARY
        cursor.execute(statement, parameters)
        for row in cursor:
            yield [
                np.frombuffer(text, dtype=_AS[kind]).astype(kind)
                for text, kind in zip(row, kinds, strict=True)
            ]


def _from_sqlite(
    query: QuerySet[Any, Any], kinds: Sequence[type[int | float]]
) -> Iterator[Sequence[NDArray[Any]]]:
    statement, parameters = query.order_by().query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        while rows := cursor.fetchmany(_ROWS):
            # beside floats, whole numbers are those below 2^53; None becomes NaN
            numbers = np.array(rows, dtype=np.float64 if float in kinds else np.int64).T
            yield [column.astype(kind) for column, kind in zip(numbers, kinds, strict=True)]


class Microseconds(Func):
    """A time in microseconds since 1970, exact as a float."""

    output_field = FloatField()
    template = "(EXTRACT(EPOCH FROM %(expressions)s) * 1000000)::float8"

    def as_sqlite(self, *arguments: Any, **_options: Any) -> tuple[str, Any]:
        # SQLite's own functions know milliseconds, and some versions round to whole ones: they get
        # the seconds. A text has all digits of the fraction or none.
        text, parameters = arguments[0].compile(self.source_expressions[0])
        seconds = f"CAST(strftime('%%s', substr({text}, 1, 19)) AS integer)"
        return (
            f"({seconds} * 1000000 + CAST(substr({text}, 21, 6) AS integer))",
            (*parameters, *parameters),
        )
