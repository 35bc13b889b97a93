"""How many passwords and codes were tried of late."""

from django.db import models


class LoginAttempts(models.Model):
    """Tries that were wrong, or are being judged, for one account, browser or network address.

    `subject` is a keyed hash: a name may be a mistyped password, and an address is personal.
    """

    subject = models.CharField(max_length=80, unique=True)
    tried = models.PositiveIntegerField()
    counted_from = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.tried} tries"
