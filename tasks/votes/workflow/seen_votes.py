"""Noting that somebody asks for the votes of others: they judge these items blind no more, and
give back those that they hold."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Case, DateTimeField, ExpressionWrapper, F, Value, When
from django.db.models.functions import Coalesce, Greatest, Now

from tasks.models import Assignment, AssignmentState, Item, Membership, SeenVotes, Slot
from tasks.votes.blindness import held_items_judged_by, items_held_by, withheld_from

SAW_ALL_VOTES = "The rater took a file with everybody's votes."


@transaction.atomic
def show_votes(*, items: Iterable[int], member: Membership) -> None:
    """Note that the member has asked for the votes on these items: they are shown from now on.

    Not those of items that they hold: they are still to rate these.
    """
    lock_member(member)
    held = set(items_held_by(member))
    SeenVotes.objects.bulk_create(
        (SeenVotes(item_id=item, member=member) for item in items if item not in held),
        ignore_conflicts=True,
    )


@transaction.atomic
def show_all_votes(*, member: Membership, until: datetime | None = None) -> None:
    """Note that the member asks for all votes there were at that moment, by default now.

    Items that they hold are given back if anybody had judged them: they cannot be rated blind.
    """
    if member.has_seen_votes_until(until):
        return
    lock_member(member)
    for held in held_items_judged_by(member, until):
        skip_item(assignment=held, reason=SAW_ALL_VOTES)
    moment = ExpressionWrapper(Value(until) if until else Now(), DateTimeField())
    latest = Greatest(Coalesce(F("votes_seen_until"), moment), moment)
    Membership.objects.filter(pk=member.pk).update(votes_seen_until=latest)
    member.refresh_from_db(fields=["votes_seen_until"])


def come_to_decide(*, item: Item, member: Membership) -> None:
    """Where no blind first look is asked for, coming to an item to decide it is asking for its
    votes."""
    if not member.campaign.adjudicates_blind and withheld_from(member, item):
        show_votes(items=[item.pk], member=member)


@transaction.atomic
def skip_item(*, assignment: Assignment, reason: str) -> None:
    """Give an item back unrated. It is not offered to this rater again."""
    Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.ACTIVE).update(
        state=AssignmentState.SKIPPED, skip_reason=reason
    )
    Slot.objects.filter(holder=assignment, is_filled=False).update(
        holder=None,
        expires_at=None,
        given_until=Case(When(given_to__isnull=False, then=Now())),
    )


def lock_member(membership: Membership) -> None:
    """Until the end of the transaction the member neither claims an item, nor is shown votes, nor
    decides, by another request. Raters, who are shown none, claim without it."""
    Membership.objects.select_for_update(no_key=True).get(pk=membership.pk)
