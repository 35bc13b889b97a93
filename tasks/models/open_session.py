"""Where a person is logged in."""

import hashlib

from django.db import models
from django.db.models.functions import Now

from tasks.models.people import User


class OpenSession(models.Model):
    """A browser in which a person is logged in. It lets them in as long as this row is there.

    The session's own data holds a random key, of which only the hash is here: whichever engine
    keeps sessions, an ended one opens nothing. `network` is the shortened address of the last use,
    and `last_used_at` is written every few minutes at most. `is_visitor` says that a crowd service
    sent them: limits of their own hold for these, for they have no password to come back with.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="open_sessions")
    digest = models.CharField(max_length=64, unique=True)
    browser = models.CharField(max_length=30, blank=True)
    system = models.CharField(max_length=30, blank=True)
    network = models.CharField(max_length=45, blank=True)
    is_visitor = models.BooleanField(default=False, db_default=False)
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"session of {self.user}"

    @staticmethod
    def digest_of(key: str) -> str:
        return hashlib.sha256(key.encode()).hexdigest()
