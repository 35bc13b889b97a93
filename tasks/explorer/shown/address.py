"""The explorer's address: what is asked and which columns, as short as it can be."""

from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import urlencode

from tasks.explorer.queries.asked import Asked

_ASKED = {field.name: field.default for field in fields(Asked)}


@dataclass(frozen=True, slots=True)
class ListAddress:
    """What stands after the question mark; `columns` are the names of those that were chosen."""

    asked: Asked
    columns: tuple[str, ...] = ()

    def query(self, **changes: Any) -> str:
        """With these parameters instead, from the beginning of the list unless a cursor is one."""
        cursor = changes.get("cursor", "")
        changed = ListAddress(replace(self.asked, **changes), self.columns)
        return urlencode([*changed.parts, *([("cursor", cursor)] if cursor else [])])

    @property
    def parts(self) -> list[tuple[str, Any]]:
        """What `in_order` says, by name."""
        given = [(name, getattr(self.asked, name)) for name in _ASKED if name != "cursor"]
        named = [(name, value) for name, value in given if value != _ASKED[name]]
        return [*named, ("columns", ",".join(self.columns))] if self.columns else named

    @property
    def here(self) -> str:
        """The very page that is shown."""
        return self.query(cursor=self.asked.cursor)

    @property
    def for_calls(self) -> str:
        """As the API takes it: without columns."""
        return ListAddress(self.asked).query()

    @property
    def for_client(self) -> str:
        """As arguments of the Python client's `items`."""
        return ", ".join(f"{name}={value!r}" for name, value in ListAddress(self.asked).parts)

    @property
    def in_order(self) -> str:
        return self.query()
