"""Who calls, as the site knows people and addresses. Needs Django to be set up."""

from collections.abc import Mapping
from importlib import import_module

from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, parse_cookie

from tasks.access.guards.authentication import TokenAuthentication
from tasks.access.guards.client_address import network_of
from tasks.access.guards.sessions import lets_in
from tasks.access.queries.tokens import holder_in_campaign


def is_known(headers: Mapping[str, str]) -> bool:
    """Whether the token or the session is that of an active account."""
    close_old_connections()
    try:
        keyword, _space, key = headers.get("AUTHORIZATION", "").partition(" ")
        if keyword == TokenAuthentication.keyword:
            return holder_in_campaign(key.strip(), "") is not None
        return _has_session(headers.get("COOKIE", ""))
    finally:
        close_old_connections()


def client_of(headers: Mapping[str, str], peer: str) -> str | None:
    """The network that a request comes from, as far as that can be believed."""
    return network_of(headers.get("X_FORWARDED_FOR", ""), peer)


def client_at(peer: str) -> str | None:
    """The same of a connection: behind proxies it is not known yet."""
    return None if settings.TRUSTED_PROXIES else network_of("", peer)


def _has_session(cookies: str) -> bool:
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return False
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return lets_in(request)
