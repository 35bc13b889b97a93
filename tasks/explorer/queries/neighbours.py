"""What comes before and after an item in the list that somebody has come from."""

from dataclasses import replace
from typing import NamedTuple

from tasks.explorer.queries.asked import Asked, NoSuchCursor
from tasks.explorer.queries.found import page_of_items
from tasks.models import Membership


class Neighbour(NamedTuple):
    """An item by its number, and the cursor of the page of the list that it is on."""

    item: int
    cursor: str


def neighbours(
    member: Membership, asked: Asked, item: int
) -> tuple[Neighbour | None, Neighbour | None]:
    """The items before and after this one, on the page that `asked` names or next to it; neither
    where the item is not there."""
    try:
        page = page_of_items(member, asked)
    except NoSuchCursor:
        return None, None
    numbers = [row.number for row in page.rows]
    if item not in numbers:
        return None, None
    place = numbers.index(item)
    here = [Neighbour(number, asked.cursor) for number in numbers]
    before = here[place - 1] if place else _edge(member, asked, page.previous, -1)
    after = here[place + 1] if place + 1 < len(here) else _edge(member, asked, page.next, 0)
    return before, after


def _edge(member: Membership, asked: Asked, cursor: str, place: int) -> Neighbour | None:
    """The last or first item of the page next to this one."""
    if not cursor:
        return None
    rows = page_of_items(member, replace(asked, cursor=cursor)).rows
    return Neighbour(rows[place].number, cursor) if rows else None
