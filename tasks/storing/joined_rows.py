"""Hand-written joins as model instances.

For the few reads of the rater's cycle, which run thousands of times a minute: there the ORM takes
several times longer to build the statement (about 1 ms for four joined tables) than the database
takes to answer it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from django.db import connection, models

LARGEST_ID = 2**63 - 1
"""What stands for any larger id in a parameter: no row has it, and no database takes a larger."""


def columns(**tables: type[models.Model]) -> str:
    """The select list of the plain columns of these tables, each under the alias it is named by."""
    return ", ".join(
        f"{alias}.{field.column}" for alias, model in tables.items() for field in _plain(model)
    )


def fetch_joined(
    statement: str, parameters: Sequence[Any], *tables: type[models.Model]
) -> list[Any] | None:
    """One instance per table from the first row of a statement, None if there is no row.

    The statement selects `columns` of the same tables in the same order. A table that an outer
    join did not find gives None. Fields left out of `columns` are loaded when they are used.
    """
    row = fetch_row(statement, parameters)
    return None if row is None else instances(row, *tables)


def fetch_row(statement: str, parameters: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a statement as the database gives it, None if there is no row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def instances(row: Iterable[Any], *tables: type[models.Model]) -> list[Any]:
    """One instance per table from the values of `columns` of the same tables in the same order."""
    values = iter(row)
    return [_instance(model, values) for model in tables]


@cache
def _plain(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    """The fields whose values both databases give as Django wants them."""
    converted = (models.DateTimeField, models.JSONField)
    return [field for field in model._meta.concrete_fields if not isinstance(field, converted)]


def _instance(model: type[models.Model], values: Iterator[Any]) -> models.Model | None:
    names = [field.attname for field in _plain(model)]
    taken = list(islice(values, len(names)))
    return None if taken[0] is None else model.from_db(connection.alias, names, taken)
