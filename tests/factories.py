"""Things to test on, made by the product's own workflow, never by hand."""

import itertools
from typing import Any

from tasks.importers.records import ItemRow, Source
from tasks.models import Campaign, Item, Membership, User
from tasks.workflow.campaign import add_member, create_campaign
from tasks.workflow.intake import import_items

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


def make_user(username: str = "", **fields: Any) -> User:
    name = username or f"person-{next(_numbers)}"
    return User.objects.create_user(name, password=PASSWORD, **fields)


def make_campaign(slug: str = "", **fields: Any) -> Campaign:
    """A campaign without items; `ae`, two ratings wanted, unless told otherwise."""
    name = slug or f"campaign-{next(_numbers)}"
    return create_campaign(**{"slug": name, "protocol": "ae", "overlap": 2, **fields})


def make_member(campaign: Campaign, role: str = "rater", username: str = "") -> Membership:
    return add_member(campaign=campaign, user=make_user(username), role=role)


def make_item(campaign: Campaign, **fields: Any) -> Item:
    """An item with its question, document and slots."""
    number = next(_numbers)
    row = {
        "source": Source("items.jsonl", 1),
        "id": f"item-{number}",
        "question_key": f"question-{number}",
        "document": f"document-{number}",
        "question": f"Where does river {number} rise?",
        "context": f"River {number} rises in the northern hills, far from the sea.",
        "references": ("in the northern hills",),
        "candidate": "far from the sea",
        "systems": ("juniper",),
        **fields,
    }
    import_items(campaign=campaign, rows=[ItemRow(**row)])
    return Item.objects.get(campaign=campaign, key=row["id"])
