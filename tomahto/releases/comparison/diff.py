"""What changed from one release to another, and whether the version number says so."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tomahto.releases.comparison.changes import (
    Change,
    FieldChange,
    ItemChanges,
    OpinionChanges,
    OpinionKey,
    Tally,
)
from tomahto.releases.comparison.compared import (
    DETAILS,
    TEXTS,
    ComparedItem,
    ComparedRelease,
    ComparedRow,
    Heading,
)
from tomahto.releases.comparison.compared_folder import stored_release
from tomahto.releases.records.versions import Bump, Required, is_enough, parse_version

T = TypeVar("T")


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
            "ratings": self.ratings.as_json("id", "rater"),
            "adjudications": self.adjudications.as_json("id", "adjudicator"),
            "answers": self.answers.as_json("question_id", "system", "candidate"),
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
        ratings=_opinion_changes(before.ratings, after.ratings, limit),
        adjudications=_opinion_changes(before.adjudications, after.adjudications, limit),
        answers=_opinion_changes(before.answers, after.answers, limit),
    )


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[str, ...]:
    """The names of what is said differently."""
    return tuple(name for name in before if before[name] != after[name])


class _ItemTally:
    def __init__(self, limit: int | None) -> None:
        self.added, self.removed = Tally[str](limit), Tally[str](limit)
        self.labels, self.splits = Tally[Change](limit), Tally[Change](limit)
        self.texts, self.details = Tally[FieldChange](limit), Tally[FieldChange](limit)

    def add_changes(self, old: ComparedItem, new: ComparedItem) -> None:
        if old == new:
            return
        if old.label != new.label:
            self.labels.add(Change(old.id, old.label, new.label))
        if old.split != new.split:
            self.splits.add(Change(old.id, old.split, new.split))
        if texts := _differing_fields(TEXTS, old.texts, new.texts):
            self.texts.add(FieldChange(old.id, texts))
        if details := _differing_fields(DETAILS, old.details, new.details):
            self.details.add(FieldChange(old.id, details))

    @property
    def found(self) -> ItemChanges:
        return ItemChanges(
            added=self.added.found,
            removed=self.removed.found,
            labels=self.labels.found,
            splits=self.splits.found,
            texts=self.texts.found,
            details=self.details.found,
        )


def _item_changes(
    before: ComparedRelease, after: ComparedRelease, limit: int | None
) -> ItemChanges:
    tally = _ItemTally(limit)
    _side_by_side(
        before.items(),
        after.items(),
        lambda item: item.id,
        added=lambda item: tally.added.add(item.id),
        removed=lambda item: tally.removed.add(item.id),
        both=tally.add_changes,
    )
    return tally.found


def _differing_fields(
    names: tuple[str, ...], old: tuple[object, ...], new: tuple[object, ...]
) -> tuple[str, ...]:
    triples = zip(names, old, new, strict=True)
    return tuple(name for name, before, after in triples if before != after)


def _opinion_changes(
    before: Callable[[], Iterator[ComparedRow]],
    after: Callable[[], Iterator[ComparedRow]],
    limit: int | None,
) -> OpinionChanges:
    added, removed, changed = (Tally[OpinionKey](limit) for _ in range(3))

    def add_change(old: ComparedRow, new: ComparedRow) -> None:
        if old != new:
            changed.add(old.key)

    _side_by_side(
        before(),
        after(),
        lambda opinion: opinion.key,
        added=lambda opinion: added.add(opinion.key),
        removed=lambda opinion: removed.add(opinion.key),
        both=add_change,
    )
    return OpinionChanges(added.found, removed.found, changed.found)


def _side_by_side(
    before: Iterator[T],
    after: Iterator[T],
    key: Callable[[T], Any],
    *,
    added: Callable[[T], None],
    removed: Callable[[T], None],
    both: Callable[[T, T], None],
) -> None:
    """Call one of the three for whatever is there; both sides come by key."""
    old, new = next(before, None), next(after, None)
    while old is not None or new is not None:
        if old is not None and new is not None and key(old) == key(new):
            both(old, new)
            old, new = next(before, None), next(after, None)
        elif old is not None and (new is None or key(old) < key(new)):
            removed(old)
            old = next(before, None)
        elif new is not None:
            added(new)
            new = next(after, None)
