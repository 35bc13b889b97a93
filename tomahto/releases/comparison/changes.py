"""What differs between two releases: counts of everything, and the changes one by one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
        return {
            "added": list(self.added.first),
            "removed": list(self.removed.first),
            "label_changed": _changes_json(self.labels.first),
            "split_changed": _changes_json(self.splits.first),
            "text_changed": _fields_json(self.texts.first),
            "details_changed": _fields_json(self.details.first),
        }

    def counts(self) -> dict[str, int]:
        return {
            "added": self.added.count,
            "removed": self.removed.count,
            "label_changed": self.labels.count,
            "split_changed": self.splits.count,
            "text_changed": self.texts.count,
            "details_changed": self.details.count,
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

    def as_json(self, *names: str) -> dict[str, Any]:
        """`names` are those of the parts of a key."""
        groups = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return {
            name: {
                "count": found.count,
                "ids": [dict(zip(names, key, strict=True)) for key in found.first],
            }
            for name, found in groups.items()
        }


def _changes_json(changes: Iterable[Change]) -> list[dict[str, str]]:
    return [{"id": change.id, "from": change.before, "to": change.after} for change in changes]


def _fields_json(changes: Sequence[FieldChange]) -> list[dict[str, Any]]:
    return [{"id": change.id, "fields": list(change.fields)} for change in changes]
