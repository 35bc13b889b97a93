"""Conditions that the database looks up row by row, and makes no join of.

PostgreSQL's planner takes a table for an empty one after rows of it were rolled back. It joins such
tables by comparing each row of one with each of the other, which takes minutes with some thousand
ratings. A bare EXISTS and a subquery behind IN become joins. What stands in a CASE does not: it is
looked up by an index, or in a table of hashes where many rows ask for it.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from tasks.models import Adjudication, Rating
from tasks.storing.batches import BATCH, batches

_Row = TypeVar("_Row")


def there_is(rows: QuerySet[Any, Any]) -> Q:
    """Whether there is one of these rows, which say by OuterRef to what they belong."""
    return Q(
        Case(
            When(Exists(rows), then=Value(True)), default=Value(False), output_field=BooleanField()
        )
    )


def is_last_revision(model: type[Adjudication | Rating]) -> Q:
    """Whether a rating or decision stands, and none supersedes it."""
    # that it names one at all is said so that only those that do are made hashes of
    later = model._default_manager.filter(supersedes=OuterRef("pk"), supersedes__isnull=False)
    return ~there_is(later)


def rows_with(
    query: QuerySet[Any, _Row], field: str, values: Iterable[int] | Iterable[str]
) -> Iterator[_Row]:
    """The rows of a query with one of these values in a field, in no order.

    PostgreSQL takes the values as one array, as quickly as it would have found them itself.
    """
    for batch in batches(values, _AT_ONCE[connection.vendor]):
        if connection.vendor == "postgresql":
            yield from query.filter(_is_one_of(field, batch))
        else:
            yield from query.filter(**{f"{field}__in": batch})


_AT_ONCE = {"postgresql": 100_000, "sqlite": BATCH}


def _is_one_of(field: str, values: list[Any]) -> Q:
    kind = "text" if isinstance(values[0], str) else "bigint"
    array = Value(values)
    template = f"%(expressions)s::{kind}[])"
    found = Func(
        F(field), array, arg_joiner=" = ANY(", template=template, output_field=BooleanField()
    )
    return Q(found)
