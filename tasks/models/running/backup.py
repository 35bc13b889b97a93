"""The backups that the site takes by itself, with what was found when they were tried."""

from typing import Final

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class BackupState(models.TextChoices):
    RUNNING = "running", pgettext_lazy("backup", "running")
    DONE = "done", pgettext_lazy("backup", "done")
    FAILED = "failed", pgettext_lazy("backup", "failed")


class BackupTrial(models.TextChoices):
    """How it was made sure that a backup can be restored."""

    RESTORED = "restored", pgettext_lazy("backup", "restored into an empty database")
    WHOLE = "whole", pgettext_lazy("backup", "read to its end")


class ScheduledBackup(models.Model):
    """One that was begun; times are those of the database's clock.

    `key` says with which key it is encrypted, by the beginning of the key's hash; without one it
    is not. `seen_at` is when the process that takes it was last heard of. A row stays when its
    file has been removed for newer ones.
    """

    NAME_LENGTH: Final = 100

    name = models.CharField(_("file"), max_length=NAME_LENGTH)
    place = models.CharField(_("where it is kept"), max_length=1000)
    state = models.CharField(
        _("state"), max_length=10, choices=BackupState, default=BackupState.RUNNING
    )
    started_at = models.DateTimeField(_("begun"), db_default=Now(), editable=False)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)
    bytes = models.BigIntegerField(_("bytes"), null=True)
    rows = models.BigIntegerField(_("rows"), null=True)
    sha256 = models.CharField("SHA-256", max_length=64, blank=True)
    key = models.CharField(_("key"), max_length=16, blank=True)
    trial = models.CharField(_("tried"), max_length=10, choices=BackupTrial, blank=True)
    error = models.TextField(_("what went wrong"), blank=True)
    removed_at = models.DateTimeField(_("removed"), null=True, editable=False)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")
        constraints = [
            models.UniqueConstraint(
                fields=["state"],
                condition=models.Q(state=BackupState.RUNNING),
                name="one_backup_running",
            )
        ]

    def __str__(self) -> str:
        return self.name
