"""What changed from one release to another, and whether the version number says so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from exporters.content import parse_version
from exporters.dataset import Dataset, ReleasedItem
from exporters.manifest import Manifest
from exporters.reading import StoredRelease, read_release
from exporters.records import ItemRecord, RatingRecord

Bump = Literal["backward", "none", "patch", "minor", "major"]
_BUMPS: tuple[Bump, ...] = ("backward", "none", "patch", "minor", "major")
_TEXTS = ("question", "context", "references", "candidate")
_DETAILS = ("document", "question_id", "question_type", "reference_index", "systems")
RatingKey = tuple[str, str]  # item id, rater


class Change(NamedTuple):
    id: str
    before: str
    after: str


class FieldChange(NamedTuple):
    id: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ItemChanges:
    """Changes of items, each sorted by id. `details` are fields that are not shown to raters."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    labels: tuple[Change, ...]
    splits: tuple[Change, ...]
    texts: tuple[FieldChange, ...]
    details: tuple[FieldChange, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "label_changed": [_change_json(change) for change in self.labels],
            "split_changed": [_change_json(change) for change in self.splits],
            "text_changed": [_fields_json(change) for change in self.texts],
            "details_changed": [_fields_json(change) for change in self.details],
        }


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """Ratings by item id and rater, sorted."""

    added: tuple[RatingKey, ...]
    removed: tuple[RatingKey, ...]
    changed: tuple[RatingKey, ...]

    def as_json(self) -> dict[str, Any]:
        groups = {"added": self.added, "removed": self.removed, "changed": self.changed}
        return {
            name: {"count": len(keys), "ids": [{"id": id_, "rater": who} for id_, who in keys]}
            for name, keys in groups.items()
        }


@dataclass(frozen=True, slots=True)
class ReleaseDiff:
    """`settings` names what of campaign, protocol, labels, questions, split and seed differs."""

    before: Manifest
    after: Manifest
    settings: tuple[str, ...]
    items: ItemChanges
    ratings: RatingChanges

    @property
    def required_bump(self) -> Bump:
        """The least step of the version that is honest.

        major: an item was removed or has another label, split or text, or the protocol or its
        labels differ; minor: other changes of items, ratings or settings; patch: documentation.
        """
        items, ratings = self.items, self.ratings
        scales = {"protocol", "labels"}.intersection(self.settings)
        if items.removed or items.labels or items.splits or items.texts or scales:
            return "major"
        new_ratings = ratings.added or ratings.removed or ratings.changed
        if items.added or items.details or new_ratings or self.settings:
            return "minor"
        return "none" if self.before.files == self.after.files else "patch"

    @property
    def actual_bump(self) -> Bump:
        """The step from the one version number to the other."""
        before, after = parse_version(self.before.version), parse_version(self.after.version)
        if after < before:
            return "backward"
        steps: tuple[Bump, ...] = ("major", "minor", "patch")
        pairs = zip(steps, before, after, strict=True)
        return next((step for step, old, new in pairs if old != new), "none")

    @property
    def is_honest(self) -> bool:
        """Whether the version number moved forward at least as far as it must."""
        actual = _BUMPS.index(self.actual_bump)
        return actual >= _BUMPS.index(self.required_bump)

    def as_json(self) -> dict[str, Any]:
        return {
            "from": _release_json(self.before),
            "to": _release_json(self.after),
            "settings_changed": list(self.settings),
            "items": self.items.as_json(),
            "ratings": self.ratings.as_json(),
            "bump": {
                "required": self.required_bump,
                "actual": self.actual_bump,
                "honest": self.is_honest,
            },
        }


def diff_releases(before: Path, after: Path) -> ReleaseDiff:
    """Compare two release folders, the earlier first.

    Raises ReleaseError if one of them does not hold a release; it does not verify them.
    """
    old, new = read_release(before), read_release(after)
    return ReleaseDiff(
        before=old.manifest,
        after=new.manifest,
        settings=_settings(old, new),
        items=_item_changes(old.dataset, new.dataset),
        ratings=_rating_changes(old.dataset.ratings, new.dataset.ratings),
    )


def _settings(old: StoredRelease, new: StoredRelease) -> tuple[str, ...]:
    settings = [_setting_values(release.manifest) for release in (old, new)]
    return tuple(name for name in settings[0] if settings[0][name] != settings[1][name])


def _setting_values(manifest: Manifest) -> dict[str, object]:
    terms = manifest.terms
    return {
        "campaign": manifest.campaign,
        "protocol": terms.protocol,
        "labels": terms.scheme,
        "questions": terms.question_keys,
        "split": terms.spec,
        "seed": terms.seed,
    }


def _item_changes(old: Dataset, new: Dataset) -> ItemChanges:
    before = {item.record.id: item for item in old.items}
    after = {item.record.id: item for item in new.items}
    both = [(item, after[item.record.id]) for item in old.items if item.record.id in after]
    return ItemChanges(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        labels=_changes((a.record.id, a.label.label, b.label.label) for a, b in both),
        splits=_changes((a.record.id, a.split, b.split) for a, b in both),
        texts=_field_changes(both, _TEXTS),
        details=_field_changes(both, _DETAILS),
    )


def _changes(values: Iterable[tuple[str, str, str]]) -> tuple[Change, ...]:
    return tuple(Change(id_, before, after) for id_, before, after in values if before != after)


def _field_changes(
    both: Iterable[tuple[ReleasedItem, ReleasedItem]], names: tuple[str, ...]
) -> tuple[FieldChange, ...]:
    changes = ((old.record, _differing(old.record, new.record, names)) for old, new in both)
    return tuple(FieldChange(record.id, fields) for record, fields in changes if fields)


def _differing(old: ItemRecord, new: ItemRecord, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if getattr(old, name) != getattr(new, name))


def _rating_changes(old: Iterable[RatingRecord], new: Iterable[RatingRecord]) -> RatingChanges:
    before, after = _by_key(old), _by_key(new)
    both = before.keys() & after.keys()
    return RatingChanges(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(sorted(key for key in both if before[key] != after[key])),
    )


def _by_key(ratings: Iterable[RatingRecord]) -> Mapping[RatingKey, RatingRecord]:
    return {(rating.item_id, rating.rater): rating for rating in ratings}


def _change_json(change: Change) -> dict[str, str]:
    return {"id": change.id, "from": change.before, "to": change.after}


def _fields_json(change: FieldChange) -> dict[str, Any]:
    return {"id": change.id, "fields": list(change.fields)}


def _release_json(manifest: Manifest) -> dict[str, str]:
    return {
        "campaign": manifest.campaign,
        "version": manifest.version,
        "digest": manifest.digest,
    }
