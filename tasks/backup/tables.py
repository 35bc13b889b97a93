"""Which tables a backup holds, and their rows in an order that no database decides."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import CharField, F, Field, Model, QuerySet
from django.db.models.functions import Collate

# sessions: worth nothing without the secret key, and a key to somebody's account with it; when the
# scheduler of another site was heard of; what the explorer works out again from the rest
LEFT_OUT = frozenset({"django_session", "tasks_schedulertick"}) | {
    *("tasks_itemsummary", "tasks_itemscore", "tasks_staleitem"),
}
# a new database has rows in these already; outcomes can be added to, the rest is replaced
OUTCOMES = "tasks_outcome"
REPLACED = frozenset({"django_content_type", "auth_permission"})

_ROWS_AT_A_TIME = 2000
_CODE_POINTS = {"postgresql": "C", "sqlite": "BINARY"}


def backed_up_models() -> list[type[Model]]:
    """The models of all tables of a backup, each after those that its rows point at.

    Where two tables point at each other, one comes first all the same.
    """
    ordered: dict[type[Model], None] = {}
    for model in sorted(apps.get_models(include_auto_created=True), key=_table):
        if model._meta.managed and not model._meta.proxy and _table(model) not in LEFT_OUT:
            _visit(model, ordered, set())
    return list(ordered)


def _visit(model: type[Model], ordered: dict[type[Model], None], begun: set[type[Model]]) -> None:
    if model in ordered or model in begun:
        return
    begun.add(model)
    for field in model._meta.concrete_fields:
        if isinstance(field.related_model, type):
            _visit(field.related_model, ordered, begun)
    ordered[model] = None


def _table(model: type[Model]) -> str:
    return model._meta.db_table


def columns_of(model: type[Model]) -> tuple[str, ...]:
    return tuple(str(field.column) for field in model._meta.concrete_fields)


def fields_of(model: type[Model], columns: Collection[str]) -> list["Field[Any, Any]"]:
    """The fields of these columns, in their order."""
    by_column = {field.column: field for field in model._meta.concrete_fields}
    return [by_column[column] for column in columns]


def rows_of(
    model: type[Model],
    fields: Sequence["Field[Any, Any]"],
    *,
    using: str = DEFAULT_DB_ALIAS,
    among: Collection[Any] | None = None,
) -> Iterator[tuple[Any, ...]]:
    """The values of these fields, a tuple for each row by its key; `among`: of these keys only.

    Text keys are in the order of code points. Only a few thousand rows are in memory at a time.
    """
    rows: QuerySet[Model] = model._base_manager.using(using)
    if among is not None:
        rows = rows.filter(pk__in=among)
    key = model._meta.pk
    order: F | Collate = F(key.attname)
    if isinstance(key, CharField):
        order = Collate(key.attname, _CODE_POINTS[connections[using].vendor])
    names = [field.attname for field in fields]
    return rows.order_by(order).values_list(*names).iterator(chunk_size=_ROWS_AT_A_TIME)


def filled_tables(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The tables that have rows although the database is said to be a new one."""
    return [
        _table(model)
        for model in backed_up_models()
        if _table(model) not in {OUTCOMES, *REPLACED} and model._base_manager.using(using).exists()
    ]
