"""Whose votes a member may see, asked of summaries: quick over a million items.

The rule is `tasks.votes.blindness`'s; rows that are shown are asked for it once more, one by one.
"""

from tasks.explorer.queries.condition import Condition
from tasks.models import Item, Membership
from tasks.votes.blindness import items_held_by

# items without votes, those that a member has judged, and those whose votes they have asked for
_KNOWN = """
s.item_id IN (
    SELECT item_id FROM tasks_itemsummary
    WHERE campaign_id = %s AND purpose IN ('calibration', 'control')
    UNION SELECT item_id FROM tasks_firstlook WHERE adjudicator_id = %s
    UNION SELECT item_id FROM tasks_adjudication WHERE adjudicator_id = %s
    UNION SELECT item_id FROM tasks_rating WHERE rater_id = %s
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
    ways.append(Condition(_KNOWN, (member.campaign_id, *[member.pk] * 4)))
    sql = " OR ".join(way.sql for way in ways)
    parameters = tuple(value for way in ways for value in way.parameters)
    if held := tuple(items_held_by(member)):
        held += tuple(Item.objects.filter(copied_from__in=held).values_list("pk", flat=True))
        marks = ", ".join(["%s"] * len(held))
        return Condition(f"(({sql}) AND s.item_id NOT IN ({marks}))", parameters + held)
    return Condition(f"({sql})", parameters)
