"""The names under which files for annotation tools have an item."""

from collections.abc import Mapping
from typing import Any, Final

from tomahto.releases.records.records import ItemRecord

ITEM_FIELDS: Final = (
    *("item_id", "document", "question_id", "question_type", "question", "context"),
    *("references", "unrated_references", "reference_index", "candidate", "systems"),
)


def item_fields(item: ItemRecord) -> Mapping[str, Any]:
    """An item by ITEM_FIELDS. Its id is `item_id`: other tools have an `id` of their own."""
    unrated = item.unrated_references
    return {
        "item_id": item.id,
        "document": item.document,
        "question_id": item.question_id,
        "question_type": item.question_type,
        "question": item.question,
        "context": item.context,
        "references": list(item.references),
        "reference_index": item.reference_index,
        "candidate": item.candidate,
        "systems": list(item.systems),
        **({"unrated_references": list(unrated)} if unrated else {}),
    }
