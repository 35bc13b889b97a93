"""A rater who has flagged an item and rated it, and what follows."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from tasks.models import Assignment, Flag, Membership, Message, Notice, SharedAnswer, Slot, Thread
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag
from tasks.talk.workflow import share_answer, write_message

REASON = "The passage stops short."


def held_by(rater: Membership) -> Assignment:
    """The rater's next item, claimed."""
    claim = claim_item(membership=rater)
    assert claim is not None
    return Assignment.objects.get(pk=claim.assignment_id)


def hold(rater: Membership, item_id: int) -> Assignment:
    """This item, claimed by the rater."""
    slot = Slot.objects.filter(item=item_id, is_filled=False).earliest("number")
    assignment = Assignment.objects.create(item_id=item_id, rater=rater, slot=slot)
    later = Now() + timedelta(hours=1)
    Slot.objects.filter(pk=slot.pk).update(holder=assignment, expires_at=later)
    return assignment


def flagged_by(rater: Membership, reason: str = REASON) -> Flag:
    """A flag on the rater's next item, which they have rated by now."""
    assignment = held_by(rater)
    flag = raise_flag(assignment=assignment, reason=reason)
    rate(assignment)
    return flag


def rate(assignment: Assignment) -> None:
    submit_rating(
        assignment_id=assignment.pk,
        membership=assignment.rater,
        answers={"q1": True},
        idempotency_key=f"rating-{assignment.pk}",
    )


def say(thread: Thread, author: Membership, text: str) -> Message:
    key = f"key-{thread.messages.count()}"
    return write_message(thread=thread, author=author, text=text, idempotency_key=key).message


def answer(thread: Thread, admin: Membership, text: str) -> SharedAnswer:
    """An admin's message, shown to everybody who rates the item."""
    message = say(thread, admin, text)
    share_answer(message=message, by=admin)
    return message.shared


def inbox_of(member: Membership) -> list[str]:
    """The texts of what waits in a member's inbox, the oldest first."""
    unread = Notice.objects.filter(member=member, read_at=None).order_by("pk")
    return list(unread.values_list("message__text", flat=True))


@pytest.fixture
def thread(rater: Membership, admin: Membership) -> Thread:
    """Begun by the flag of `rater`, when `admin` was there to be told."""
    flag = flagged_by(rater)
    return Thread.objects.get(item=flag.item_id, rater=rater)
