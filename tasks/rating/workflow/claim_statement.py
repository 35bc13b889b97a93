"""The claim: one statement on PostgreSQL, and a few in one transaction on SQLite.

`held` finds the item the rater already has, what they have in hand before what is kept for them,
which is held for longer than a claim holds it; `place` is where in the campaign's order the rater
is; `open_slot` takes the next open slot that nobody else is taking at this moment. It is
materialised, because a plan that evaluates it twice would claim twice. The holder column is
unique, so two claims of one rater at once cannot both hold an item twice. Whether the rater has
settled an item is asked of each slot in a scalar subquery: as a join, a planner that does not know
the tables yet compares every open slot with every item the rater has done. Whether they have judged
it as an adjudicator or seen its votes is asked in the same way, of those alone whose role lets
them: every question more makes the planner think the slots dear, and for raters claiming took twice
as long.

On SQLite a transaction that writes is alone, so the same questions are asked one after another.
"""

_OPEN_SLOT = """
    SELECT s.id, s.item_id
    FROM tasks_slot s
    WHERE s.campaign_id = %(campaign)s
      AND NOT s.is_filled
      AND (s.holder_id IS NULL OR s.expires_at < {now})
      AND s.order_key > COALESCE((SELECT order_key FROM place), -1)
      AND COALESCE((
          SELECT own.state FROM tasks_assignment own
          WHERE own.item_id = s.item_id AND own.rater_id = %(rater)s), 'active') = 'active'
      {conditions}
    ORDER BY s.order_key, s.number LIMIT 1
"""
_PLACE = """
    SELECT s.order_key
    FROM tasks_assignment a JOIN tasks_slot s ON s.id = a.slot_id
    WHERE a.rater_id = %(rater)s AND NOT %(from_start)s AND s.order_key IS NOT NULL
    ORDER BY a.claimed_at DESC LIMIT 1
"""
_CLAIM = """
WITH held AS (
    SELECT s.id AS slot_id, a.id AS assignment_id, s.expires_at AS until
    FROM tasks_assignment a JOIN tasks_slot s ON s.holder_id = a.id
    WHERE a.rater_id = %(rater)s AND a.state = 'active'
    -- a page may have claimed the item after it as well
    ORDER BY s.expires_at > clock_timestamp() + %(lease)s, a.id LIMIT 1
    FOR UPDATE OF s
), place AS ({place}), open_slot AS MATERIALIZED ({open_slot}    FOR UPDATE OF s SKIP LOCKED
), claimed AS (
    INSERT INTO tasks_assignment (item_id, rater_id, slot_id, state, skip_reason, claimed_at)
    SELECT item_id, %(rater)s, id, 'active', '', clock_timestamp() FROM open_slot
    ON CONFLICT (item_id, rater_id) DO UPDATE
        SET slot_id = EXCLUDED.slot_id, claimed_at = EXCLUDED.claimed_at
    RETURNING slot_id, id AS assignment_id
), target AS (
    SELECT slot_id, assignment_id, until FROM held
    UNION ALL SELECT slot_id, assignment_id, NULL FROM claimed
)
UPDATE tasks_slot s
SET holder_id = target.assignment_id, expires_at = clock_timestamp() + %(lease)s
FROM target WHERE s.id = target.slot_id
RETURNING s.holder_id, s.expires_at, target.until
"""
_HOLDS_NONE = "AND NOT EXISTS (SELECT 1 FROM held)"
_NOT_JUDGED = """
      AND (SELECT MIN(f.id) FROM tasks_firstlook f
          WHERE f.item_id = s.item_id AND f.adjudicator_id = %(rater)s) IS NULL
      AND (SELECT MIN(d.id) FROM tasks_adjudication d
          WHERE d.item_id = s.item_id AND d.adjudicator_id = %(rater)s) IS NULL
      AND (SELECT MIN(v.id) FROM tasks_seenvotes v
          WHERE v.item_id = s.item_id AND v.member_id = %(rater)s) IS NULL
      AND COALESCE(
          (SELECT MIN(r.created_at) FROM tasks_rating r WHERE r.item_id = s.item_id)
          > (SELECT m.votes_seen_until FROM tasks_membership m WHERE m.id = %(rater)s), TRUE)
"""
_NOW = "STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'NOW')"  # of SQLite, as Django stores it


def _claim(not_judged: str) -> str:
    open_slot = _OPEN_SLOT.format(now="clock_timestamp()", conditions=_HOLDS_NONE + not_judged)
    return _CLAIM.format(place=_PLACE, open_slot=open_slot)


def _open_slot(not_judged: str) -> str:
    open_slot = _OPEN_SLOT.format(now=_NOW, conditions=not_judged)
    return f"WITH place AS ({_PLACE}) {open_slot}"


CLAIM = _claim("")
CLAIM_OF_ADJUDICATOR = _claim(_NOT_JUDGED)

# a cross join keeps its order: else SQLite may walk past every slot that nobody holds
_HELD = """
FROM tasks_assignment a CROSS JOIN tasks_slot s
WHERE a.rater_id = %(rater)s AND a.state = 'active' AND s.holder_id = a.id
"""
# a second more: times of one moment are written with three digits here and with six there
_LEASE_FROM_NOW = f"{_NOW[:-1]}, %(lease)s, '+1 second')"
HELD_SLOT = f"""
SELECT s.id, a.id, s.expires_at {_HELD}
ORDER BY s.expires_at > {_LEASE_FROM_NOW}, a.id LIMIT 1
"""
IN_HAND = {
    "postgresql": f"SELECT 1 {_HELD} AND s.expires_at <= clock_timestamp() + %(lease)s LIMIT 1",
    "sqlite": f"SELECT 1 {_HELD} AND s.expires_at <= {_LEASE_FROM_NOW} LIMIT 1",
}
OPEN_SLOT = _open_slot("")
OPEN_SLOT_OF_ADJUDICATOR = _open_slot(_NOT_JUDGED)
ASSIGN = """
INSERT INTO tasks_assignment (item_id, rater_id, slot_id, state, skip_reason, claimed_at)
VALUES (%(item)s, %(rater)s, %(slot)s, 'active', '', STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'NOW'))
ON CONFLICT (item_id, rater_id) DO UPDATE
    SET slot_id = excluded.slot_id, claimed_at = excluded.claimed_at
RETURNING id
"""
HOLD = """
UPDATE tasks_slot
SET holder_id = %(assignment)s,
    expires_at = STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'NOW', %(lease)s)
WHERE id = %(slot)s
RETURNING expires_at
"""
