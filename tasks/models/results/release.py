"""Releases: immutable, versioned, hashed exports."""

from pathlib import Path

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.people import Role, User


class Release(models.Model):
    """A published release. The row appears once the folder is complete, and never changes.

    `documents` maps each document's key to its split, so that a later release of the same
    split keeps it there. `path` says where the files are: a folder, or `s3://…`
    (`tasks/release_store/places.py`).
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="releases")
    version = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    seed = models.PositiveIntegerField()
    split = models.CharField(max_length=200)
    splits = models.JSONField()
    documents = models.JSONField()
    items = models.PositiveIntegerField()
    ratings = models.PositiveIntegerField()
    path = models.CharField(max_length=1000)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "version"], name="release_version_unique")
        ]

    def __str__(self) -> str:
        return f"{self.campaign} {self.version}"

    @property
    def folder(self) -> Path:
        """Of a release that lives in one."""
        return Path(self.path)

    @property
    def withdrawn(self) -> "Withdrawal | None":
        """How the release was withdrawn, if it was."""
        return getattr(self, "withdrawal", None)


class Withdrawal(models.Model):
    """The end of a release: page, digest and number stay, its files are not given out any more.

    Final, as the database sees to. `role` is the one in which `withdrawn_by` did it; empty for
    operators at the command line, who are nobody's account.
    """

    release = models.OneToOneField(Release, models.PROTECT, related_name="withdrawal")
    reason = models.TextField()
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=20, choices=Role, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="withdrawal_has_a_reason")
        ]

    def __str__(self) -> str:
        return f"{self.release}, withdrawn"
