"""A column of sealed texts (tasks/sealing/texts.py)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from django.apps import apps
from django.db import models

from tasks.sealing.texts import Unreadable, opened, place_of, seal

if TYPE_CHECKING:
    SealedBase = models.TextField[str, str]
else:  # Django's fields are generic for the type checker only
    SealedBase = models.TextField


class SealedField(SealedBase):
    """A secret, as it was sealed for its row: so the row has to have a key before.

    `seal_texts` fills it, `opened_text` reads it; the value itself says nothing.
    """


class SealedColumn(NamedTuple):
    """A model and one of its sealed fields."""

    model: type[models.Model]
    field: SealedField

    def place(self, key: object) -> str:
        """What the texts of the row with this key are sealed for."""
        return place_of(self.model._meta.db_table, str(self.field.column), key)


def sealed_columns() -> list[SealedColumn]:
    """Every column of the site that holds sealed texts."""
    return [
        SealedColumn(model, field)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, SealedField)
    ]


def seal_texts(row: models.Model, **texts: str) -> None:
    """Give sealed fields of a stored row these texts; whoever calls saves the row."""
    for name, text in texts.items():
        setattr(row, name, seal(text, _place(row, name)))


def opened_text(row: models.Model, name: str) -> str | None:
    """What is sealed in a field of the row; None where the site cannot read it any more."""
    try:
        return opened(getattr(row, name), _place(row, name))
    except Unreadable:
        return None


def are_readable(row: models.Model) -> bool:
    """Whether the site can read all that is sealed in the row."""
    return all(opened_text(row, name) is not None for name in _names(row))


def _names(row: models.Model) -> Iterator[str]:
    fields = row._meta.concrete_fields
    return (field.name for field in fields if isinstance(field, SealedField))


def _place(row: models.Model, name: str) -> str:
    field = row._meta.get_field(name)
    if row.pk is None:
        raise ValueError(f"{name} is sealed for a row, and this one is not stored yet")
    return place_of(row._meta.db_table, str(getattr(field, "column", name)), row.pk)
