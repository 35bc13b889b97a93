"""The audit log: who did what, in one chain of hashes for the whole site."""

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from django.db import models
from django.utils.translation import pgettext_lazy

from tasks.models.campaign import Campaign
from tasks.models.people import User


class AuditAction(models.TextChoices):
    """An act that changes what others may do, see or rely on.

    Ratings, claims, first looks, consents and calibration answers are none: they are append-only
    rows of their own, with who gave them and when.
    """

    CAMPAIGN_CREATED = "campaign.created", pgettext_lazy("act", "Created the campaign")
    CAMPAIGN_COPIED = "campaign.copied", pgettext_lazy("act", "Copied the campaign")
    DATA_COPIED = "campaign.data-copied", pgettext_lazy("act", "Copied the data of a campaign")
    CAMPAIGN_ARCHIVED = "campaign.archived", pgettext_lazy("act", "Archived the campaign")
    CAMPAIGN_REOPENED = "campaign.reopened", pgettext_lazy("act", "Reopened the campaign")
    CAMPAIGN_DELETED = "campaign.deleted", pgettext_lazy("act", "Deleted the campaign")
    CAMPAIGN_RESTORED = "campaign.restored", pgettext_lazy("act", "Restored the campaign")
    CAMPAIGN_REMOVED = "campaign.removed", pgettext_lazy("act", "Removed the campaign for good")
    SETTINGS_CHANGED = "settings.changed", pgettext_lazy("act", "Changed settings")
    OVERLAPS_CHANGED = "overlaps.changed", pgettext_lazy("act", "Changed ratings per item")
    GUIDELINES_PUBLISHED = "guidelines.published", pgettext_lazy("act", "Published guidelines")
    CONSENT_PUBLISHED = "consent-text.published", pgettext_lazy("act", "Published consent text")
    CONSENT_WITHDRAWN = "consent-text.withdrawn", pgettext_lazy("act", "Withdrew consent text")
    DATASHEET_ANSWERED = "datasheet.answered", pgettext_lazy("act", "Answered the datasheet")

    ACCOUNT_CREATED = "account.created", pgettext_lazy("act", "Created an account")
    EMAIL_CHANGED = "email.changed", pgettext_lazy("act", "Changed an e-mail address")
    PASSWORD_CHANGED = "password.changed", pgettext_lazy("act", "Changed a password")
    PASSWORD_LINK_MADE = "password.link-made", pgettext_lazy("act", "Made a password link")
    SECOND_FACTOR_ON = "second-factor.on", pgettext_lazy("act", "Switched a second factor on")
    SECOND_FACTOR_OFF = "second-factor.off", pgettext_lazy("act", "Switched a second factor off")
    RECOVERY_CODES_MADE = "recovery-codes.made", pgettext_lazy("act", "Made recovery codes")
    TOKEN_MADE = "token.made", pgettext_lazy("act", "Made a token")
    TOKEN_REVOKED = "token.revoked", pgettext_lazy("act", "Revoked a token")

    MEMBER_ADDED = "member.added", pgettext_lazy("act", "Added a member")
    OPERATOR_ENTERED = "operator.entered", pgettext_lazy("act", "Entered as the site's operator")
    ROLE_CHANGED = "member.role-changed", pgettext_lazy("act", "Changed a role")
    QUOTA_CHANGED = "member.quota-changed", pgettext_lazy("act", "Changed a quota")
    MEMBER_PAUSED = "member.paused", pgettext_lazy("act", "Paused a member")
    MEMBER_RESUMED = "member.resumed", pgettext_lazy("act", "Resumed a member")
    MEMBER_DEACTIVATED = "member.deactivated", pgettext_lazy("act", "Deactivated a member")
    MEMBER_REACTIVATED = "member.reactivated", pgettext_lazy("act", "Reactivated a member")
    INVITATION_MADE = "invitation.made", pgettext_lazy("act", "Made an invitation")
    INVITATIONS_MAILED = "invitations.mailed", pgettext_lazy("act", "Invited people by e-mail")
    INVITATION_RESENT = "invitation.resent", pgettext_lazy("act", "Sent an invitation again")
    INVITATION_REVOKED = "invitation.revoked", pgettext_lazy("act", "Revoked an invitation")
    CALIBRATION_SET = "calibration.configured", pgettext_lazy("act", "Configured the calibration")
    ATTEMPT_GRANTED = "calibration.granted", pgettext_lazy("act", "Granted a calibration attempt")
    PASSED_BY_DECISION = "calibration.passed", pgettext_lazy("act", "Passed by decision")

    IMPORT_DONE = "import.done", pgettext_lazy("act", "Imported")
    GENERATED_APPROVED = "generated.approved", pgettext_lazy("act", "Approved generated texts")
    GENERATED_REJECTED = "generated.rejected", pgettext_lazy("act", "Rejected generated texts")
    JOB_STARTED = "job.started", pgettext_lazy("act", "Started a job")
    JOB_CANCELLED = "job.cancelled", pgettext_lazy("act", "Cancelled a job")
    JOB_RESTARTED = "job.restarted", pgettext_lazy("act", "Started a job again")
    FAILURES_LEFT = "job.failures-left", pgettext_lazy("act", "Dismissed failures")
    MATCHER_TRAINED = "matcher.trained", pgettext_lazy("act", "Trained a matcher")

    ADJUDICATION_DECIDED = "adjudication.decided", pgettext_lazy("act", "Decided on an item")
    RATINGS_SET_ASIDE = "ratings.set-aside", pgettext_lazy("act", "Set ratings aside")
    RATINGS_TAKEN_BACK = "ratings.taken-back", pgettext_lazy("act", "Counted ratings again")
    FLAG_SETTLED = "flag.settled", pgettext_lazy("act", "Settled a flag")
    THREAD_STARTED = "thread.started", pgettext_lazy("act", "Wrote to a rater")
    ANSWER_SHARED = "answer.shared", pgettext_lazy("act", "Showed an answer to all raters")
    ALERT_ACKNOWLEDGED = "alert.acknowledged", pgettext_lazy("act", "Acknowledged an alert")
    ALERT_TRIED = "alert.tried", pgettext_lazy("act", "Sent a test alert")
    ALERT_RULES_SET = "alert-rules.changed", pgettext_lazy("act", "Changed the rules of alerts")
    WEBHOOK_ADDED = "webhook.added", pgettext_lazy("act", "Added a webhook")
    WEBHOOK_CHANGED = "webhook.changed", pgettext_lazy("act", "Changed a webhook")
    WEBHOOK_SWITCHED_ON = "webhook.switched-on", pgettext_lazy("act", "Switched a webhook on")
    WEBHOOK_SWITCHED_OFF = "webhook.switched-off", pgettext_lazy("act", "Switched a webhook off")
    WEBHOOK_DELETED = "webhook.deleted", pgettext_lazy("act", "Deleted a webhook")
    CHANNELS_SET = "alert-channels.changed", pgettext_lazy("act", "Changed the alert channels")

    RELEASE_MADE = "release.made", pgettext_lazy("act", "Released")
    RELEASE_WITHDRAWN = "release.withdrawn", pgettext_lazy("act", "Withdrew a release")
    RELEASE_DOWNLOADED = "release.downloaded", pgettext_lazy("act", "Downloaded a release")
    ITEMS_ACTED = "items.acted", pgettext_lazy("act", "Acted on many items")
    ITEMS_ACT_UNDONE = "items.act-undone", pgettext_lazy("act", "Undid an act on many items")
    EXPORT_TAKEN = "export.taken", pgettext_lazy("act", "Exported data")
    EVALUATION_MADE = "evaluation.made", pgettext_lazy("act", "Evaluated")
    SUBMISSION_MADE = "submission.made", pgettext_lazy("act", "Submitted predictions")
    SUBMISSION_WITHDRAWN = "submission.withdrawn", pgettext_lazy("act", "Withdrew a submission")

    BACKUP_TAKEN = "backup.taken", pgettext_lazy("act", "Took a backup")
    BACKUP_RESTORED = "backup.restored", pgettext_lazy("act", "Restored a backup")
    RECORD_ADDED = "record.added", pgettext_lazy("act", "Added as an operator")
    RECORD_CHANGED = "record.changed", pgettext_lazy("act", "Changed as an operator")
    RECORD_DELETED = "record.deleted", pgettext_lazy("act", "Deleted as an operator")


BEGINNING: Final = "0" * 64
"""The value in the first entry for the hash of the one before it."""


class ActorKind(models.TextChoices):
    """The kind of an actor. A visitor is not signed in, such as somebody who follows a link for a
    password."""

    PERSON = "person", pgettext_lazy("who acts", "Person")
    VISITOR = "visitor", pgettext_lazy("who acts", "Visitor")
    COMMAND = "command", pgettext_lazy("who acts", "Command")
    WORKER = "worker", pgettext_lazy("who acts", "Worker")


class AuditEntry(models.Model):
    """One act. Entries are added and never changed, in a sequence without gaps from 1.

    `actor`, `role` and `subject` are texts as they were then; `via` is the way the act came: a
    page, the API, a command, a job. `details` is a JSON object as text, because databases keep
    texts alike and JSON not. `hash` is of every other field, `previous` the hash before it.
    """

    sequence = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=20)
    actor = models.CharField(max_length=255, blank=True)
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=20, blank=True)
    via = models.CharField(max_length=100, blank=True)
    campaign = models.ForeignKey(
        Campaign, models.PROTECT, null=True, related_name="audit_entries", db_index=False
    )
    # without choices, so that a further action needs no migration
    action = models.CharField(max_length=40)
    subject_kind = models.CharField(max_length=30, blank=True)
    subject = models.CharField(max_length=300, blank=True)
    details = models.TextField(default="{}")
    previous = models.CharField(max_length=64, unique=True)
    hash = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ["-sequence"]
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["campaign", "-sequence"], name="audit_of_campaign")]
        constraints = [
            models.CheckConstraint(condition=models.Q(sequence__gte=1), name="audit_from_one"),
            models.CheckConstraint(
                condition=models.Q(actor_kind__in=ActorKind.values), name="actor_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sequence} {self.action}"

    @property
    def facts(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.details)
        return found


HASHED: Final = (
    *("sequence", "at", "actor_kind", "actor", "user_id", "role", "via", "campaign_id"),
    *("action", "subject_kind", "subject", "details", "previous"),
)
"""The fields of an entry in the order in which they are hashed: all but the hash."""


def entry_hash(values: Sequence[Any]) -> str:
    """The SHA-256 of an entry's HASHED values, the time in UTC to the microsecond, as a JSON array
    in ASCII without blanks."""
    sequence, at, *rest = values
    text = json.dumps([sequence, canonical_time(at), *rest], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def canonical_time(at: datetime) -> str:
    """The same text for the same moment, whatever zone and precision a database gives it in."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
