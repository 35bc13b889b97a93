"""Webhooks, which are told what happens in a campaign, and the conversations of raters and admins
about items."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.models.assessment import Alert
from tasks.models.campaign import Campaign
from tasks.models.entry import Invitation
from tasks.models.item import Item
from tasks.models.people import Membership, User


class EventKind(models.TextChoices):
    RATING_STORED = "rating.stored", _("A rating was stored")
    RATING_REVISED = "rating.revised", _("A rating was revised")
    ITEM_COMPLETED = "item.completed", _("An item has all its ratings")
    CAMPAIGN_COMPLETED = "campaign.completed", _("Every item has all its ratings")
    ADJUDICATION_DECIDED = "adjudication.decided", _("An adjudicator decided")
    RELEASE_PUBLISHED = "release.published", _("A release was published")
    RELEASE_WITHDRAWN = "release.withdrawn", _("A release was withdrawn")
    JOB_DONE = "job.done", _("A job is done")
    JOB_FAILED = "job.failed", _("A job failed")
    IMPORT_DONE = "import.done", _("A file was imported")
    ALERT_RAISED = "alert.raised", _("An alert was raised")
    MESSAGE_WRITTEN = "message.written", _("A message was written")
    WEBHOOK_TRIED = "webhook.tried", _("Test message")


CHOSEN_KINDS = tuple(kind for kind in EventKind if kind != EventKind.WEBHOOK_TRIED)
"""The events that a webhook may ask for; a trial goes to the one that is tried."""


class Webhook(models.Model):
    """An address that an admin wants told of `events`, a list of EventKind.

    After a failure it rests until `rests_until`; a worker that is sending to it puts that off as
    well, so that one worker at a time does. `failing_since` is empty while it takes what it is
    sent. A deleted one stays as a row without address and secret: whoever tells of something at
    that moment may still name it.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="webhooks")
    url = models.URLField(max_length=500, blank=True)
    secret = models.CharField(max_length=100, blank=True)
    events = models.JSONField(default=list)
    is_active = models.BooleanField(default=True)
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    rests_until = models.DateTimeField(db_default=Now())
    switched_off_because = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.url or f"webhook {self.pk}"


class Event(models.Model):
    """Something that happened, stored with it in one transaction. `uid` names it to receivers."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=40, choices=EventKind)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = [models.Index(fields=["created_at"], name="events_by_age")]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=EventKind.values), name="event_kind_known")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uid}"


class Channel(models.TextChoices):
    MAIL = "mail", _("Mail")
    WEBHOOK = "webhook", _("Webhook")


def _only(subject: str) -> Q:
    """Of a delivery: it is of this subject and no other; events alone go to a webhook of theirs."""
    subjects = ("alert", "event", "user", "invitation")
    nulls = {f"{name}__isnull": name != subject for name in subjects}
    return Q(**nulls, webhook__isnull=subject != "event")


class Delivery(models.Model):
    """One sending of an alert through a channel, of an event to a webhook, of messages to a user by
    mail (Notice), or of an invitation by mail. An invitation that is sent again has another.

    It is tried from `not_before` on, until it is sent.
    """

    alert = models.ForeignKey(Alert, models.PROTECT, null=True, related_name="deliveries")
    channel = models.CharField(max_length=20, choices=Channel)
    event = models.ForeignKey(Event, models.PROTECT, null=True, related_name="deliveries")
    webhook = models.ForeignKey(
        Webhook, models.PROTECT, null=True, related_name="deliveries", db_index=False
    )
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    invitation = models.ForeignKey(Invitation, models.PROTECT, null=True, related_name="deliveries")
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(db_default=Now())
    sent_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)

    class Meta:
        db_table = "tasks_alertdelivery"
        constraints = [
            models.UniqueConstraint(fields=["alert", "channel"], name="told_once_per_channel"),
            models.UniqueConstraint(fields=["event", "webhook"], name="told_once_per_webhook"),
            models.CheckConstraint(condition=Q(channel__in=Channel.values), name="channel_known"),
            models.CheckConstraint(
                condition=_only("alert") | _only("event") | _only("user") | _only("invitation"),
                name="delivery_of_one_thing",
            ),
        ]
        indexes = [
            models.Index(fields=["not_before"], name="untold_alerts", condition=Q(sent_at=None)),
            models.Index(fields=["webhook", "id"], name="deliveries_of_webhook"),
            models.Index(
                fields=["webhook", "id"],
                name="undelivered_events",
                condition=Q(sent_at=None, webhook__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.alert or self.event or self.user or self.invitation} by {self.channel}"


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
