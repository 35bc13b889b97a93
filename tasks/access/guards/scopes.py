"""What a token is good for: its scopes, and its campaign if it is limited to one.

A token made without a choice has every scope, in every campaign of its user.
"""

from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from tasks.access.queries.tokens import TokenHolder
from tasks.models import Scope


def scope_needed(view: object, request: Request) -> Scope:
    """READ for what changes nothing, WRITE for what does, unless the operation says otherwise."""
    return scope_of_method(view, request.method or "")


def scope_of_method(view: object, method: str) -> Scope:
    """The same of a method by its name, in capitals."""
    usual = Scope.READ if method in SAFE_METHODS else Scope.WRITE
    chosen: dict[str, Scope] = getattr(view, "scopes", {})
    return chosen.get(method.lower(), usual)


class HasScope(BasePermission):
    """Refuses a token that lacks the scope of the operation; a browser session has them all."""

    def has_permission(self, request: Request, view: object) -> bool:
        if isinstance(request.auth, TokenHolder):
            scope = scope_needed(view, request)
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
            if _usual_method(request) not in getattr(view, "within_campaign", ()):
                raise PermissionDenied("this token is limited to another campaign")
        elif by.membership is None or by.membership.campaign_id != by.token.campaign_id:
            there = "campaign for you" if "slug" in address else "assignment of yours"
            raise NotFound(f"there is no such {there}")
        return True


def _usual_method(request: Request) -> str:
    return "GET" if request.method in SAFE_METHODS else str(request.method)
