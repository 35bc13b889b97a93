"""Things to test on, made by the product's own workflow, never by hand; what takes it long and does
not change a row is left out."""

import itertools
from typing import Any

import pytest

from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Item, Membership, User
from tests.stored_at_once import store_items
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source

PASSWORD = "correct horse battery"
PSEUDONYM_SECRET = "always the same"
# far from those that tests give by themselves: nothing made here is like anything of theirs
_numbers = itertools.count(1_000_001)


def make_user(username: str = "", **fields: Any) -> User:
    name = username or f"person-{next(_numbers)}"
    return User.objects.create_user(name, password=PASSWORD, **fields)


def make_campaign(slug: str = "", **fields: Any) -> Campaign:
    """A campaign without items; `ae`, two ratings wanted, unless told otherwise.

    Its fields are not validated, which takes more time than all the rest. Pseudonyms of imported
    raters, and what is ordered by them, are the same in every run.
    """
    name = slug or f"campaign-{next(_numbers)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Campaign, "full_clean", lambda _campaign: None)
        campaign = create_campaign(**{"slug": name, "protocol": "ae", "overlap": 2, **fields})
    campaign.pseudonym_secret = PSEUDONYM_SECRET
    campaign.save(update_fields=["pseudonym_secret"])
    return campaign


def make_member(campaign: Campaign, role: str = "rater", username: str = "") -> Membership:
    return add_member(campaign=campaign, user=make_user(username), role=role)


def make_item(campaign: Campaign, **fields: Any) -> Item:
    """An item with its question, document and slots."""
    (item,) = make_items(campaign, 1, **fields)
    return item


def make_items(campaign: Campaign, count: int, **fields: Any) -> list[Item]:
    """So many of them, which come together."""
    rows = [new_row(**fields) for _ in range(count)]
    store_items(campaign, rows)
    made = Item.objects.filter(campaign=campaign, key__in=[row.id for row in rows])
    return list(made.order_by("pk"))


def new_row(**fields: Any) -> ItemRow:
    """A row of a file of items, unlike all others."""
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
    return ItemRow(**row)


def make_labelled_items(campaign: Campaign, items: int = 60, documents: int = 12) -> None:
    """Items of an `ae` campaign, each rated once: every third candidate says something else."""
    rows = [
        ItemRow(
            source=Source("items.jsonl", number),
            id=f"labelled-{number:03}",
            question_key=f"labelled-{number}",
            document=f"lake-{number % documents}",
            question=f"How deep is lake {number}?",
            context=f"Lake {number} is {number + 10} metres deep.",
            references=(f"{number + 10} metres",),
            candidate="nobody knows" if number % 3 == 0 else f"about {number + 10} metres deep",
            systems=("juniper",),
        )
        for number in range(items)
    ]
    store_items(campaign, rows)
    ratings = [
        RatingRow(
            source=Source("ratings.jsonl", number),
            item=None,
            item_id=f"labelled-{number:03}",
            rater="ann",
            label="not-equivalent" if number % 3 == 0 else "equivalent",
        )
        for number in range(items)
    ]
    import_ratings(campaign=campaign, rows=ratings)
