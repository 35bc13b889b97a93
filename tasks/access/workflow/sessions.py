"""Sessions of browsers: where a person is logged in, and the end of it.

Logging in and out is no act for the audit log; to end a session elsewhere is one.
"""

from django.db import transaction
from django.db.models.functions import Now

from tasks.access.queries.crowd import is_crowd_account
from tasks.access.queries.sessions import within_limits
from tasks.models import AuditAction, OpenSession, User
from tasks.storing.acts import record


def start_session(
    *, user: User, key: str, browser: str = "", system: str = "", network: str = ""
) -> OpenSession:
    """From now on the session whose data has this key lets the user in. Again changes nothing."""
    session, _is_new = OpenSession.objects.get_or_create(
        digest=OpenSession.digest_of(key),
        defaults={
            "user": user,
            "browser": browser,
            "system": system,
            "network": network,
            "is_visitor": is_crowd_account(user),
        },
    )
    return session


@transaction.atomic
def note_use(*, session: OpenSession, network: str) -> None:
    """The session is used now, from there."""
    OpenSession.objects.filter(pk=session.pk).update(last_used_at=Now(), network=network)


def close_session(*, session: OpenSession) -> None:
    """Its own browser leaves it."""
    OpenSession.objects.filter(pk=session.pk).delete()


@transaction.atomic
def end_session(*, session: OpenSession) -> None:
    """It lets nobody in from the next request on."""
    session.delete()
    details = {"browser": session.browser, "system": session.system}
    record(AuditAction.SESSION_ENDED, subject=("account", session.user.username), details=details)


@transaction.atomic
def end_sessions(*, user: User, kept: OpenSession | None = None) -> int:
    """End all sessions of the user but the one that is kept; how many there were."""
    ended = forget_sessions(user=user, kept=kept)
    record(
        AuditAction.SESSIONS_ENDED,
        subject=("account", user.username),
        details={"sessions": ended, "but_this": kept is not None},
    )
    return ended


def forget_sessions(*, user: User, kept: OpenSession | None = None) -> int:
    """As a part of what ends all others: another password, a second factor."""
    found = OpenSession.objects.filter(user=user)
    ended, _by_model = (found.exclude(pk=kept.pk) if kept else found).delete()
    return ended


def forget_ended_sessions() -> None:
    """Those that have come to one of their limits."""
    OpenSession.objects.exclude(within_limits()).delete()
