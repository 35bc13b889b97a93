"""Sites that require a second factor: who has none sets one up, and reaches nothing else before."""

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect

FACTOR_FIRST: Final = (
    "this site requires a second factor: log in with a browser and set one up under My account"
)
_OPEN: Final = frozenset(
    (
        *("two-factor", "two-factor-qr", "logout", "language", "admin:logout"),
        # what everybody may read who is not logged in
        *("documents", "document", "document-image", "api-schema"),
        *("healthz", "readyz", "metrics", "security-txt"),
    )
)
_GO_ON = "after_second_factor"  # in the session: the address that was asked for


def is_open(request: HttpRequest) -> bool:
    """Whether the address is there for those who have to set one up."""
    match = request.resolver_match
    return match is not None and match.view_name in _OPEN


def to_set_up(request: HttpRequest) -> HttpResponseBase:
    """To where a second factor is set up. A script gets 401, and keeps what was typed."""
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": FACTOR_FIRST}, status=HTTPStatus.FORBIDDEN)
    if getattr(request, "htmx", False) or request.headers.get("X-Requested-With") == "fetch":
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    if request.method == "GET":
        request.session[_GO_ON] = request.get_full_path()
    return redirect("two-factor")


def asked_for_before(request: HttpRequest) -> str:
    """The address that was asked for, once; empty if there was none."""
    return str(request.session.pop(_GO_ON, ""))
