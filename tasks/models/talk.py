"""Conversations of raters and admins about items, and the members who are still to read them."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.models.item import Item
from tasks.models.people import Membership
from tasks.models.running.webhook import Delivery

MAX_MESSAGE = 2000  # characters


class Thread(models.Model):
    """The conversation of one rater and the admins about one item."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="threads", db_index=False)
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="threads")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater"], name="one_thread_per_item_and_rater")
        ]

    def __str__(self) -> str:
        return f"thread {self.pk}"


class MessageKind(models.TextChoices):
    FLAG = "flag", pgettext_lazy("reason", "Flag")
    WORDS = "words", _("Message")
    SETTLED = "settled", _("Flag settled")


class Message(models.Model):
    """One message of a thread; append-only, so that a correction is a message of its own.

    Flags and their settlements are messages as well. A settlement has no text where its words are
    not for the rater: those of a decision on the item.
    """

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="messages")
    author = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=MessageKind)
    text = models.TextField(max_length=MAX_MESSAGE, blank=True)
    idempotency_key = models.CharField(max_length=100, default=uuid.uuid4)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["author", "idempotency_key"], name="message_key_once"),
            models.CheckConstraint(
                condition=Q(kind__in=MessageKind.values), name="message_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(kind=MessageKind.SETTLED) | ~Q(text=""), name="message_has_a_text"
            ),
        ]
        indexes = [models.Index(fields=["author", "created_at"], name="messages_of_author")]

    def __str__(self) -> str:
        return f"message {self.pk}"


class Notice(models.Model):
    """That a message is in a member's inbox, unread until `read_at`. At most one mail tells it."""

    message = models.ForeignKey(Message, models.PROTECT, related_name="notices", db_index=False)
    thread = models.ForeignKey(Thread, models.PROTECT, related_name="notices")
    member = models.ForeignKey(Membership, models.PROTECT, related_name="notices", db_index=False)
    is_mention = models.BooleanField(default=False)
    read_at = models.DateTimeField(null=True)
    mail = models.ForeignKey(Delivery, models.PROTECT, null=True, related_name="notices")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["message", "member"], name="one_notice_per_message_and_member"
            )
        ]
        indexes = [
            models.Index(fields=["member", "thread", "id"], name="notices_of_member"),
            models.Index(
                fields=["member", "thread"], name="unread_notices", condition=Q(read_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message} for {self.member}"


class SharedAnswer(models.Model):
    """That everybody who rates the item may open this message of an admin; append-only."""

    message = models.OneToOneField(Message, models.PROTECT, related_name="shared")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"answer by {self.message}"


class OpenedAnswer(models.Model):
    """That a rater has opened a shared answer; append-only."""

    answer = models.ForeignKey(SharedAnswer, models.PROTECT, related_name="opened", db_index=False)
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "rater"], name="answer_opened_once")
        ]

    def __str__(self) -> str:
        return f"{self.answer} opened by {self.rater}"
