"""Token authentication: `Authorization: Token KEY`."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from tasks.access.guards.required_factor import FACTOR_FIRST
from tasks.access.guards.scopes import scope_of_method
from tasks.access.queries.tokens import TokenHolder, holder_in_campaign, holder_of_assignment
from tasks.models import User


class TokenAuthentication(BaseAuthentication):
    """Finds the holder by the hash of the token; the token itself is stored nowhere.

    `request.auth` is the TokenHolder: their membership in the campaign or of the assignment in
    the address is read along with them.
    """

    keyword = "Token"

    def authenticate(self, request: Request) -> tuple[User, TokenHolder] | None:
        keyword, _space, key = request.headers.get("Authorization", "").partition(" ")
        if keyword != self.keyword:
            return None
        address = request.parser_context["kwargs"]
        if "assignment_id" in address:
            holder = holder_of_assignment(key.strip(), address["assignment_id"])
        else:
            holder = holder_in_campaign(key.strip(), address.get("slug", ""))
        if holder is None:  # unknown, revoked, expired: who guesses learns nothing of which
            raise AuthenticationFailed("invalid token")
        if holder.lacks_factor:
            raise PermissionDenied(FACTOR_FIRST)
        return holder.user, holder

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF's signature
        return self.keyword


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped base
    """How the schema describes it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        """With the scope that the operation needs, which OpenAPI 3.1 calls a role."""
        return {self.name: [scope_of_method(auto_schema.view, auto_schema.method)]}

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token KEY`. Each operation names the scope that the token needs: "
            "`read`, `rate` or `write`.",
        }
