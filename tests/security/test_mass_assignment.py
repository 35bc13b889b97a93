"""A request changes what its form or its operation names, and nothing else.

Every form of every page is sent as a browser would send it, and every operation of the schema with
what it requires: once so, and once with every field of every model beside it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.test import Client

from tests.security.conftest import signed_in
from tests.security.filled import Filled
from tests.security.writes import Write, forms, operations

pytestmark = pytest.mark.slow


MARK = "mass-assigned"
_ASSIGNED_YEAR = 2001
# What every request writes anew, whatever it says: times, and what is drawn at random.
_DRAWN = (
    "digest",
    "hash",
    "previous",
    "secret",
    "key",
    "password",
    "pseudonym",
    "path",
    "seed",
    "_at",
    "last_login",
)
Snapshot = dict[str, dict[Any, tuple[Any, ...]]]


def extras(write: Write) -> dict[str, Any]:
    """Every field of every model that the request does not name itself."""
    return {
        name: value if write.is_json else str(value)
        for name, value in _every_field().items()
        if name not in write.named
    }


def _every_field() -> dict[str, Any]:
    """A value for every column that any table has, other than any it has now."""
    return {
        name: _value(column)
        for model in apps.get_models()
        for column in model._meta.get_fields()
        if isinstance(column, models.Field)
        for name in {column.name, getattr(column, "attname", column.name)}
    }


def _value(column: Any) -> Any:
    if isinstance(column, models.BooleanField):
        return not column.default if column.has_default() else True
    if isinstance(column, models.DateTimeField):
        return f"{_ASSIGNED_YEAR}-01-01T00:00:00Z"
    if isinstance(column, models.IntegerField | models.FloatField | models.ForeignKey):
        return 2
    if column.choices:
        return column.choices[-1][0]
    return MARK


def snapshot() -> Snapshot:
    """Every table's rows by their primary key, without what is drawn or told by the clock."""
    found: Snapshot = {}
    for model in apps.get_models():
        columns = [
            column for column in model._meta.concrete_fields if not column.name.endswith(_DRAWN)
        ]
        names = ", ".join(f'"{column.column}"' for column in columns)
        key = model._meta.pk.column
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT "{key}", {names} FROM "{model._meta.db_table}"')
            rows = [tuple(map(_without_time, row)) for row in cursor.fetchall()]
        found[model.__name__] = {row[0]: row[1:] for row in rows}
    found.pop("Session")
    return found


def _without_time(cell: Any) -> Any:
    """Of a time no more than whether it is the one that was assigned."""
    return cell.year == _ASSIGNED_YEAR if isinstance(cell, datetime) else cell


def changes(before: Snapshot, after: Snapshot) -> dict[str, list[tuple[Any, ...]]]:
    """The rows that are new or other, by table."""
    rows = {
        name: [row for key, row in found.items() if before[name].get(key) != row]
        + [("gone", key) for key in before[name].keys() - found.keys()]
        for name, found in after.items()
    }
    return {name: found for name, found in rows.items() if found}


def effect(client: Client, write: Write, before: Snapshot, more: Mapping[str, Any]) -> Any:
    """Status and changes of a request that is undone again."""
    cookies = client.cookies.output()
    with transaction.atomic():
        status = write.send(client, more).status_code
        changed = changes(before, snapshot())
        transaction.set_rollback(True)
    client.cookies.load(cookies)
    return status, changed


def _apart(plain: Any, more: Any) -> list[Any]:
    """The rows of either that the other has not."""
    return [
        (table, [row for row in rows if row not in other.get(table, [])])
        for changed, other in ((plain, more), (more, plain))
        for table, rows in changed.items()
        if rows != other.get(table)
    ]


@pytest.mark.thorough
def test_no_request_changes_a_field_that_it_does_not_declare(filled: Filled) -> None:
    client = signed_in(filled.usernames["admin"])
    writes = [*operations(filled), *forms(client, filled)]
    before, wrong, effective = snapshot(), [], 0
    for write in writes:
        plain = effect(client, write, before, {})
        more = effect(client, write, before, extras(write))
        effective += bool(plain[1])
        if (more[1] and more[1] != plain[1]) or MARK in repr(more[1]):  # or refused as a whole
            wrong.append((write.address, *_apart(plain[1], more[1])))
    assert wrong == []
    assert effective >= 25, f"only {effective} of {len(writes)} requests changed anything"
