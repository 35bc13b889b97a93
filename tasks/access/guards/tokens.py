"""Calls by a token: whose it is, what it is good for, and how many calls a minute.

A token made without a choice has every scope, in every campaign of its user.

A limit for each token could be multiplied by making tokens, so an account's calls count together.
What is over it gets 429 with Retry-After: it is there for programs that run wild, not to slow down
who annotates. A minute begins with the first call in it. In Redis one script counts and says how
long the window still is, by Redis's own clock, so that all processes on all machines count
together. Without Redis each process counts for itself: right where one process serves, as it does
by default; several of them let through as many times the limit.
"""

import logging
import time
from functools import cache
from threading import Lock
from typing import Any, Protocol

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from tasks.access.queries import TokenHolder, holder_in_campaign, holder_of_assignment
from tasks.models import Scope, User


class TokenAuthentication(BaseAuthentication):
    """Finds the holder by the hash of the token; the token itself is stored nowhere.

    `request.auth` is the TokenHolder: their membership in the campaign or of the assignment in
    the address is read along with them.
    """

    keyword = "Token"

    def authenticate(self, request: Request) -> tuple[User, TokenHolder] | None:
        keyword, _space, key = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if keyword != self.keyword:
            return None
        address = request.parser_context["kwargs"]
        if "assignment_id" in address:
            holder = holder_of_assignment(key.strip(), address["assignment_id"])
        else:
            holder = holder_in_campaign(key.strip(), address.get("slug", ""))
        if holder is None:  # unknown, revoked, expired: who guesses learns nothing of which
            raise AuthenticationFailed("invalid token")
        return holder.user, holder

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF's signature
        return self.keyword


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped base
    target_class = TokenAuthentication
    name = "token"

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        """With the scope that the operation needs, which OpenAPI 3.1 calls a role."""
        return {self.name: [scope_of_method(auto_schema.view, auto_schema.method)]}

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 - as overridden
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token KEY`. Each operation names the scope that the token needs: "
            "`read`, `rate` or `write`.",
        }


def scope_of_method(view: object, method: str) -> Scope:
    """READ for what changes nothing, WRITE for what does, unless the operation says otherwise."""
    usual = Scope.READ if method in SAFE_METHODS else Scope.WRITE
    chosen: dict[str, Scope] = getattr(view, "scopes", {})
    return chosen.get(method.lower(), usual)


class HasScope(BasePermission):
    """Refuses a token that lacks the scope of the operation; a browser session has them all."""

    def has_permission(self, request: Request, view: object) -> bool:
        if isinstance(request.auth, TokenHolder):
            scope = scope_of_method(view, request.method or "")
            if scope not in request.auth.token.scopes:
                raise PermissionDenied(f"required scope of the token: {scope}")
        return True


class InItsCampaign(BasePermission):
    """Refuses a token of one campaign whatever is not known to stay within that campaign."""

    def has_permission(self, request: Request, view: object) -> bool:
        by = request.auth
        if not isinstance(by, TokenHolder) or by.token.campaign_id is None:
            return True
        address = request.parser_context["kwargs"]
        if "slug" not in address and "assignment_id" not in address:
            method = "GET" if request.method in SAFE_METHODS else request.method
            if method not in getattr(view, "within_campaign", ()):
                raise PermissionDenied("this token is limited to another campaign")
        elif by.membership is None or by.membership.campaign_id != by.token.campaign_id:
            there = "campaign for you" if "slug" in address else "assignment of yours"
            raise NotFound(f"there is no such {there}")
        return True


logger = logging.getLogger(__name__)

SECONDS = 60
_PREFIX = "tomahto:calls:"
_AWAY_SECONDS = 10.0
_PATIENCE = 0.25  # seconds to wait for Redis, which answers in less than a thousandth
_MANY = 10_000
_COUNT = f"""
local calls = redis.call('INCR', KEYS[1])
if calls == 1 then redis.call('PEXPIRE', KEYS[1], {SECONDS * 1000}) end
return {{calls, redis.call('PTTL', KEYS[1])}}
"""


class Windows(Protocol):
    def count(self, caller: str) -> tuple[int, float]:
        """The number of this call in the caller's window, and the seconds that are left of it."""


class MemoryWindows:
    def __init__(self) -> None:
        self._lock = Lock()
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, caller: str) -> tuple[int, float]:
        now = time.monotonic()
        with self._lock:
            end, calls = self._windows.get(caller, (0.0, 0))
            if end <= now:
                if len(self._windows) >= _MANY:
                    self._windows = {who: w for who, w in self._windows.items() if w[0] > now}
                end, calls = now + SECONDS, 0
            self._windows[caller] = (end, calls + 1)
        return calls + 1, end - now


class RedisWindows:
    """Counts in Redis. While it is away nobody is limited, and no call waits for it."""

    def __init__(self, url: str) -> None:
        from redis import Redis  # slow to load, and small sites have none
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError
        from redis.retry import Retry

        self._errors = (RedisError, OSError)
        client = Redis.from_url(
            url,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            retry=Retry(NoBackoff(), 1),  # once: a connection may have ended since it was used
        )
        self._script = client.register_script(_COUNT)
        self._away_until = 0.0

    def count(self, caller: str) -> tuple[int, float]:
        if time.monotonic() < self._away_until:
            return 1, 0.0
        try:
            calls, left = self._script(keys=[_PREFIX + caller])
        except self._errors as error:
            if not self._away_until:  # else it has been said
                logger.warning("calls are not counted while Redis is unavailable: %s", error)
            self._away_until = time.monotonic() + _AWAY_SECONDS
            return 1, 0.0
        self._away_until = 0.0
        return int(calls), int(left) / 1000


@cache
def windows() -> Windows:
    url: str = settings.API_CALLS_REDIS
    return RedisWindows(url) if url else MemoryWindows()


class CallThrottle(BaseThrottle):
    """Counts the calls of those who are known; others are turned away before they cost much."""

    seconds_left = 0.0

    def allow_request(self, request: Request, view: object) -> bool:  # noqa: ARG002 - DRF's
        most: int = settings.API_CALLS_PER_MINUTE
        if not most or request.user.pk is None:
            return True
        calls, self.seconds_left = windows().count(str(request.user.pk))
        return calls <= most

    def wait(self) -> float:
        return self.seconds_left
