"""Before an item is handed out: members who consented to the text in force and passed the
calibration, the claim as one PostgreSQL statement, and control items, which have a known answer
and are handed out among the live ones, unannounced."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Literal

from django.db import transaction
from django.db.models import DateTimeField as DateTime
from django.db.models import Exists, ExpressionWrapper, OuterRef, QuerySet
from django.db.models.functions import Now

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Slot,
    Suggestion,
    SuggestionPolicy,
)
from tasks.storing.refusals import Refusal

Missing = Literal["consent", "calibration"]
_SENTENCES: dict[Missing, str] = {
    "consent": "consent to the current text is required before an item can be claimed",
    "calibration": "the calibration must be passed before an item can be claimed",
}


class NotAdmitted(Refusal):
    """The member gets no items yet; `missing` says what they have to do first."""

    def __init__(self, missing: Missing, slug: str) -> None:
        self.missing, self.slug = missing, slug
        super().__init__(_SENTENCES[missing])

    status = 403

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:
        """Also what is missing, and the page where it is done."""
        page = address_of(self.missing, self.slug)
        return {"detail": str(self), "missing": self.missing, "url": page}


def what_is_missing(membership: Membership) -> Missing | None:
    """The member's next step before live work, whatever their role; None if there is none.

    It reads nothing from the database: a membership is loaded with all it takes, and every claim
    asks.
    """
    campaign = membership.campaign
    text = campaign.consent_text_id
    if text is not None and membership.consented_to_id != text:
        return "consent"
    if campaign.requires_calibration and membership.passed_calibration_id is None:
        return "calibration"
    return None


def require_admission(membership: Membership) -> None:
    if missing := what_is_missing(membership):
        raise NotAdmitted(missing, membership.campaign.slug)


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


@transaction.atomic
def claim_control(*, membership: Membership) -> Assignment | None:
    """The rater's next control item, held for them; None while none is due or none is left.

    One is due about every `control_every` live ratings. The gap is drawn anew each time from half
    of that to one and a half times it, so that nobody can count along; it is drawn by hash, so that
    a repeated call comes to the same end. Every rater may get every control item once, in an order
    of their own, unless they have had a live item of the same texts; its slot is made for them
    alone. Where raters see suggestions, only control items that have one are handed out.

    Raises IntegrityError if the same call is running twice at once.
    """
    if not _is_due(membership):
        return None
    item = _next_control(membership)
    if item is None:
        return None
    # numbers of a control item's slots are its raters: nobody can take another's
    slot = Slot.objects.create(campaign=membership.campaign, item=item, number=membership.pk)
    assignment = Assignment.objects.create(item=item, rater=membership, slot=slot)
    lease = timedelta(minutes=membership.campaign.lease_minutes)
    Slot.objects.filter(pk=slot.pk).update(
        holder=assignment, expires_at=ExpressionWrapper(Now() + lease, output_field=DateTime())
    )
    return assignment


def is_control_next(membership: Membership) -> bool:
    return _is_due(membership) and _next_control(membership) is not None


def controls_of(campaign: Campaign) -> QuerySet[Item]:
    return Item.objects.filter(
        campaign=campaign, purpose=ItemPurpose.CONTROL, expected__isnull=False
    ).exclude(handling__is_dismissed=True)


def _is_due(membership: Membership) -> bool:
    every = membership.campaign.control_every
    if not every:
        return False
    work = Assignment.objects.filter(rater=membership)
    controls = work.filter(item__purpose=ItemPurpose.CONTROL)
    last = controls.order_by("-pk").values_list("pk", flat=True).first()
    since = work.filter(
        pk__gt=last or 0, item__purpose=ItemPurpose.LIVE, state=AssignmentState.SUBMITTED
    )
    gap = every - every // 2 + _drawn(membership, str(last)) % (2 * (every // 2) + 1)
    return since.count() >= gap


def _next_control(membership: Membership) -> Item | None:
    left = controls_of(membership.campaign).exclude(assignments__rater=membership)
    same = Assignment.objects.filter(
        rater=membership, item__question=OuterRef("question"), item__candidate=OuterRef("candidate")
    )
    left = left.exclude(Exists(same))
    if _are_suggestions_shown(membership.campaign):
        # one without would be told by that
        matcher = membership.campaign.suggestion_matcher
        left = left.filter(Exists(Suggestion.objects.filter(item=OuterRef("pk"), matcher=matcher)))
    return min(left, key=lambda item: _drawn(membership, item.key), default=None)


def _are_suggestions_shown(campaign: Campaign) -> bool:
    if campaign.suggestions == SuggestionPolicy.HIDDEN:
        return False
    return Suggestion.objects.filter(
        item__campaign=campaign, item__purpose=ItemPurpose.LIVE, matcher=campaign.suggestion_matcher
    ).exists()


def _drawn(membership: Membership, text: str) -> int:
    seed = f"control {membership.campaign.seed} {membership.pk} {text}"
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])
