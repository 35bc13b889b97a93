"""The items that a question to the explorer finds, how many, and the neighbours of one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from tasks.explorer.queries.conditions import (
    conditions_of,
    finds_few,
    score_conditions,
    words_found,
    words_matching,
)
from tasks.explorer.queries.listing import Cursor, ItemListing, NoSuchCursor, cursor_of
from tasks.explorer.queries.rows import ExplorerRow, rows_of
from tasks.explorer.queries.sets import Condition, all_of, count_at_most
from tasks.explorer.queries.words import Search, read_search
from tasks.models import Campaign, Membership
from tasks.models.summary_triggers import TABLE
from tasks.storing.database import execute

MOST_COUNTED: Final = 10_000

_COLUMNS: Final = {
    "question": "s.question_start",
    "candidate": "s.candidate_start",
    "ratings": "s.ratings",
    "share": "s.share",
    "last_rated": "s.last_rated_at",
    "label": "s.label",
    "score": "n.score",
}


@dataclass(frozen=True, slots=True)
class ItemsPage:
    """Rows of one page, and the cursors of its neighbours, "" where there is none."""

    rows: list[ExplorerRow]
    next: str
    previous: str


@dataclass(frozen=True, slots=True)
class Count:
    """The number of items; `is_more`: at least so many."""

    items: int
    is_more: bool


def page_of_items(member: Membership, listing: ItemListing) -> ItemsPage:
    """The rows behind (or before) the cursor. Raises NoSuchCursor.

    An item whose votes have been withheld since its summary was made is left out where its being
    there would give them away.
    """
    start = cursor_of(listing)
    found = [
        Cursor(value.isoformat() if isinstance(value, datetime) else value, item)
        for item, value in _in_order(member, listing, start, listing.limit + 1)
    ]
    is_more, found = len(found) > listing.limit, found[: listing.limit]
    is_before = start is not None and start.is_before
    if is_before:
        found.reverse()
    rows = rows_of(member, [each.item for each in found])
    if listing.tells_votes:
        rows = [row for row in rows if row.withheld is None]
    has_next = is_before or is_more
    has_previous = is_more if is_before else start is not None
    return ItemsPage(
        rows,
        next=found[-1].as_text(listing.order) if found and has_next else "",
        previous=replace(found[0], is_before=True).as_text(listing.order)
        if found and has_previous
        else "",
    )


def count(member: Membership, listing: ItemListing, most: int = MOST_COUNTED) -> Count:
    """The number of items, counted up to `most`."""
    is_free = not listing.tells_votes  # then any order has the same items
    source, condition = _source_of(member, replace(listing, order="number") if is_free else listing)
    statement = f"SELECT 1 {source} WHERE {condition.sql}"
    number = count_at_most(statement, condition.parameters, most + 1)
    return Count(min(number, most), number > most)


def item_ids(member: Membership, listing: ItemListing, most: int | None = None) -> list[int]:
    return [item for item, _value in _in_order(member, listing, None, most)]


def items_to_show(member: Membership, listing: ItemListing) -> list[int]:
    """The ids of all items that meet what is asked, also of those whose votes are withheld from the
    member: these votes are to be shown to them."""
    unordered = replace(listing, order="number")  # an order by scores has conditions of its own
    condition = all_of(conditions_of(member, unordered, is_open=False))
    statement = f"SELECT s.item_id FROM tasks_itemsummary s WHERE {condition.sql}"  # noqa: S608 - ours
    return [item for (item,) in execute(statement, condition.parameters)]


def items_with_words(campaign: Campaign, search: Search, most: int) -> list[int]:
    """The ids of a campaign's items whose texts or keys have what is searched for, oldest first."""
    return _ids(campaign, search, most)


def rated_items_with_words(rater: Membership, search: Search, most: int) -> list[int]:
    """As `items_with_words`, of those alone that the rater was handed out and has rated."""
    own = """
    AND EXISTS (
        SELECT 1 FROM tasks_rating r
        WHERE r.item_id = s.item_id AND r.rater_id = %s AND r.assignment_id IS NOT NULL)
    """
    return _ids(rater.campaign, search, most, own, (rater.pk,), "DESC")


def _ids(
    campaign: Campaign,
    search: Search,
    most: int,
    more: str = "",
    parameters: tuple[Any, ...] = (),
    direction: str = "",
) -> list[int]:
    words = words_found(search, campaign)
    statement = (
        f"SELECT s.item_id FROM tasks_itemsummary s WHERE s.campaign_id = %s AND {words.sql}"  # noqa: S608 - ours
        f" {more} ORDER BY s.item_id {direction} LIMIT {int(most)}"
    )
    values = [campaign.pk, *words.parameters, *parameters]
    return [item for (item,) in execute(statement, values)]


def _in_order(
    member: Membership, listing: ItemListing, start: Cursor | None, limit: int | None
) -> list[tuple[Any, ...]]:
    """The items found with what they are put in order by, from the cursor on, in the direction it
    has."""
    source, condition = _source_of(member, listing)
    is_before = start is not None and start.is_before
    is_downwards = listing.is_downwards != is_before
    column = _COLUMNS.get(listing.column)
    order = [column, _item(listing)] if column else [_item(listing)]
    if start is not None:
        condition = all_of([condition, _beyond(order, start, "<" if is_downwards else ">")])
    direction = "DESC" if is_downwards else "ASC"
    if column and finds_few(member.campaign, listing):
        order = [f"+{name}" for name in order]
    ordered = ", ".join(f"{name} {direction}" for name in order)
    limited = "" if limit is None else f" LIMIT {int(limit)}"
    # a time of SQLite as the text that it is, else the cursor would name another
    is_time = listing.column == "last_rated" and connection.vendor == "sqlite"
    value = f"CAST({column} AS text)" if is_time else column or "NULL"
    select = f"SELECT {_item(listing)}, {value} {source}"
    statement = f"{select} WHERE {condition.sql} ORDER BY {ordered}{limited}"
    return execute(statement, condition.parameters)


def _beyond(order: Sequence[str], start: Cursor, comparison: str) -> Condition:
    if len(order) == 1:
        return Condition(f"{order[0]} {comparison} %s", (start.item,))
    is_time = order[0] == _COLUMNS["last_rated"] and connection.vendor == "postgresql"
    value = "%s::timestamptz" if is_time else "%s"
    return Condition(f"({', '.join(order)}) {comparison} ({value}, %s)", (start.value, start.item))


def _item(listing: ItemListing) -> str:
    if _is_of_words(listing):
        return "n.rowid"
    return "n.item_id" if listing.column == "score" else "s.item_id"


def _is_of_words(listing: ItemListing) -> bool:
    """Whether SQLite reads the index of words from one end of the list: it has the order."""
    is_alone = listing.column == "number" and listing.filters.keys() == {"q"}
    return connection.vendor == "sqlite" and is_alone and bool(read_search(listing.q))


def _source_of(member: Membership, listing: ItemListing) -> tuple[str, Condition]:
    """The tables, scores and words first where the order is theirs, and the conditions."""
    if _is_of_words(listing):
        matching = words_matching(read_search(listing.q), member.campaign)
        # the sign keeps SQLite from giving the summaries the bounds of the rows, of which it would
        # look at all for each row instead of at one
        its_own = "s.item_id = +n.rowid AND s.campaign_id = %s"
        of_campaign = Condition(its_own, (member.campaign_id,))
        source = f"FROM {TABLE} n CROSS JOIN tasks_itemsummary s"
        return source, all_of([matching, of_campaign])
    conditions = conditions_of(member, listing)
    if listing.column != "score":
        return "FROM tasks_itemsummary s", all_of(conditions)
    source = "FROM tasks_itemscore n CROSS JOIN tasks_itemsummary s"
    same = Condition("s.item_id = n.item_id")
    return source, all_of([score_conditions(member.campaign, listing), same, *conditions])


class Neighbour(NamedTuple):
    """An item by its number, and the cursor of the page of the list that it is on."""

    item: int
    cursor: str


def neighbours(
    member: Membership, listing: ItemListing, item: int
) -> tuple[Neighbour | None, Neighbour | None]:
    """The items before and after this one, on the page that `listing` names or next to it; neither
    where the item is not there."""
    try:
        page = page_of_items(member, listing)
    except NoSuchCursor:
        return None, None
    numbers = [row.number for row in page.rows]
    if item not in numbers:
        return None, None
    place = numbers.index(item)
    here = [Neighbour(number, listing.cursor) for number in numbers]
    before = here[place - 1] if place else _edge(member, listing, page.previous, -1)
    after = here[place + 1] if place + 1 < len(here) else _edge(member, listing, page.next, 0)
    return before, after


def _edge(member: Membership, listing: ItemListing, cursor: str, place: int) -> Neighbour | None:
    """The last or first item of the page next to this one."""
    if not cursor:
        return None
    rows = page_of_items(member, replace(listing, cursor=cursor)).rows
    return Neighbour(rows[place].number, cursor) if rows else None
