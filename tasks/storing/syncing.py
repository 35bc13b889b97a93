"""Commits that need not reach the disk by themselves."""

from contextlib import AbstractContextManager, nullcontext

from django.db import connection


def synced_with_the_next() -> AbstractContextManager[None]:
    """What is committed within reaches the disk with the next commit, at the latest.

    For what may be lost with the machine's power as long as nothing later is kept: that an item
    was handed out. A rating is committed without this, and carries the claims before it.
    """
    lagging = getattr(connection, "commits_lag", None)
    return lagging() if lagging else nullcontext()
