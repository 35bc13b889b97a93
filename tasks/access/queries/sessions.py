"""Whom an open session lets in, and where a person is logged in.

The session and its user in one read, which every page and every call of a browser makes.
"""

from datetime import timedelta
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from tasks.access.queries.two_factor import lacks_required_factor
from tasks.models import OpenSession, User
from tasks.storing.joined_rows import columns, fetch_row, instances

NOTED_EVERY = timedelta(minutes=5)
"""What lies at least between two times at which the use of a session is written down."""

_SESSION = f"""
SELECT s.last_used_at < {{ago}}, {{lacks}}, {columns(s=OpenSession, u=User)}
FROM tasks_opensession s JOIN tasks_user u ON u.id = s.user_id
WHERE s.digest = %s AND s.user_id = %s AND u.is_active
AND ((NOT s.is_visitor AND s.last_used_at > {{ago}} AND s.started_at > {{ago}})
    OR (s.is_visitor AND s.started_at > {{ago}}))
"""  # noqa: S608 - names of our own columns
_AGO = {
    "postgresql": "statement_timestamp() - %s::interval",
    # SQLite keeps times as texts, which are in the order of time
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', '-' || %s)",
}


class Opened(NamedTuple):
    """A session that lets its user in; `user` is loaded.

    It `is_to_be_noted` if its last use was written down some minutes ago. `lacks_factor`: the user
    has to set up a second factor before anything else.
    """

    session: OpenSession
    is_to_be_noted: bool = False
    lacks_factor: bool = False


def open_session(key: str, user_id: int) -> Opened | None:
    """The session of this key if it lets the user in, by the database's clock."""
    limits = (settings.SESSION_IDLE, settings.SESSION_LIFE, settings.VISITOR_SESSION_LIFE)
    noted, *ends = (f"{span.total_seconds():.0f} seconds" for span in (NOTED_EVERY, *limits))
    parameters = [noted, OpenSession.digest_of(key), user_id, *ends]
    row = fetch_row(_statement(connection.vendor, settings.SECOND_FACTOR), parameters)
    if row is None:
        return None
    is_to_be_noted, lacks_factor, *values = row
    session, session.user = instances(values, OpenSession, User)
    return Opened(session, bool(is_to_be_noted), bool(lacks_factor))


def sessions_of(user: User) -> QuerySet[OpenSession]:
    """Where the user is logged in, the last used first."""
    return OpenSession.objects.filter(within_limits(), user=user).order_by("-last_used_at", "-pk")


def within_limits() -> Q:
    """Sessions that have neither been idle for too long nor gone on for too long."""
    of_people = Q(
        is_visitor=False,
        last_used_at__gt=Now() - settings.SESSION_IDLE,
        started_at__gt=Now() - settings.SESSION_LIFE,
    )
    return of_people | Q(is_visitor=True, started_at__gt=Now() - settings.VISITOR_SESSION_LIFE)


@cache
def _statement(vendor: str, required_of: str) -> str:
    return _SESSION.format(ago=_AGO[vendor], lacks=lacks_required_factor(required_of))
