"""From records of items, in any order, to those of a release: sorted, and each text held once."""

from collections.abc import Iterable
from typing import TypeVar

from tomahto.releases.records.records import ItemRecord

T = TypeVar("T")


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

    items = (
        ItemRecord(
            id=item.id,
            document=shared(item.document),
            question_id=shared(item.question_id),
            question=shared(item.question),
            context=shared(item.context),
            references=shared(item.references),
            candidate=item.candidate,
            systems=shared(tuple(sorted(set(item.systems)))),
            reference_index=item.reference_index,
            question_type=shared(item.question_type),
            source_split=shared(item.source_split),
        )
        for item in records
    )
    return Items(sorted(items, key=lambda item: item.id))
