"""An item as raters get it from the API."""

from typing import Any

from tasks.votes.items import ItemToRate, id_for_raters


def item_body(item: ItemToRate) -> dict[str, Any]:
    """As ItemSerializer describes it."""
    return {
        "id": id_for_raters(item.id),
        "question": item.question,
        "context": item.context,
        "references": item.references,
        "candidate": item.candidate,
    }
