"""The differences between two releases: counts of everything, and the changes one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
OpinionKey = tuple[str, ...]  # item id, rater or adjudicator; or question id, system, text


class Change(NamedTuple):
    id: str
    before: str
    after: str


class FieldChange(NamedTuple):
    id: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """`count` changes of one kind, of which `first` lists those that were asked for."""

    count: int
    first: tuple[T, ...]

    def __bool__(self) -> bool:
        return self.count > 0


class Tally(Generic[T]):
    """Counts changes as they come, and keeps the first of them: `limit`, or all if it is None."""

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self._count = 0
        self._first: list[T] = []

    def add(self, change: T) -> None:
        self._count += 1
        if self._limit is None or len(self._first) < self._limit:
            self._first.append(change)

    @property
    def found(self) -> Found[T]:
        return Found(self._count, tuple(self._first))


@dataclass(frozen=True, slots=True)
class ItemChanges:
    """Changes of items, each sorted by id. `details` are fields that are not shown to raters."""

    added: Found[str]
    removed: Found[str]
    labels: Found[Change]
    splits: Found[Change]
    texts: Found[FieldChange]
    details: Found[FieldChange]

    def as_json(self) -> dict[str, Any]:
        return {name: list(map(_written, found.first)) for name, found in self._by_name().items()}

    def counts(self) -> dict[str, int]:
        return {name: found.count for name, found in self._by_name().items()}

    def _by_name(self) -> dict[str, Found[Any]]:
        changed = ("label_changed", "split_changed", "text_changed", "details_changed")
        names = ("added", "removed", *changed)
        return {
            name: getattr(self, each.name) for name, each in zip(names, fields(self), strict=True)
        }


@dataclass(frozen=True, slots=True)
class OpinionChanges:
    """Ratings by item id and rater, adjudications by item id and adjudicator, or systems' answers
    by question id, system and text; sorted."""

    added: Found[OpinionKey]
    removed: Found[OpinionKey]
    changed: Found[OpinionKey]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """`names` are those of the parts of a key."""
        groups = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return {
            name: {
                "count": found.count,
                "ids": [dict(zip(names, key, strict=True)) for key in found.first],
            }
            for name, found in groups.items()
        }


def _written(change: str | Change | FieldChange) -> Any:
    match change:
        case Change(id_, before, after):
            return {"id": id_, "from": before, "to": after}
        case FieldChange(id_, names):
            return {"id": id_, "fields": list(names)}
    return change
