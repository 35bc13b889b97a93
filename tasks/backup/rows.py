"""A row as a line of JSON that says the same whichever database it came from."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Field, JSONField
from django.utils.duration import duration_string

# from here on PostgreSQL's jsonb writes a float as a whole number
_WHOLE_FROM = 1e16
# where the files of a release are; what lies in the site's own folder moves with that
_PLACE = ("tasks_release", "path")
_OWN = "releases:"


def lines_of(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A line of UTF-8 for each row: a JSON array of its values, keys of objects sorted."""
    writers = [writer_of(field) for field in fields]
    for row in rows:
        values = [write(value) for write, value in zip(writers, row, strict=True)]
        yield f"{as_json(values)}\n".encode()


def as_json(value: Any) -> str:
    """The text of a line, or of a value in one."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_as_text
    )


def writer_of(field: "Field[Any, Any]") -> Callable[[Any], Any]:
    """A function from a value of the field to what stands for it in a line."""
    if isinstance(field, JSONField):
        return _portable
    if is_place(field):
        return _portable_place
    return _unchanged


def site_place(place: str) -> str:
    """The place of a release on this site, from that in a line."""
    if place.startswith(_OWN):
        return str(Path(settings.RELEASES_DIR) / place.removeprefix(_OWN))
    return place


def is_place(field: "Field[Any, Any]") -> bool:
    """Whether it says where the files of a release are."""
    return (field.model._meta.db_table, field.column) == _PLACE


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
