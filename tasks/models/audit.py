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

BEGINNING: Final = "0" * 64
"""What stands in the first entry for the hash of the one before it."""


class ActorKind(models.TextChoices):
    """Who acts. A visitor is not signed in, such as somebody who follows a link for a password."""

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
        """The details."""
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
