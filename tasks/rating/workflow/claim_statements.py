"""The claim in SQL: one statement on PostgreSQL, a few in one write transaction on SQLite.

`held` is the item the rater already has; `place` is where in the campaign's order the rater is;
`given` is the next slot that an admin has given to the rater, `open` the next one given to nobody.
"""

from tasks.votes.items import ITEM_TO_RATE

# Whether the rater has settled an item is asked of each slot in a scalar subquery: as a join, a
# planner of PostgreSQL that does not know the tables yet compares every open slot with every item
# the rater has done.
_IS_OPEN = """
      AND NOT s.is_filled
      AND (s.holder_id IS NULL OR s.expires_at < {now})
      AND COALESCE((
          SELECT own.state = 'active' FROM tasks_assignment own
          WHERE own.item_id = s.item_id AND own.rater_id = %(rater)s), TRUE)
"""
# Whether they have judged it as an adjudicator or seen its votes is asked in the same way, of those
# alone whose role lets them: every question more makes the planner think the slots dear, and for
# raters claiming took twice as long.
_NOT_JUDGED = """
      AND (SELECT MIN(f.id) FROM tasks_firstlook f
          WHERE f.item_id = s.item_id AND f.adjudicator_id = %(rater)s) IS NULL
      AND (SELECT MIN(d.id) FROM tasks_adjudication d
          WHERE d.item_id = s.item_id AND d.adjudicator_id = %(rater)s) IS NULL
      AND (SELECT MIN(v.id) FROM tasks_seenvotes v
          WHERE v.item_id = s.item_id AND v.member_id = %(rater)s) IS NULL
      AND (SELECT MIN(c.id) FROM tasks_item c WHERE c.copied_from_id = s.item_id) IS NULL
      AND COALESCE((SELECT MIN(r.created_at) FROM tasks_rating r WHERE r.item_id = s.item_id)
          > (SELECT m.votes_seen_until FROM tasks_membership m WHERE m.id = %(rater)s), TRUE)
      AND COALESCE((SELECT MIN(d.created_at) FROM tasks_adjudication d WHERE d.item_id = s.item_id)
          > (SELECT m.votes_seen_until FROM tasks_membership m WHERE m.id = %(rater)s), TRUE)
"""
_FIRST = "    ORDER BY s.order_key, s.number LIMIT 1\n"
_IS_NEW = "      AND NOT EXISTS (SELECT 1 FROM held)\n"
_IS_FREE = "    FOR UPDATE OF s SKIP LOCKED\n"

# The parts are materialised, because a plan that evaluates one twice would claim twice; slots that
# somebody else is taking at this moment are passed over. The holder column is unique, so two claims
# of one rater at once cannot both hold an item twice.
_ON_POSTGRES = """
WITH held AS (
    SELECT s.id AS slot_id, s.holder_id AS assignment_id
    FROM tasks_slot s
    WHERE s.holder_id = ANY (ARRAY(
        SELECT a.id FROM tasks_assignment a WHERE a.rater_id = %(rater)s AND a.state = 'active'))
    ORDER BY s.holder_id LIMIT 1  -- a page may have claimed the item after it as well
    FOR UPDATE
), place AS (
    SELECT s.order_key
    FROM tasks_assignment a JOIN tasks_slot s ON s.id = a.slot_id
    WHERE a.rater_id = %(rater)s AND NOT %(from_start)s AND s.order_key IS NOT NULL
      AND s.given_to_id IS DISTINCT FROM %(rater)s  -- these are apart from where the rater is
    ORDER BY a.claimed_at DESC LIMIT 1
), given AS MATERIALIZED (
    SELECT s.id, s.item_id
    FROM tasks_slot s
    WHERE s.given_to_id = %(rater)s AND s.given_until > clock_timestamp()
      AND s.order_key IS NOT NULL {is_open}
), open_slot AS MATERIALIZED (
    SELECT s.id, s.item_id
    FROM tasks_slot s
    WHERE s.campaign_id = %(campaign)s
      AND (s.given_until IS NULL OR s.given_until <= clock_timestamp())
      AND s.order_key > COALESCE((SELECT order_key FROM place), -1)
      AND NOT EXISTS (SELECT 1 FROM given) {is_open}
), claimed AS (
    INSERT INTO tasks_assignment (item_id, rater_id, slot_id, state, skip_reason, claimed_at)
    SELECT item_id, %(rater)s, id, 'active', '', clock_timestamp()
    FROM (SELECT id, item_id FROM given UNION ALL SELECT id, item_id FROM open_slot) AS taken
    ON CONFLICT (item_id, rater_id) DO UPDATE
        SET slot_id = EXCLUDED.slot_id, claimed_at = EXCLUDED.claimed_at
    RETURNING slot_id, id AS assignment_id
), target AS (
    SELECT slot_id, assignment_id FROM held UNION ALL SELECT slot_id, assignment_id FROM claimed
)
UPDATE tasks_slot s
SET holder_id = target.assignment_id, expires_at = clock_timestamp() + %(lease)s
FROM target, tasks_item i, tasks_question q
WHERE s.id = target.slot_id AND i.id = s.item_id AND q.id = i.question_id
RETURNING s.holder_id, s.expires_at, {item}
"""


def _on_postgres(conditions: str) -> str:
    is_open = conditions.format(now="clock_timestamp()")
    return _ON_POSTGRES.format(is_open=is_open + _IS_NEW + _FIRST + _IS_FREE, item=ITEM_TO_RATE)


CLAIM = _on_postgres(_IS_OPEN)
CLAIM_OF_ADJUDICATOR = _on_postgres(_IS_OPEN + _NOT_JUDGED)

# not a join: with one SQLite walks in the order of holders, past every slot that nobody holds
HELD = """
SELECT s.holder_id FROM tasks_slot s
WHERE s.holder_id IN (
    SELECT a.id FROM tasks_assignment a WHERE a.rater_id = %(rater)s AND a.state = 'active')
ORDER BY s.holder_id LIMIT 1
"""

# --- SQLite ---------------------------------------------------------------------------------

_NOW = "STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"
_END = "STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'now', %(lease)s)"
# COALESCE looks no further than it has to.
_NEXT = """
SELECT COALESCE((
    SELECT s.id FROM tasks_slot s
    WHERE s.given_to_id = %(rater)s AND s.given_until > {now}
      AND s.order_key IS NOT NULL {is_open}
), (
    SELECT s.id FROM tasks_slot s
    WHERE s.campaign_id = %(campaign)s AND (s.given_until IS NULL OR s.given_until <= {now})
      AND s.order_key > (
          SELECT p.order_key FROM tasks_assignment a JOIN tasks_slot p ON p.id = a.slot_id
          WHERE a.rater_id = %(rater)s AND p.order_key IS NOT NULL
            AND p.given_to_id IS NOT %(rater)s  -- these are apart from where the rater is
          ORDER BY a.claimed_at DESC LIMIT 1
      ) {is_open}
), (
    SELECT s.id FROM tasks_slot s
    WHERE s.campaign_id = %(campaign)s AND (s.given_until IS NULL OR s.given_until <= {now})
      AND s.order_key IS NOT NULL {is_open}
))
"""


def _on_sqlite(conditions: str) -> str:
    return _NEXT.format(now=_NOW, is_open=conditions.format(now=_NOW) + _FIRST)


NEXT_SLOT = _on_sqlite(_IS_OPEN)
NEXT_SLOT_OF_ADJUDICATOR = _on_sqlite(_IS_OPEN + _NOT_JUDGED)
ASSIGN = f"""
INSERT INTO tasks_assignment (item_id, rater_id, slot_id, state, skip_reason, claimed_at)
SELECT s.item_id, %(rater)s, s.id, 'active', '', {_NOW} FROM tasks_slot s WHERE s.id = %(slot)s
ON CONFLICT (item_id, rater_id) DO UPDATE
    SET slot_id = EXCLUDED.slot_id, claimed_at = EXCLUDED.claimed_at
RETURNING id
"""  # noqa: S608 - the time as SQLite tells it
HOLD = f"""
UPDATE tasks_slot SET holder_id = %(assignment)s, expires_at = {_END}
WHERE id = (SELECT a.slot_id FROM tasks_assignment a WHERE a.id = %(assignment)s)
RETURNING CAST(expires_at AS TEXT)
"""  # noqa: S608 - as above
