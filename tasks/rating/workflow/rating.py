"""Submitting a rating: once, durably, under an idempotency key; and drafts before that."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from tasks.models import (
    Adjudication,
    Assignment,
    AssignmentState,
    Campaign,
    Draft,
    Membership,
    Rating,
    Suggestion,
    SuggestionArm,
    SuggestionPolicy,
)
from tasks.prefill.queries.suggestions import suggestion_for
from tasks.rating.workflow.records import (
    has_seen,
    note_rated,
    note_rating,
    note_shown,
    together_with_events,
    together_with_view,
)
from tasks.storing.database import fetch_row
from tasks.storing.refusals import Refusal
from tomahto.votes.remarks import NOTHING_SAID, TYPED, Remarks

MAX_SECONDS = 86_400

# The statements are written by hand: the ORM takes three times as long.
_BY_DATABASE = ("id", "rated_at", "created_at")
INSERTED = tuple(
    field.attname for field in Rating._meta.local_concrete_fields if field.name not in _BY_DATABASE
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
KEY_USED = "SELECT 1 FROM tasks_rating WHERE rater_id = %s AND idempotency_key = %s"
SETTLE = "UPDATE tasks_assignment SET state = %s WHERE id = %s"
DROP_DRAFT = "DELETE FROM tasks_draft WHERE assignment_id = %s"
INSERT = f"""
INSERT INTO tasks_rating ({", ".join(INSERTED)}, rated_at)
VALUES ({", ".join(["%s"] * len(INSERTED))}, CURRENT_TIMESTAMP) RETURNING id
"""  # noqa: S608 - names of our own columns


Stored = TypeVar("Stored", Rating, Adjudication)


class SubmissionRefused(Refusal):
    """The rating was not stored; the message says why, the rater's text is still with them."""


class KeyReused(SubmissionRefused):
    """The idempotency key has been used for another rating."""


class GivenBack(SubmissionRefused):
    """The rater has skipped the item, and may have seen its votes since."""


class GuidelineChanged(SubmissionRefused):
    """The form was made under guidelines that are no longer in force."""


@dataclass(frozen=True, slots=True)
class StoredRating:
    """A stored rating; `is_replay` when this very rating had been stored before."""

    rating: Rating
    label: str
    is_replay: bool


def submit_rating(
    *,
    assignment_id: int,
    membership: Membership,
    answers: Mapping[str, object],
    idempotency_key: str,
    guideline_version: int | None = None,
    seconds: float | None = None,
    remarks: Remarks = NOTHING_SAID,
) -> StoredRating:
    """Store a rater's answers; a second submission with a new key supersedes the first.

    `seconds` is the active time, None where it is not known.

    The rating is counted while the rater holds the slot, even past the end of the lease; if the
    slot was given to somebody else it is kept as surplus. It returns after the commit.

    Raises AnswersError, KeyReused, GuidelineChanged, GivenBack, and Assignment.DoesNotExist for
    an assignment that is not the member's.
    """
    campaign = membership.campaign
    outcome = campaign.annotation_protocol.outcome(answers)
    rating = Rating(
        rater=membership,
        outcome_id=outcome.id,
        assignment_id=assignment_id,
        guideline=campaign.guideline,
        suggestion_arm=suggestion_arm(campaign, assignment_id),
        suggestion_policy=campaign.suggestions,
        suggestion_matcher=campaign.suggestion_matcher,
        idempotency_key=idempotency_key,
        # without the time spent: a browser that sends a form twice may have counted on; and of the
        # remarks those alone that the rater typed
        payload_hash=payload_hash(assignment_id, outcome.id, remarks.comment, *_further(remarks)),
        seconds=seconds,
        **asdict(remarks),
    )
    try:
        with together_with_events(campaign), together_with_view(campaign):
            if not _store_at_once(rating, guideline_version):
                with transaction.atomic():
                    state = _lock_assignment(rating)
                    if fetch_row(KEY_USED, [membership.pk, idempotency_key]):
                        own = Rating.objects.filter(rater=membership)
                        earlier = stored_before(own, idempotency_key, rating.payload_hash)
                        if earlier:
                            return StoredRating(earlier, outcome.label, is_replay=True)
                    if state == AssignmentState.SKIPPED:
                        raise GivenBack(
                            "you can no longer rate this item, because you skipped it or asked "
                            "for everybody's votes"
                        )
                    require_guideline(campaign, guideline_version)
                    _store(rating, state)
            note_rated(rating=rating, campaign=campaign)
            note_rating(campaign=campaign, rating=rating, label=outcome.label)
    except IntegrityError as error:
        if "idempotency_key" in str(error):
            raise KeyReused("this idempotency key belongs to another rating") from error
        raise
    return StoredRating(rating, outcome.label, is_replay=False)


def _further(remarks: Remarks) -> list[tuple[str, str]]:
    """The typed remarks beside the comment that say something: so a rating that was sent before
    there was a remark is the same when it is sent again."""
    texts = [(remark.name, getattr(remarks, remark.name)) for remark in TYPED]
    return [(name, text) for name, text in texts if text and name != "comment"]


def suggestion_arm(campaign: Campaign, assignment_id: int) -> SuggestionArm:
    """Whether the rater of an assignment sees the suggestion; random halves are seeded."""
    if campaign.suggestions != SuggestionPolicy.RANDOMISED:
        return SuggestionArm(campaign.suggestions)
    text = f"arm {campaign.seed} {assignment_id}"
    shown = hashlib.sha256(text.encode()).digest()[0] % 2 == 0
    return SuggestionArm.BEFORE if shown else SuggestionArm.HIDDEN


def suggestion_before(campaign: Campaign, *, assignment_id: int, item_id: int) -> Suggestion | None:
    """The matcher's opinion where the rater of an assignment is to see it with the item."""
    if suggestion_arm(campaign, assignment_id) != SuggestionArm.BEFORE:
        return None
    return suggestion_for(item_id, campaign)


def show_before(campaign: Campaign, *, assignment_id: int, item_id: int) -> Suggestion | None:
    """As `suggestion_before`, and note that it is shown now."""
    suggestion = suggestion_before(campaign, assignment_id=assignment_id, item_id=item_id)
    if suggestion:
        note_shown(assignment_id=assignment_id, suggestion=suggestion)
    return suggestion


def save_draft(
    *,
    assignment: Assignment,
    answers: Mapping[str, object],
    seconds: float | None = None,
    remarks: Remarks = NOTHING_SAID,
) -> Draft:
    """Keep what a form holds so far, under the guidelines in force.

    Raises AnswersError for answers that the protocol does not know.
    """
    campaign = assignment.rater.campaign
    draft, _created = Draft.objects.update_or_create(
        assignment=assignment,
        guideline=campaign.guideline,
        defaults={
            "answers": campaign.annotation_protocol.canonical(answers),
            "seconds": seconds,
            **{remark.name: getattr(remarks, remark.name) for remark in TYPED},
        },
    )
    return draft


def _store_at_once(rating: Rating, guideline_version: int | None) -> bool:
    """Store the first rating of an active assignment in one statement, where there is one.

    False if that was not possible; then nothing has changed.
    """
    current = rating.guideline.version if rating.guideline else None
    if connection.vendor != "postgresql" or guideline_version not in {None, current}:
        return False
    with connection.cursor() as cursor:
        given = {name: getattr(rating, name) for name in INSERTED}
        cursor.execute(FIRST_RATING, given)
        row = cursor.fetchone()
    if row is None:
        return False
    rating.pk, rating.item_id, rating.slot_id = row
    return True


def _lock_assignment(rating: Rating) -> str:
    lock = "FOR UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(f"{LOCK_ASSIGNMENT} {lock}", [rating.assignment_id, rating.rater_id])
        row = cursor.fetchone()
    if row is None:
        raise Assignment.DoesNotExist
    rating.item_id, rating.slot_id, state = row
    return str(state)


def stored_before(own: QuerySet[Stored], key: str, payload: str) -> Stored | None:
    """Of somebody's own rows the one stored under this key, if there is one. Raises KeyReused if it
    was another."""
    earlier = own.filter(idempotency_key=key).first()
    if earlier is not None and earlier.payload_hash != payload:
        kind = "rating" if isinstance(earlier, Rating) else "decision"
        raise KeyReused(f"this idempotency key was used for another {kind}")
    return earlier


def payload_hash(*submitted: object) -> str:
    """The same for two submissions that are the same."""
    return hashlib.sha256(json.dumps(submitted).encode()).hexdigest()


def require_guideline(campaign: Campaign, version: int | None) -> None:
    """Raises GuidelineChanged unless the version that somebody saw is in force."""
    current = campaign.guideline_version
    if version is not None and version != current:
        raise GuidelineChanged(
            f"the guidelines changed to version {current} while this form was open"
        )


def _store(rating: Rating, state: str) -> None:
    """Fill the slot if it is still held, and insert; a revision takes its forerunner's slot."""
    with connection.cursor() as cursor:
        if state == AssignmentState.SUBMITTED:
            head = Rating.objects.get(assignment=rating.assignment_id, superseded_by=None)
            rating.supersedes, rating.slot_id = head, head.slot_id
            if has_seen(rating.assignment_id):
                rating.suggestion_arm = SuggestionArm.BEFORE
        else:
            fill = [True, rating.slot_id, rating.assignment_id, False]
            cursor.execute(FILL_SLOT, fill)
            rating.slot_id = rating.slot_id if cursor.rowcount else None
            cursor.execute(SETTLE, [AssignmentState.SUBMITTED, rating.assignment_id])
        cursor.execute(INSERT, [getattr(rating, n) for n in INSERTED])
        (rating.pk,) = cursor.fetchone()
        cursor.execute(DROP_DRAFT, [rating.assignment_id])
