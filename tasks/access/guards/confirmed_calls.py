"""Calls of a browser that ask whether it is really them; a token of a program is not asked."""

from collections.abc import Mapping

from rest_framework import serializers
from rest_framework.request import Request

from tasks.access.guards.confirmation import (
    PASSWORD,
    is_confirmed,
    note_shown,
    trouble_with_password,
)
from tasks.access.queries.tokens import TokenHolder
from tasks.models import Role, User
from tasks.storing.refusals import Refusal


class NotConfirmed(Refusal):
    """A browser's session calls what asks who it is, and has not shown it of late."""


def require_confirmed(request: Request, *, takes_password: bool) -> None:
    """A browser's session has shown it, or brings the password in the body of a call that takes
    one.

    Raises NotConfirmed, and ValidationError for a wrong password.
    """
    user, django = request.user, request._request
    if isinstance(request.auth, TokenHolder) or not isinstance(user, User):
        return
    if is_confirmed(django, user):
        return
    data = request.data if takes_password else None
    given = data.get(PASSWORD) if isinstance(data, Mapping) else None
    if not isinstance(given, str):
        raise NotConfirmed("confirm first, on a page of the site, that it is you")
    if trouble := trouble_with_password(django, user, given):
        raise serializers.ValidationError({PASSWORD: str(trouble)})
    note_shown(django, PASSWORD)


def call_makes_admin(request: Request) -> bool:
    """Whether the call gives somebody the role of an admin."""
    return isinstance(request.data, Mapping) and request.data.get("role") == Role.ADMIN
