"""Nothing that the site says to one person is kept by a cache, the browser's own included."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

_KEPT_BY_NOBODY = "private, no-store"


class NoStoreMiddleware:
    """Says so of every answer that says nothing else; static files have been answered before.

    So the back button shows nothing of somebody who has logged out, and asks again for a form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", _KEPT_BY_NOBODY)
        return response
