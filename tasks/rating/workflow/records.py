"""Kept and passed on beside a rating: which suggestions raters saw and for how long, events for
webhooks, and flags, which an admin settles.

Where no webhook asks for any event a rating costs nothing more: the campaign, which is read
anyway, says so.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.events.workflow.events import NewEvent, note_events, wanted_in
from tasks.models import (
    Assignment,
    AuditAction,
    Campaign,
    EventKind,
    Flag,
    Item,
    ItemPurpose,
    Membership,
    Rating,
    Slot,
    Suggestion,
    SuggestionArm,
    SuggestionPolicy,
    SuggestionView,
)
from tasks.prefill.queries.suggestions import suggestion_for
from tasks.storing.acts import record
from tasks.talk.workflow import note_flag, note_settlement


def note_shown(*, assignment_id: int, suggestion: Suggestion) -> None:
    """The suggestion is shown together with the item. A second look changes nothing."""
    SuggestionView.objects.get_or_create(
        assignment_id=assignment_id,
        defaults={"suggestion": suggestion, "arm": SuggestionArm.BEFORE, "shown_at": Now()},
    )


def note_shown_after(view: SuggestionView) -> None:
    """The page with the rater's answer and the suggestion is sent. A reload changes nothing."""
    SuggestionView.objects.filter(pk=view.pk, shown_at=None).update(shown_at=Now())


def note_rated(*, rating: Rating, campaign: Campaign) -> None:
    """End the view with the item, or make one due after the answer; once per assignment."""
    if rating.suggestion_arm not in (SuggestionArm.BEFORE, SuggestionArm.AFTER):
        return
    assert rating.assignment_id is not None  # noqa: S101 - an import has no arm
    if close_view(assignment_id=rating.assignment_id):
        return
    suggestion = suggestion_for(rating.item_id, campaign)
    if suggestion is not None:
        is_over = rating.suggestion_arm == SuggestionArm.BEFORE
        SuggestionView.objects.get_or_create(
            assignment_id=rating.assignment_id,
            defaults={
                "suggestion": suggestion,
                "arm": rating.suggestion_arm,
                "closed_at": Now() if is_over else None,
            },
        )


def has_seen(assignment_id: int | None) -> bool:
    return SuggestionView.objects.filter(
        Q(shown_at__isnull=False) | Q(arm=SuggestionArm.BEFORE), assignment=assignment_id
    ).exists()


def close_view(*, assignment_id: int) -> bool:
    """The rater goes on from the suggestion; false if none stands open."""
    views = SuggestionView.objects.filter(assignment=assignment_id)
    return bool(views.filter(shown_at__isnull=False, closed_at=None).update(closed_at=Now()))


def close_views_of(membership: Membership) -> None:
    if membership.campaign.suggestions == SuggestionPolicy.AFTER:
        SuggestionView.objects.filter(
            assignment__rater=membership,
            arm=SuggestionArm.AFTER,
            shown_at__isnull=False,
            closed_at=None,
        ).update(closed_at=Now())


def together_with_view(campaign: Campaign) -> AbstractContextManager[None]:
    is_shown = campaign.suggestions != SuggestionPolicy.HIDDEN
    return transaction.atomic() if is_shown else nullcontext()


_OF_RATINGS = frozenset(
    {
        EventKind.RATING_STORED,
        EventKind.RATING_REVISED,
        EventKind.ITEM_COMPLETED,
        EventKind.CAMPAIGN_COMPLETED,
    }
)
# the first number of an advisory lock says what the second one counts
_ITEM_LOCK, _CAMPAIGN_LOCK = 0x746F6D31, 0x746F6D32


def together_with_events(campaign: Campaign) -> AbstractContextManager[None]:
    """A transaction for rating and events if any are wanted; else the rating is by itself."""
    return transaction.atomic() if _tells(campaign) else nullcontext()


def note_rating(*, campaign: Campaign, rating: Rating, label: str) -> None:
    """Note what has just been stored, in its transaction, if a webhook asks for it."""
    if _tells(campaign):
        note_events(campaign.pk, *_new_events(campaign, rating, label))


def _tells(campaign: Campaign) -> bool:
    # where no webhook asks a rating costs nothing more: the campaign is read anyway
    return bool(campaign.webhook_events) and not wanted_in(campaign).isdisjoint(_OF_RATINGS)


def _new_events(campaign: Campaign, rating: Rating, label: str) -> Iterator[NewEvent]:
    item = Item.objects.only("key", "purpose").get(pk=rating.item_id)
    is_revision = rating.supersedes_id is not None
    data = {
        "rating": rating.pk,
        "item": item.key,
        "rater": rating.rater.pseudonym,
        "label": label,
        "counted": rating.is_counted,
        "supersedes": rating.supersedes_id,
    }
    yield NewEvent(EventKind.RATING_REVISED if is_revision else EventKind.RATING_STORED, data)
    if rating.has_place and not is_revision and item.purpose == ItemPurpose.LIVE:
        yield from _completed(campaign, item)


def _completed(campaign: Campaign, item: Item) -> Iterator[NewEvent]:
    wanted = wanted_in(campaign)
    if wanted.isdisjoint({EventKind.ITEM_COMPLETED, EventKind.CAMPAIGN_COMPLETED}):
        return
    _wait_for_others(_ITEM_LOCK, item.pk)
    unfilled = Slot.objects.filter(is_filled=False, order_key__isnull=False)
    if unfilled.filter(item=item).exists():
        return
    yield NewEvent(EventKind.ITEM_COMPLETED, {"item": item.key})
    if EventKind.CAMPAIGN_COMPLETED in wanted:
        _wait_for_others(_CAMPAIGN_LOCK, campaign.pk)
        if not unfilled.filter(campaign=campaign).exists():
            yield NewEvent(EventKind.CAMPAIGN_COMPLETED, {})


def _wait_for_others(kind: int, number: int) -> None:
    """Until the transaction ends nobody else passes here.

    Of two that fill the last two slots at once neither would see the other's. It is no lock on a
    row, which those who change the campaign would wait for too. SQLite has one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, number % 2**31])


@transaction.atomic
def raise_flag(*, assignment: Assignment, reason: str) -> Flag:
    """The rater's open flag on the item, with this reason from now on.

    A rater has at most one open flag on an item: flagging again changes its reason, and after it
    is settled opens another. Each reason is a message to the admins. Raises TooManyMessages.
    """
    flag, _created = Flag.objects.update_or_create(
        item_id=assignment.item_id,
        rater_id=assignment.rater_id,
        settled_at=None,
        defaults={"reason": reason},
    )
    note_flag(flag=flag)
    return flag


@transaction.atomic
def settle_flag(*, flag: Flag, by: Membership, settlement: str, is_decision: bool = False) -> bool:
    """Settle a flag for good; false if that has been done before, and then nothing changes.

    Its rater is told the words, except those of a decision, which may say how others have rated.
    """
    changed = Flag.objects.filter(pk=flag.pk, settled_at=None).update(
        settled_at=Now(), settled_by=by, settlement=settlement
    )
    if changed:
        note_settlement(flag=flag, by=by, text="" if is_decision else settlement)
        record(
            AuditAction.FLAG_SETTLED, campaign=by.campaign, subject=("item", flag.item.key), by=by
        )
    return bool(changed)
