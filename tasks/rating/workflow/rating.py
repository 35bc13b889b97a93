"""Submitting a rating: once, durably, under an idempotency key; and drafts before that."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, connection, transaction

from tasks.models import (
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
from tasks.protocols.definition import Outcome
from tasks.rating.workflow import rating_statements as statements
from tasks.rating.workflow.rating_events import note_rating, together_with_events
from tasks.rating.workflow.suggestion_views import (
    has_seen,
    note_rated,
    note_shown,
    together_with_view,
)
from tasks.storing.refusals import Refusal


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
    wording: str = "",
    comment: str = "",
    seconds: float | None = None,
) -> StoredRating:
    """Store a rater's answers; a second submission with a new key supersedes the first.

    The rating is counted while the rater holds the slot, even past the end of the lease; if the
    slot was given to somebody else it is kept as surplus. It returns after the commit. `wording` is
    as in `Rating`.

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
        wording=wording,
        comment=comment,
        seconds=seconds,
        idempotency_key=idempotency_key,
        payload_hash=_payload_hash(assignment_id, outcome, comment),
    )
    try:
        with together_with_events(campaign), together_with_view(campaign):
            if not _store_at_once(rating, guideline_version):
                with transaction.atomic():
                    state = _lock_assignment(rating)
                    if earlier := _earlier_submission(rating):
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
    comment: str = "",
    seconds: float = 0,
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
            "comment": comment,
            "seconds": seconds,
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
        given = {name: getattr(rating, name) for name in statements.INSERTED}
        cursor.execute(statements.FIRST_RATING, given)
        row = cursor.fetchone()
    if row is None:
        return False
    rating.pk, rating.item_id, rating.slot_id = row
    return True


def _lock_assignment(rating: Rating) -> str:
    """Lock the rating's assignment, note its item and slot; returns its state."""
    lock = "FOR UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"{statements.LOCK_ASSIGNMENT} {lock}", [rating.assignment_id, rating.rater_id]
        )
        row = cursor.fetchone()
    if row is None:
        raise Assignment.DoesNotExist
    rating.item_id, rating.slot_id, state = row
    return str(state)


def _earlier_submission(rating: Rating) -> Rating | None:
    """The rating stored under this key, if there is one. Raises KeyReused if it was another."""
    earlier = Rating.objects.filter(
        rater=rating.rater, idempotency_key=rating.idempotency_key
    ).first()
    if earlier is not None and earlier.payload_hash != rating.payload_hash:
        raise KeyReused("this idempotency key was used for another rating")
    return earlier


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
            cursor.execute(statements.FILL_SLOT, fill)
            rating.slot_id = rating.slot_id if cursor.rowcount else None
            cursor.execute(statements.SETTLE, [AssignmentState.SUBMITTED, rating.assignment_id])
        cursor.execute(statements.INSERT, [getattr(rating, n) for n in statements.INSERTED])
        (rating.pk,) = cursor.fetchone()
        cursor.execute(statements.DROP_DRAFT, [rating.assignment_id])


def _payload_hash(assignment_id: int, outcome: Outcome, comment: str) -> str:
    """What makes two submissions the same. Time spent is left out: a browser that sends a form
    twice may have counted on. So are the words, which say how it was asked."""
    payload = json.dumps([assignment_id, outcome.id, comment])
    return hashlib.sha256(payload.encode()).hexdigest()
