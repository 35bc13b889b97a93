"""How often one account may call, by all its tokens and sessions together.

A limit for each token could be multiplied by making tokens. What is over it gets 429 with
Retry-After. It is there for programs that run wild, not to slow down honest ones:
`TOMAHTO_API_CALLS_PER_MINUTE` sets it, 0 is none.
"""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from tasks.access.guards.call_windows import windows


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
