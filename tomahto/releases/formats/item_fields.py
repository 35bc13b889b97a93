"""An item as the files for annotation tools have it."""

from collections.abc import Mapping
from typing import Any

from tomahto.releases.records.records import ItemRecord


def item_fields(item: ItemRecord) -> Mapping[str, Any]:
    """An item under the names by which our importers know its fields, its id as `item_id`: other
    tools have an `id` of their own."""
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
