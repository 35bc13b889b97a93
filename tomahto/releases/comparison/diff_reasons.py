"""In words: what of a difference between releases makes the required step of the version."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from tomahto.releases.comparison.diff import (
    Change,
    ChangeSample,
    FieldChange,
    OpinionChanges,
    OpinionKey,
    ReleaseDiff,
)
from tomahto.releases.records.fields import Required

EXAMPLES = 3  # of every kind of change
_BREAKING = ("protocol", "labels")
T = TypeVar("T")


def step_reasons(diff: ReleaseDiff) -> tuple[str, ...]:
    """Why `diff.required_bump` is what it is, a sentence for each kind of change, with examples.

    Changes that a smaller step would say are left out.
    """
    return tuple(_REASONS[diff.required_bump](diff))


def _major(diff: ReleaseDiff) -> Iterator[str]:
    items = diff.items
    scales = [name for name in _BREAKING if name in diff.settings]
    if scales:
        yield f"settings differ: {', '.join(scales)}"
    yield from _reason(items.removed, "item is", "items are", "gone", repr)
    yield from _reason(items.labels, "item has", "items have", "another label", _change)
    yield from _reason(items.splits, "item is", "items are", "in another split", _change)
    yield from _reason(items.texts, "item has", "items have", "other texts", _fields)


def _minor(diff: ReleaseDiff) -> Iterator[str]:
    items = diff.items
    if diff.settings:
        yield f"settings differ: {', '.join(diff.settings)}"
    yield from _reason(items.added, "item is", "items are", "new", repr)
    yield from _reason(items.details, "item has", "items have", "other details", _fields)
    yield from _opinions(diff.ratings, "rating")
    yield from _opinions(diff.adjudications, "adjudication")
    yield from _opinions(diff.answers, "answer")


def _patch(diff: ReleaseDiff) -> Iterator[str]:
    yield f"documentation differs: {', '.join(diff.documentation)}"


def _none(_diff: ReleaseDiff) -> Iterator[str]:
    yield from ()


_REASONS: dict[Required, Callable[[ReleaseDiff], Iterator[str]]] = {
    "major": _major,
    "minor": _minor,
    "patch": _patch,
    "none": _none,
}


def _opinions(changes: OpinionChanges, one: str) -> Iterator[str]:
    yield from _reason(changes.added, f"{one} is", f"{one}s are", "new", _who)
    yield from _reason(changes.removed, f"{one} is", f"{one}s are", "gone", _who)
    yield from _reason(changes.changed, f"{one} says", f"{one}s say", "something else", _who)


def _reason(
    found: ChangeSample[T], one: str, several: str, what: str, written: Callable[[T], str]
) -> Iterator[str]:
    if found:
        shown = [written(each) for each in found.first[:EXAMPLES]]
        more = ["…"] if found.count > len(shown) else []
        subject = one if found.count == 1 else several
        yield f"{found.count:,} {subject} {what}: {', '.join([*shown, *more])}"


def _change(change: Change) -> str:
    return f"{change.id!r} ({change.before} → {change.after})"


def _fields(change: FieldChange) -> str:
    return f"{change.id!r} ({', '.join(change.fields)})"


def _who(key: OpinionKey) -> str:
    item_id, who = key[:2]  # or a question and its system
    return f"{item_id!r} by {who!r}"
