"""A row as a line of JSON that says the same whichever database it came from."""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, JSONField
from django.utils.duration import duration_string

# from here on PostgreSQL's jsonb writes a float as a whole number
_WHOLE_FROM = 1e16
# where the files of a release are; what lies in the site's own folder moves with that
_PLACE = ("tasks_release", "path")
_OWN = "releases:"


def lines_of(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A line of UTF-8 for each row: a JSON array of its values, keys of objects sorted."""
    writers = [_writer(field) for field in fields]
    for row in rows:
        values = [write(value) for write, value in zip(writers, row, strict=True)]
        line = json.dumps(
            values, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_as_text
        )
        yield f"{line}\n".encode()


def stored_values(
    fields: Sequence["Field[Any, Any]"], line: bytes, database: BaseDatabaseWrapper
) -> list[Any]:
    """The values of a line as the database takes them. Raises ValueError."""
    try:
        values = json.loads(line)
        return [
            field.get_db_prep_save(_read(field, value), database)
            for field, value in zip(fields, values, strict=True)
        ]
    except (TypeError, AttributeError, ArithmeticError, RecursionError, ValidationError) as error:
        raise ValueError(str(error)) from error


def _writer(field: "Field[Any, Any]") -> Any:
    if isinstance(field, JSONField):
        return _portable
    if (field.model._meta.db_table, field.column) == _PLACE:
        return _portable_place
    return _unchanged


def _read(field: "Field[Any, Any]", value: Any) -> Any:
    if value is None or isinstance(field, JSONField):
        return value
    if (field.model._meta.db_table, field.column) == _PLACE and value.startswith(_OWN):
        return str(Path(settings.RELEASES_DIR) / value.removeprefix(_OWN))
    return field.to_python(value)


def _unchanged(value: Any) -> Any:
    return value


def _portable_place(place: str) -> str:
    own = Path(settings.RELEASES_DIR)
    if not Path(place).is_relative_to(own):
        return place
    return _OWN + Path(place).relative_to(own).as_posix()


def _portable(value: Any) -> Any:
    """The JSON value with its numbers as they are after a stay in either database."""
    match value:
        case dict():
            return {key: _portable(inner) for key, inner in value.items()}
        case list():
            return [_portable(inner) for inner in value]
        case float() if abs(value) >= _WHOLE_FROM or value == 0:
            return int(Decimal(repr(value))) if value else 0.0
        case _:
            return value


def _as_text(value: Any) -> str:
    match value:
        case date() | time():
            return value.isoformat()
        case timedelta():
            return duration_string(value)
        case bytes() | memoryview():
            return base64.b64encode(value).decode()
        case Decimal() | UUID():
            return str(value)
        case _:
            raise TypeError(f"no column holds a {type(value).__name__}")
