"""Steps that tests of the explorer share."""

from collections.abc import Mapping
from typing import Any

from tasks.explorer.queries.found import count, item_ids, page_of_items
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import Campaign, Item, Membership, Rating
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.votes.workflow import show_all_votes
from tests.factories import make_member

EQUIVALENT: Mapping[str, object] = {"q1": False, "q2": True}
DIFFERENT: Mapping[str, object] = {"q1": True}


def asking(campaign: Campaign, *, sees: bool = True) -> Membership:
    """A researcher of the campaign, who has asked for all votes there are, or has not."""
    member = make_member(campaign, "researcher")
    if sees:
        show_all_votes(member=member)
    return member


def found(member: Membership, **asked: Any) -> list[str]:
    """The keys of the items that are found, after a look at pages of two and at the count."""
    refresh_before_reading(campaign=member.campaign)
    keys = dict(Item.objects.filter(campaign=member.campaign).values_list("pk", "key"))
    listing = ItemListing(**{"order": "number", **asked})
    ids = item_ids(member, listing)
    assert count(member, listing).items == len(ids)
    assert on_pages(member, listing) == ids
    return [keys[pk] for pk in ids]


def on_pages(member: Membership, listing: ItemListing, limit: int = 2) -> list[int]:
    """The items on all pages, forwards; backwards they are the same."""
    pages: list[list[int]] = []
    cursor = ""
    while True:
        page = page_of_items(
            member, ItemListing(**{**of(listing), "limit": limit, "cursor": cursor})
        )
        pages.append([row.number for row in page.rows])
        if not (cursor := page.next):
            break
    for earlier in reversed(pages[:-1]):
        page = page_of_items(
            member, ItemListing(**{**of(listing), "limit": limit, "cursor": page.previous})
        )
        assert [row.number for row in page.rows] == earlier
    assert page.previous == ""
    return [number for each in pages for number in each]


def of(listing: ItemListing) -> dict[str, Any]:
    return {**listing.filters, "order": listing.order}


def rate(rater: Membership, answers: Mapping[str, object] = EQUIVALENT) -> Rating:
    """Let the rater claim the next item and rate it."""
    claim = claim_item(membership=rater)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=rater,
        answers=answers,
        idempotency_key=f"key-{claim.assignment_id}",
    )
    return Rating.objects.get(assignment=claim.assignment_id)
