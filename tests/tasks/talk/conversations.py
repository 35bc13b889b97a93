"""A rater who has flagged an item and rated it, and what follows."""

import pytest

from tasks.models import Assignment, Flag, Membership, Notice, Thread
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.flags import raise_flag
from tasks.rating.workflow.rating import submit_rating
from tasks.talk.workflow.messages import write_message

REASON = "The passage stops short."


def held_by(rater: Membership) -> Assignment:
    """The rater's next item, claimed."""
    claim = claim_item(membership=rater)
    assert claim is not None
    return Assignment.objects.get(pk=claim.assignment_id)


def flagged_by(rater: Membership, reason: str = REASON, *, rates: bool = True) -> Flag:
    """A flag on the rater's next item, which they have rated by now."""
    assignment = held_by(rater)
    flag = raise_flag(assignment=assignment, reason=reason)
    if rates:
        rate(assignment)
    return flag


def rate(assignment: Assignment) -> None:
    submit_rating(
        assignment_id=assignment.pk,
        membership=assignment.rater,
        answers={"q1": True},
        idempotency_key=f"rating-{assignment.pk}",
    )


def say(thread: Thread, author: Membership, text: str) -> None:
    key = f"key-{thread.messages.count()}"
    write_message(thread=thread, author=author, text=text, idempotency_key=key)


def inbox_of(member: Membership) -> list[str]:
    """The texts of what waits in a member's inbox, the oldest first."""
    unread = Notice.objects.filter(member=member, read_at=None).order_by("pk")
    return list(unread.values_list("message__text", flat=True))


@pytest.fixture
def thread(rater: Membership, admin: Membership) -> Thread:
    """Begun by the flag of `rater`, when `admin` was there to be told."""
    flag = flagged_by(rater)
    return Thread.objects.get(item=flag.item_id, rater=rater)
