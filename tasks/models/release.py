"""Releases: immutable, versioned, hashed exports."""

from pathlib import Path

from django.db import models
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.people import User


class Release(models.Model):
    """A published release. The row appears once the folder is complete, and never changes.

    `documents` maps each document's key to its split, so that a later release of the same
    split keeps it there.
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
        return Path(self.path)
