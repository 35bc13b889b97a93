"""From records of items, in any order, to those of a release: sorted, and each text held once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from tomahto.releases.records.records import ItemRecord

T = TypeVar("T")
_RECURRING = (
    *("document", "question_id", "question", "context", "references", "question_type"),
    *("source_split", "intended", "unrated_references"),
)


class Items(tuple[ItemRecord, ...]):
    """Items by id, their systems sorted."""

    __slots__ = ()


def take_in_items(records: Iterable[ItemRecord]) -> Items:
    """Go through the records once. Passages, questions, references and names that recur take their
    memory once: most items share them with others. Items that were taken in come back as they are.
    """
    if isinstance(records, Items):
        return records
    seen: dict[object, object] = {}

    def shared(value: T) -> T:
        return seen.setdefault(value, value)  # type: ignore[return-value]  # equal, so a T as well

    def taken_in(item: ItemRecord) -> ItemRecord:
        texts = {name: shared(getattr(item, name)) for name in _RECURRING}
        return replace(item, systems=shared(tuple(sorted(set(item.systems)))), **texts)

    return Items(sorted(map(taken_in, records), key=lambda item: item.id))
