"""Token authentication: `Authorization: Token KEY`."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tasks.models import User
from tasks.queries.tokens import user_of_token


class TokenAuthentication(BaseAuthentication):
    """Finds the user by the hash of the token; the token itself is stored nowhere."""

    keyword = "Token"

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        keyword, _space, key = request.headers.get("Authorization", "").partition(" ")
        if keyword != self.keyword:
            return None
        user = user_of_token(key.strip())
        if user is None:
            raise AuthenticationFailed("invalid token")
        return user, None

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - DRF's signature
        return self.keyword


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # untyped base
    """How the schema describes it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token KEY`",
        }
