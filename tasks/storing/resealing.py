"""Another secret key: what keys of before have sealed is sealed with the present one.

A batch is one transaction with its entry in the audit log, so a run that is broken off has done
what it has recorded, and the next one goes on from there. Nothing is lost by it: a text is
replaced only by itself, sealed anew, and only if nobody has changed it meanwhile.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Model, QuerySet

from tasks.models import AuditAction
from tasks.models.sealed.field import SealedColumn, sealed_columns
from tasks.sealing.texts import Unreadable, named_key, opened, present_head, seal
from tasks.storing.acts import record

AT_ONCE: Final = 200


class Lost(NamedTuple):
    """A secret that the site has no key for: where it is, and the key that is wanted, if any."""

    place: str
    key: str | None


class Sealed(NamedTuple):
    """How many secrets there are, and how many of them are sealed with which key."""

    total: int
    present: int
    before: int
    lost: list[Lost]


def reseal_all() -> Counter[str]:
    """Seal everything with the present key that can be read; how much, by table and column."""
    done: Counter[str] = Counter()
    for column in sealed_columns():
        name = f"{column.model._meta.db_table}.{column.field.column}"
        for keys in _batches(column):
            done[name] += _reseal(column, name, keys)
    return +done


def sealed_now() -> Sealed:
    """Looks at every secret."""
    present, before, lost = 0, 0, []
    for column in sealed_columns():
        for key, text in _texts(column):
            place = column.place(key)
            try:
                opened(text, place)
            except Unreadable:
                lost.append(Lost(place, named_key(text)))
                continue
            is_present = text.startswith(present_head())
            present, before = present + is_present, before + (not is_present)
    return Sealed(present + before + len(lost), present, before, lost)


def _batches(column: SealedColumn) -> Iterator[list[object]]:
    """The keys of rows that are sealed with another key, as they are when they are asked for."""
    last: object | None = None
    while True:
        rows = _rows(column).exclude(**{f"{column.field.name}__startswith": present_head()})
        if last is not None:
            rows = rows.filter(pk__gt=last)
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])
        if not keys:
            return
        yield keys
        last = keys[-1]


@transaction.atomic
def _reseal(column: SealedColumn, name: str, keys: list[object]) -> int:
    field, done = column.field.name, 0
    for key, text in _rows(column).filter(pk__in=keys).values_list("pk", field):
        place = column.place(key)
        try:
            anew = seal(opened(text, place), place)
        except Unreadable:
            continue
        same = column.model._base_manager.filter(pk=key, **{field: text})
        done += same.update(**{field: anew})
    if done:
        record(
            AuditAction.SECRETS_ROTATED,
            subject=("secrets", name),
            details={"secrets": done, "key": named_key(present_head())},
        )
    return done


def _texts(column: SealedColumn) -> Iterator[tuple[object, str]]:
    return _rows(column).order_by("pk").values_list("pk", column.field.name).iterator()


def _rows(column: SealedColumn) -> QuerySet[Model]:
    return column.model._base_manager.exclude(**{column.field.name: ""})
