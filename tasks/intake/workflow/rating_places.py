"""Slots for imported ratings: every counted one gets an open slot of its item, or a further one.

What is open is known only at the moment of storing, because raters go on claiming. So the database
deals out the slots, in order, in the transaction of the ratings.
"""

from typing import Final

from tasks.models import Rating
from tasks.storing.plan import Plan, planned_table

TO_BE_GIVEN: Final = 0
"""The slot of a planned rating that is to be counted."""

_RATINGS: Final = planned_table(Rating)
_DROP: Final = "DROP TABLE IF EXISTS planned_place"

# `place` counts the ratings of an item, `number` is that of the slot a rating gets, and
# `further_after` that of the item's last slot where it gets a new one
_RANK: Final = f"""
CREATE TEMPORARY TABLE planned_place AS
SELECT id AS rating_id, item_id, row_number() OVER (PARTITION BY item_id ORDER BY id DESC) AS place,
       CAST(NULL AS bigint) AS number, CAST(NULL AS bigint) AS further_after
FROM {_RATINGS} WHERE slot_id = {TO_BE_GIVEN} ORDER BY item_id
"""  # noqa: S608 - names of ours only
_DEAL: Final = (
    """
    WITH open_slots AS (
        SELECT item_id, number, row_number() OVER (
            PARTITION BY item_id ORDER BY given_to_id IS NOT NULL, number) AS place
        FROM tasks_slot
        WHERE NOT is_filled AND holder_id IS NULL
          AND item_id IN (SELECT item_id FROM planned_place)
    )
    UPDATE planned_place SET number = o.number FROM open_slots o
    WHERE o.item_id = planned_place.item_id AND o.place = planned_place.place
    """,
    """
    WITH present AS (
        SELECT item_id, max(number) AS last,
               sum(CASE WHEN is_filled OR holder_id IS NOT NULL THEN 0 ELSE 1 END) AS open
        FROM tasks_slot
        WHERE item_id IN (SELECT item_id FROM planned_place WHERE number IS NULL)
        GROUP BY item_id
    )
    UPDATE planned_place
    SET number = p.last + planned_place.place - p.open, further_after = p.last
    FROM present p
    WHERE p.item_id = planned_place.item_id AND planned_place.number IS NULL
    """,
    """
    INSERT INTO tasks_slot (campaign_id, item_id, number, order_key, is_filled)
    SELECT s.campaign_id, s.item_id, p.number, COALESCE(s.order_key, 0), TRUE
    FROM planned_place p JOIN tasks_slot s ON s.item_id = p.item_id AND s.number = p.further_after
    ORDER BY s.item_id, p.number
    """,
    """
    UPDATE tasks_slot SET is_filled = TRUE, order_key = COALESCE(order_key, 0) FROM planned_place p
    WHERE p.item_id = tasks_slot.item_id AND p.number = tasks_slot.number
      AND p.further_after IS NULL
    """,
    f"""
    UPDATE {_RATINGS} SET slot_id = s.id
    FROM planned_place p JOIN tasks_slot s ON s.item_id = p.item_id AND s.number = p.number
    WHERE p.rating_id = {_RATINGS}.id
    """,  # noqa: S608 - as above
    _DROP,
)


def plan_places(plan: Plan) -> None:
    """Let the planned ratings get their slots when they are stored."""
    plan.execute(_DROP)
    plan.execute(_RANK)
    plan.index("planned_place", "item_id")
    plan.before(Rating, *_DEAL)
