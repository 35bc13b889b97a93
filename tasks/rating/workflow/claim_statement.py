"""The claim as one PostgreSQL statement."""

# The claim as one PostgreSQL statement. `held` finds the item the rater already has; `place` is
# where in the campaign's order the rater is; `given` takes the next slot that an admin has given to
# the rater, `open_slot` the next one given to nobody, that nobody else is taking at this moment.
# They are materialised, because a plan that evaluates one twice would claim twice. The holder
# column is unique, so two claims of one rater at once cannot both hold an item twice.
_CLAIM = """
WITH held AS (
    SELECT s.id AS slot_id, a.id AS assignment_id
    FROM tasks_assignment a JOIN tasks_slot s ON s.holder_id = a.id
    WHERE a.rater_id = %(rater)s AND a.state = 'active'
    ORDER BY a.id LIMIT 1  -- a page may have claimed the item after it as well
    FOR UPDATE OF s
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
FROM target WHERE s.id = target.slot_id
RETURNING s.holder_id, s.expires_at
"""
# Whether the rater has settled an item is asked of each slot in a scalar subquery: as a join, a
# planner that does not know the tables yet compares every open slot with every item the rater has
# done.
_IS_OPEN = """
      AND NOT s.is_filled
      AND (s.holder_id IS NULL OR s.expires_at < clock_timestamp())
      AND NOT EXISTS (SELECT 1 FROM held)
      AND COALESCE((
          SELECT own.state FROM tasks_assignment own
          WHERE own.item_id = s.item_id AND own.rater_id = %(rater)s), 'active') = 'active'
      {not_judged}
    ORDER BY s.order_key, s.number LIMIT 1
    FOR UPDATE OF s SKIP LOCKED
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
      AND (SELECT c.id FROM tasks_item c WHERE c.copied_from_id = s.item_id) IS NULL
      AND COALESCE(
          LEAST((SELECT MIN(r.created_at) FROM tasks_rating r WHERE r.item_id = s.item_id),
              (SELECT MIN(d.created_at) FROM tasks_adjudication d WHERE d.item_id = s.item_id))
          > (SELECT m.votes_seen_until FROM tasks_membership m WHERE m.id = %(rater)s), TRUE)
"""
CLAIM = _CLAIM.format(is_open=_IS_OPEN.format(not_judged=""))
CLAIM_OF_ADJUDICATOR = _CLAIM.format(is_open=_IS_OPEN.format(not_judged=_NOT_JUDGED))
