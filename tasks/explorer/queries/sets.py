"""Items that a table beside the summaries names: by words, system, rater, tag or score.

Such a set is asked for in one of two ways. A small one is looked up as a whole, and its items are
put in order; of a large one a list needs a hundred items only, so that walking the list and asking
of each item is quicker. The databases are told which, for SQLite has no statistics, and those of
PostgreSQL know nothing of rare words.
"""

import json
from typing import Any, NamedTuple

from django.db import connection

from tasks.explorer.queries.condition import Condition

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

    def condition(self) -> Condition:
        """That an item is in the set."""
        is_postgres = connection.vendor == "postgresql"
        chosen = f"SELECT {self.item} {self.named}"
        if self._is_small():
            # as an array it is looked up first and once
            listed = f"= ANY(ARRAY({chosen}))" if is_postgres else f"IN ({chosen})"
            return Condition(f"s.item_id {listed}", self.parameters)
        if is_postgres:
            return self._ask(self.named)
        if not self.asked:
            # the item is looked for in the list, and the list does not say which come first
            return Condition(f"+s.item_id IN ({chosen})", self.parameters)
        return self._ask(self.asked)

    def _ask(self, named: str) -> Condition:
        return Condition(f"EXISTS (SELECT 1 {named} AND {self.item} = s.item_id)", self.parameters)

    def _is_small(self) -> bool:
        if connection.vendor == "postgresql":
            return _estimated(f"SELECT 1 {self.named}", self.parameters) <= SMALL
        few = f"SELECT 1 {self.counted or self.named} LIMIT {SMALL + 1}"
        parameters = self.parameters[:1] if self.counted else self.parameters
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM ({few}) AS few", parameters)  # noqa: S608 - ours
            (number,) = cursor.fetchone()
        return bool(number <= SMALL)


def _estimated(statement: str, parameters: tuple[Any, ...]) -> float:
    """How many rows PostgreSQL expects: it would have to find all of them to count a few, and of
    what it does not know it expects few, which is right."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
        (plan,) = cursor.fetchone()
    found = json.loads(plan) if isinstance(plan, str) else plan
    return float(found[0]["Plan"]["Plan Rows"])
