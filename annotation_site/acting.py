"""Who acts in a request, for the audit log."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from tasks.models import ActorKind, User
from tasks.storing.acts import Actor, acting


class ActingMiddleware:
    """After whoever signs in is known. Nobody is looked up before there is something to record."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with acting(lambda: _actor(request)):
            return self._get_response(request)


def _actor(request: HttpRequest) -> Actor:
    """The user of the session, or of the token, which the API's authentication notes as well."""
    via = "API" if request.path.startswith("/api/") else "page"
    user = request.user
    if not isinstance(user, User) or not user.is_authenticated:
        return Actor(ActorKind.VISITOR, via=via)
    return Actor(ActorKind.PERSON, user.get_username(), user, via)
