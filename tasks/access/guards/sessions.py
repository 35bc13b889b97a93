"""Whom a browser's session lets in: its user, as long as the session is open and within its limits.

Django's own check of what a session knows of the password, and beside it our row of the session
(`OpenSession`), both read with the user in one statement. So an ended session opens nothing
whichever engine keeps its data, even one that cannot take a cookie back.
"""

import hashlib
import secrets
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from tasks.access.guards.browsers import browser_of
from tasks.access.guards.client_address import client_network, shortened
from tasks.access.guards.required_factor import is_open, to_set_up
from tasks.access.queries.sessions import Opened, open_session
from tasks.access.workflow.sessions import close_session, note_use, start_session
from tasks.models import OpenSession, User

_KEY = "open_session"  # in the data of the session, and the attribute of the request
_ENDED = "session_has_ended"


class SessionGuard(AuthenticationMiddleware):
    """In the place of Django's own, which asks for the password's hash only."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        # for the type checker it is what it stands for
        request.user = SimpleLazyObject(lambda: _noted_user(request))  # type: ignore[assignment]

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponseBase | None:
        """Where a second factor is required, it comes first."""
        if settings.SECOND_FACTOR == "optional" or is_open(request):
            return None
        is_known = request.user.is_authenticated
        return to_set_up(request) if is_known and lacks_factor(request) else None


def user_of(request: HttpRequest) -> User | AnonymousUser:
    """Whom the request's session lets in. What lets nobody in any more is thrown away."""
    session = request.session
    user_id = _user_id(request)
    if user_id is None:
        return AnonymousUser()
    found = open_session(session.get(_KEY) or _adopted(request, user_id), user_id)
    known = found and _known_hash(request, found.session.user)
    if found is None or known is None:
        session.flush()
        setattr(request, _ENDED, True)
        return AnonymousUser()
    if known != session[HASH_SESSION_KEY]:  # made with a secret key of before
        session.cycle_key()
        session[HASH_SESSION_KEY] = known
    setattr(request, _KEY, found)
    return found.session.user


def lets_in(request: HttpRequest) -> bool:
    """Whether the request's session lets anybody in. Nothing is changed."""
    user_id, key = _user_id(request), request.session.get(_KEY)
    if user_id is None:
        return False
    found = open_session(key, user_id) if key else None
    user = found.session.user if found else None if key else _active_user(user_id)
    return user is not None and _known_hash(request, user) is not None


def this_session(request: HttpRequest) -> OpenSession | None:
    """The session that the request came by, after `request.user` was asked for."""
    found = _opened(request)
    return found.session if found else None


def lacks_factor(request: HttpRequest) -> bool:
    """Whether who came by the session has to set up a second factor first."""
    found = _opened(request)
    return found is not None and found.lacks_factor


def _opened(request: HttpRequest) -> Opened | None:
    return getattr(request, _KEY, None)


def has_ended(request: HttpRequest) -> bool:
    """Whether the request came by a session that lets nobody in any more."""
    return getattr(request, _ENDED, False)


def _noted_user(request: HttpRequest) -> User | AnonymousUser:
    user = user_of(request)
    found = _opened(request)
    if found is not None and found.is_to_be_noted:
        # with a full disk people still read
        with suppress(DatabaseError):
            note_use(session=found.session, network=shortened(client_network(request)))
    return user


def _user_id(request: HttpRequest) -> int | None:
    """Of whom the session says that they have logged in."""
    session = request.session
    is_ours = session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return int(session[SESSION_KEY]) if is_ours and SESSION_KEY in session else None


def _active_user(user_id: int) -> User | None:
    return User.objects.filter(pk=user_id, is_active=True).first()


def _known_hash(request: HttpRequest, user: User) -> str | None:
    """What the session has to know of the password, if it does, be it with a secret key of before.

    A session from before another password knows it no longer.
    """
    known = request.session.get(HASH_SESSION_KEY, "")
    wanted: str = user.get_session_auth_hash()
    good = (wanted, *user.get_session_auth_fallback_hash())
    return wanted if any(constant_time_compare(known, each) for each in good) else None


def _adopted(request: HttpRequest, user_id: int) -> str:
    """The key of a session from before there were such rows, made from what identifies it: two
    requests at once make the same."""
    number = request.session.session_key or ""
    key = hashlib.sha256(f"adopted {number}".encode()).hexdigest()
    user = _active_user(user_id)
    if user is not None and _known_hash(request, user) is not None:
        start_session(user=user, key=key, **_whence(request))
        request.session[_KEY] = key
    return key


def _whence(request: HttpRequest) -> dict[str, str]:
    browser, system = browser_of(request)
    network = shortened(client_network(request))
    return {"browser": browser, "system": system, "network": network}


def _note_login(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Whoever was logged in there before is so no longer."""
    if before := this_session(request):
        close_session(session=before)
    key = request.session[_KEY] = secrets.token_urlsafe(24)
    setattr(request, _KEY, Opened(start_session(user=user, key=key, **_whence(request))))


def _note_logout(request: HttpRequest, user: User | None, **_signal: Any) -> None:
    if user is not None and (session := this_session(request)):
        close_session(session=session)


def watch_logins() -> None:
    """Whatever logs somebody in or out opens or closes a session."""
    user_logged_in.connect(_note_login)
    user_logged_out.connect(_note_logout)
