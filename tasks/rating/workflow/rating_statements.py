"""The statements that store a rating."""

# The statements are written by hand: the ORM takes three times as long.
INSERTED = (
    "item_id",
    "rater_id",
    "outcome_id",
    "slot_id",
    "assignment_id",
    "supersedes_id",
    "guideline_id",
    "suggestion_arm",
    "suggestion_policy",
    "suggestion_matcher",
    "wording",
    "comment",
    "seconds",
    "idempotency_key",
    "payload_hash",
)

_FIRST = [name for name in INSERTED if name != "supersedes_id"]
_OF_HELD = {
    "item_id": "held.item_id",
    "slot_id": "(SELECT id FROM filled)",
    "assignment_id": "held.id",
}
# a place that its holder fills is one that was wanted, though the item was dismissed meanwhile;
# places of control items are never counted
_KEEPS_ITS_PLACE = """
    order_key = CASE WHEN {slot}.order_key IS NULL AND EXISTS (
        SELECT 1 FROM tasks_itemhandling h JOIN tasks_item i ON i.id = h.item_id
        WHERE h.item_id = {slot}.item_id AND i.purpose = 'live'
    ) THEN 0 ELSE {slot}.order_key END
"""
# On PostgreSQL a first rating is one statement and so one round trip: it settles the rater's
# assignment, fills the slot if they still hold it, drops their draft and inserts the rating, or
# does nothing when the assignment is not theirs, not active, or the key has been used.
FIRST_RATING = f"""
WITH held AS (
    SELECT a.id, a.slot_id, a.item_id FROM tasks_assignment a
    WHERE a.id = %(assignment_id)s AND a.rater_id = %(rater_id)s AND a.state = 'active'
      AND NOT EXISTS (
          SELECT 1 FROM tasks_rating r
          WHERE r.rater_id = %(rater_id)s AND r.idempotency_key = %(idempotency_key)s)
    FOR UPDATE
), filled AS (
    UPDATE tasks_slot s SET is_filled = true, {_KEEPS_ITS_PLACE.format(slot="s")} FROM held
    WHERE s.id = held.slot_id AND s.holder_id = held.id AND NOT s.is_filled RETURNING s.id
), settled AS (
    UPDATE tasks_assignment a SET state = 'submitted' FROM held WHERE a.id = held.id
), dropped AS (
    DELETE FROM tasks_draft d USING held WHERE d.assignment_id = held.id
)
INSERT INTO tasks_rating ({", ".join(_FIRST)}, rated_at)
SELECT {", ".join(_OF_HELD.get(name, f"%({name})s") for name in _FIRST)}, clock_timestamp()
FROM held
RETURNING id, item_id, slot_id
"""  # noqa: S608 - names of our own columns

LOCK_ASSIGNMENT = """
SELECT item_id, slot_id, state FROM tasks_assignment WHERE id = %s AND rater_id = %s
"""
FILL_SLOT = f"""
UPDATE tasks_slot SET is_filled = %s, {_KEEPS_ITS_PLACE.format(slot="tasks_slot")}
WHERE id = %s AND holder_id = %s AND is_filled = %s
"""  # noqa: S608 - a condition of our own
SETTLE = "UPDATE tasks_assignment SET state = %s WHERE id = %s"
DROP_DRAFT = "DELETE FROM tasks_draft WHERE assignment_id = %s"
INSERT = f"""
INSERT INTO tasks_rating ({", ".join(INSERTED)}, rated_at)
VALUES ({", ".join(["%s"] * len(INSERTED))}, CURRENT_TIMESTAMP) RETURNING id
"""  # noqa: S608 - names of our own columns
