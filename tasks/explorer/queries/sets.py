"""Conditions on summaries with their parameters, and items that a table beside them names: by
words, system, rater, tag or score.

Such a set is asked for in one of two ways. A small one is looked up as a whole, and its items are
put in order; of a large one a list needs a hundred items only, so that walking the list and asking
of each item is quicker. The databases are told which, for SQLite has no statistics, and those of
PostgreSQL know nothing of rare words.

Whose votes a member may see is asked of summaries too: quick over a million items. The rule is
`tasks.votes.blindness`'s; rows that are shown are asked for it once more, one by one.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from tasks.models import Item, Membership
from tasks.storing.database import execute
from tasks.votes.blindness import items_held_by


class Condition(NamedTuple):
    """A condition on summaries `s`, in SQL, and its parameters in their order."""

    sql: str
    parameters: tuple[Any, ...] = ()


NOTHING = Condition("false")
"""A condition that no item meets."""


def all_of(conditions: Iterable[Condition]) -> Condition:
    """That every one of them is met."""
    found = list(conditions)
    return Condition(
        " AND ".join(each.sql for each in found) or "true",
        tuple(value for each in found for value in each.parameters),
    )


SMALL = 20_000  # items: to look them up takes about as long as to ask of some thousand


class ItemSet(NamedTuple):
    """The items that `named` selects, of rows under the alias `n`, with `item` for their id.

    `named` ends in its conditions, to which another can be added by AND. `asked` are tables and
    conditions, with the same parameters, by which SQLite asks of one item: a sign before a column
    keeps it from beginning with that. Without `asked` it lists all of them. `counted` selects no
    fewer rows than `named`, with the first parameter alone.
    """

    item: str
    named: str
    parameters: tuple[Any, ...]
    asked: str = ""
    counted: str = ""

    @property
    def chosen(self) -> str:
        """A statement that gives its items."""
        return f"SELECT {self.item} {self.named}"

    def condition(self) -> Condition:
        """That an item is in the set, which is large: asked of each item."""
        if connection.vendor == "postgresql":
            return self._ask(self.named)
        if not self.asked:
            # the item is looked for in the list, and the list does not say which come first
            return Condition(f"+s.item_id IN ({self.chosen})", self.parameters)
        return self._ask(self.asked)

    def _ask(self, named: str) -> Condition:
        return Condition(f"EXISTS (SELECT 1 {named} AND {self.item} = s.item_id)", self.parameters)

    def is_small(self) -> bool:
        if connection.vendor == "postgresql":
            return _estimated(f"SELECT 1 {self.named}", self.parameters) <= SMALL
        parameters = self.parameters[:1] if self.counted else self.parameters
        few = f"SELECT 1 {self.counted or self.named}"
        return count_at_most(few, parameters, SMALL + 1) <= SMALL


def count_at_most(statement: str, parameters: Sequence[Any], most: int) -> int:
    """The number of rows that the statement gives, counted up to `most`."""
    few = f"{statement} LIMIT {int(most)}"
    ((number,),) = execute(f"SELECT COUNT(*) FROM ({few}) AS few", parameters)  # noqa: S608 - ours
    return int(number)


def together(found: Iterable[Condition | ItemSet]) -> list[Condition]:
    """All that is asked of other tables: what is in every small set is looked up at once."""
    conditions, small = [], []
    for each in found:
        if isinstance(each, Condition):
            conditions.append(each)
        elif each.is_small():
            small.append(each)
        else:
            conditions.append(each.condition())
    if small:
        chosen = " INTERSECT ".join(each.chosen for each in small)
        # as an array it is looked up first and once
        listed = (
            f"= ANY(ARRAY({chosen}))" if connection.vendor == "postgresql" else f"IN ({chosen})"
        )
        parameters = tuple(value for each in small for value in each.parameters)
        conditions.append(Condition(f"s.item_id {listed}", parameters))
    return conditions


def _estimated(statement: str, parameters: tuple[Any, ...]) -> float:
    """The number of rows that PostgreSQL expects: it would have to find all of them to count a few,
    and of values that it does not know it expects few, which is right."""
    ((plan,),) = execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
    found = json.loads(plan) if isinstance(plan, str) else plan
    return float(found[0]["Plan"]["Plan Rows"])


# items without votes, those that a member has judged, and those whose votes they have asked for;
# rated ones, of which there may be very many, apart: PostgreSQL would expect to list them for each
# item that it looks at
_KNOWN = """
EXISTS (SELECT 1 FROM tasks_rating own WHERE own.item_id = s.item_id AND own.rater_id = %s)
OR s.item_id IN (
    SELECT item_id FROM tasks_itemsummary
    WHERE campaign_id = %s AND purpose IN ('calibration', 'control')
    UNION SELECT item_id FROM tasks_firstlook WHERE adjudicator_id = %s
    UNION SELECT item_id FROM tasks_adjudication WHERE adjudicator_id = %s
    UNION SELECT item_id FROM tasks_seenvotes WHERE member_id = %s
    UNION SELECT copied_from_id FROM tasks_item WHERE copied_from_id IS NOT NULL)
"""
# never unknown: it is asked for its contrary too
_IN_FILES_TAKEN = """
(COALESCE(s.first_rated_at <= %s, false) OR (s.is_decided AND EXISTS (
    SELECT 1 FROM tasks_adjudication d WHERE d.item_id = s.item_id AND d.created_at <= %s)))
"""
# the summary may be a moment old, and a slot may have been added since
_NO_OPEN_SLOT = """
(s.unfilled = 0 AND NOT EXISTS (
    SELECT 1 FROM tasks_slot place
    WHERE place.item_id = s.item_id AND NOT place.is_filled AND place.order_key IS NOT NULL))
"""


def votes_open_to(member: Membership) -> Condition:
    """Of summaries `s`: that the member may see the votes on the item."""
    ways = []
    if member.votes_seen_until is not None:
        ways.append(Condition(_IN_FILES_TAKEN, (member.votes_seen_until,) * 2))
    if not member.campaign.adjudicates_blind:
        ways.append(Condition(_NO_OPEN_SLOT))
    # last: it is asked where the others do not let the member in
    ways.append(Condition(_KNOWN, (member.pk, member.campaign_id, *[member.pk] * 3)))
    sql = " OR ".join(way.sql for way in ways)
    parameters = tuple(value for way in ways for value in way.parameters)
    if held := tuple(items_held_by(member)):
        held += tuple(Item.objects.filter(copied_from__in=held).values_list("pk", flat=True))
        marks = ", ".join(["%s"] * len(held))
        return Condition(f"(({sql}) AND s.item_id NOT IN ({marks}))", parameters + held)
    return Condition(f"({sql})", parameters)
