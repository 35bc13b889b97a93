"""The changes from one release to another, counts of everything and one by one, and the version
number that they require.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from tomahto.releases.comparison.compared import (
    DETAILS,
    KEYS,
    SAYS,
    TEXTS,
    ComparedRelease,
    ComparedRow,
    Heading,
    stored_release,
)
from tomahto.releases.records.columns import TableName
from tomahto.releases.records.fields import Bump, Required, is_enough, parse_version

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
class ChangeSample(Generic[T]):
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
    def found(self) -> ChangeSample[T]:
        return ChangeSample(self._count, tuple(self._first))


@dataclass(frozen=True, slots=True)
class ItemChanges:
    """Changes of items, each sorted by id. `details` are fields that are not shown to raters."""

    added: ChangeSample[str]
    removed: ChangeSample[str]
    labels: ChangeSample[Change]
    splits: ChangeSample[Change]
    texts: ChangeSample[FieldChange]
    details: ChangeSample[FieldChange]

    def as_json(self) -> dict[str, Any]:
        return {name: list(map(_written, found.first)) for name, found in self._by_name().items()}

    def counts(self) -> dict[str, int]:
        return {name: found.count for name, found in self._by_name().items()}

    def _by_name(self) -> dict[str, ChangeSample[Any]]:
        changed = ("label_changed", "split_changed", "text_changed", "details_changed")
        names = ("added", "removed", *changed)
        return {
            name: getattr(self, each.name) for name, each in zip(names, fields(self), strict=True)
        }


@dataclass(frozen=True, slots=True)
class OpinionChanges:
    """Ratings by item id and rater, adjudications by item id and adjudicator, or systems' answers
    by question id, system and text; sorted."""

    added: ChangeSample[OpinionKey]
    removed: ChangeSample[OpinionKey]
    changed: ChangeSample[OpinionKey]

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


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """`settings` and `documentation` name what of them differs
    (tomahto.releases.comparison.compared)."""

    before: Heading
    after: Heading
    settings: tuple[str, ...]
    documentation: tuple[str, ...]
    items: ItemChanges
    ratings: OpinionChanges
    adjudications: OpinionChanges
    answers: OpinionChanges

    @property
    def required_bump(self) -> Required:
        """The least step of the version that is honest.

        major: an item was removed or has another label, split or text, or the protocol or its
        labels differ; minor: other changes of items, ratings, adjudications, systems' answers or
        settings; patch: documentation.
        """
        items, opinions = self.items, self.ratings or self.adjudications or self.answers
        scales = {"protocol", "labels"}.intersection(self.settings)
        if items.removed or items.labels or items.splits or items.texts or scales:
            return "major"
        if items.added or items.details or opinions or self.settings:
            return "minor"
        return "patch" if self.documentation else "none"

    @property
    def actual_bump(self) -> Bump:
        """The step from the one version number to the other."""
        return parse_version(self.before.version).bump_to(parse_version(self.after.version))

    @property
    def is_honest(self) -> bool:
        """Whether the version number moved forward at least as far as it must."""
        return is_enough(self.actual_bump, self.required_bump)

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.before.as_json(),
            "to": self.after.as_json(),
            "settings_changed": list(self.settings),
            "documentation_changed": list(self.documentation),
            "item_counts": self.items.counts(),
            "items": self.items.as_json(),
            "ratings": self.ratings.as_json(KEYS["ratings"]),
            "adjudications": self.adjudications.as_json(KEYS["adjudications"]),
            "answers": self.answers.as_json(KEYS["answers"]),
            "bump": {
                "required": self.required_bump,
                "actual": self.actual_bump,
                "honest": self.is_honest,
            },
        }


def diff_releases(before: Path, after: Path, *, limit: int | None = None) -> ReleaseDiff:
    """Compare two release folders, the earlier first; see `compare`.

    Raises ReleaseError if one of them does not hold a release or what is compared is damaged.
    """
    return compare(stored_release(before), stored_release(after), limit=limit)


def compare(
    before: ComparedRelease, after: ComparedRelease, *, limit: int | None = None
) -> ReleaseDiff:
    """All changes counted, and of each kind the first `limit` listed, or all of them.

    Both releases are gone through once, side by side; memory goes by what is listed. Raises
    ReleaseError if a stored release is damaged.
    """
    return ReleaseDiff(
        before=before.heading,
        after=after.heading,
        settings=_differing(before.heading.settings, after.heading.settings),
        documentation=_differing(before.heading.documentation, after.heading.documentation),
        items=_item_changes(before, after, limit),
        ratings=_opinion_changes(before, after, "ratings", limit),
        adjudications=_opinion_changes(before, after, "adjudications", limit),
        answers=_opinion_changes(before, after, "answers", limit),
    )


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name in before if before[name] != after[name])


def _item_changes(
    before: ComparedRelease, after: ComparedRelease, limit: int | None
) -> ItemChanges:
    label, texts, details = SAYS["items"].index("label"), _places(TEXTS), _places(DETAILS)
    tallies = {each.name: Tally[Any](limit) for each in fields(ItemChanges)}

    def add_changes(old: ComparedRow, new: ComparedRow) -> None:
        id_ = old.key[0]
        if old.says[label] != new.says[label]:
            tallies["labels"].add(Change(id_, str(old.says[label]), str(new.says[label])))
        if old.split != new.split:
            tallies["splits"].add(Change(id_, old.split, new.split))
        for kind, places in (("texts", texts), ("details", details)):
            differing = (name for name, at in places.items() if old.says[at] != new.says[at])
            if changed := tuple(differing):
                tallies[kind].add(FieldChange(id_, changed))

    _side_by_side(
        before.rows("items"),
        after.rows("items"),
        added=lambda item: tallies["added"].add(item.key[0]),
        removed=lambda item: tallies["removed"].add(item.key[0]),
        changed=add_changes,
    )
    return ItemChanges(**{name: tally.found for name, tally in tallies.items()})


def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: SAYS["items"].index(name) for name in names}


def _opinion_changes(
    before: ComparedRelease, after: ComparedRelease, table: TableName, limit: int | None
) -> OpinionChanges:
    added, removed, changed = (Tally[OpinionKey](limit) for _ in range(3))
    _side_by_side(
        before.rows(table),
        after.rows(table),
        added=lambda row: added.add(row.key),
        removed=lambda row: removed.add(row.key),
        changed=lambda row, _: changed.add(row.key),
    )
    return OpinionChanges(added.found, removed.found, changed.found)


def _side_by_side(
    before: Iterator[ComparedRow],
    after: Iterator[ComparedRow],
    *,
    added: Callable[[ComparedRow], None],
    removed: Callable[[ComparedRow], None],
    changed: Callable[[ComparedRow, ComparedRow], None],
) -> None:
    """Call one of the three for whatever differs; both sides come by key."""
    old, new = next(before, None), next(after, None)
    while old is not None or new is not None:
        if old is not None and new is not None and old.key == new.key:
            if old != new:
                changed(old, new)
            old, new = next(before, None), next(after, None)
        elif old is not None and (new is None or old.key < new.key):
            removed(old)
            old = next(before, None)
        elif new is not None:
            added(new)
            new = next(after, None)
