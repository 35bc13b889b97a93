"""Answers of admins for everybody who rates the item: shown for good, opened by choice."""

from collections.abc import Sequence

from django.db import transaction

from tasks.models import AuditAction, Membership, Message, OpenedAnswer, SharedAnswer
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal


class NotToBeShared(Refusal):
    """Only admins show messages to others, and only their own."""


def may_share(message: Message, member: Membership) -> bool:
    """Whether the member may show the message to everybody who rates the item, from whom it is to
    keep the rater it was written to."""
    rater = message.thread.rater
    is_own = message.author_id == member.pk != rater.pk
    return member.is_admin and is_own and bool(message.text) and rater.pseudonym not in message.text


@transaction.atomic
def share_answer(*, message: Message, by: Membership) -> bool:
    """Show the message to everybody who rates its item, for good; false if it was before.

    Raises NotToBeShared.
    """
    if not may_share(message, by):
        raise NotToBeShared(
            "only an answer of your own that does not name its rater can be shown to all"
        )
    _answer, is_new = SharedAnswer.objects.get_or_create(message=message)
    if is_new:
        record(
            AuditAction.ANSWER_SHARED,
            campaign=by.campaign,
            subject=("item", message.thread.item.key),
            details={"message": message.pk},
            by=by,
        )
    return is_new


def note_opened(*, answers: Sequence[SharedAnswer], rater: Membership) -> None:
    """That the rater has opened these answers. A second look changes nothing."""
    for answer in answers:
        OpenedAnswer.objects.get_or_create(answer=answer, rater=rater)
