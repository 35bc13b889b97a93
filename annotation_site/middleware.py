"""The site's own middleware: caches, Content-Security-Policy, language, the actor for the audit
log, and marks of direction.

Invisible marks in foreign texts can make one read otherwise than it is. They are shown on every
page where they stand, whatever the text is: a template cannot forget to.
"""

import re
from collections.abc import Callable
from itertools import islice

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

from tasks.models import ActorKind, User
from tasks.storing.acts import Actor, acting

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


# What programs read loads nothing, even if a browser shows it.
_OF_DATA = "; ".join(
    f"{directive} 'none'"
    for directive in (
        *("default-src", "script-src", "style-src", "object-src"),
        *("base-uri", "form-action", "frame-ancestors"),
    )
)


class ContentPolicyMiddleware(CSPMiddleware):
    """The policy of the settings for pages and files; for JSON the strictest there is."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.headers.get("Content-Type") == "application/json":
            response.headers[HEADER] = _OF_DATA
            return response
        return super().process_response(request, response)


FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics")
"""Beginnings of the addresses that programs call: what they read must not depend on a browser."""


class PageLanguageMiddleware(LocaleMiddleware):
    """Pages in the language of the cookie, else of the browser; everything else in English."""

    def process_request(self, request: HttpRequest) -> None:
        if not _is_for_programs(request):
            super().process_request(request)
            return
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        # a file is the same in every language, and says itself which one it is in
        if _is_for_programs(request) or response.has_header("Content-Disposition"):
            return response
        patch_vary_headers(response, ["Cookie"])  # Django names only the header Accept-Language
        return super().process_response(request, response)


class PageMessagesMiddleware(MessageMiddleware):
    """Messages from one page to the next; programs get none."""

    def process_request(self, request: HttpRequest) -> None:
        if not _is_for_programs(request):
            super().process_request(request)


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith(FOR_PROGRAMS)


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


# Marks that only say which direction the neighbours have stay in force beside their name.
_HARMLESS = {"\u061c": "ALM", "\u200e": "LRM", "\u200f": "RLM"}
# Embeddings, overrides and isolates are named, not obeyed.
_DECEIVING = {
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
}
_MARKS = re.compile("|".join(_HARMLESS | _DECEIVING).encode())
_SIGNS = str.maketrans(
    {char: f'{char}<bdi class="control">{name}</bdi>' for char, name in _HARMLESS.items()}
    | {char: f'<bdi class="control">{name}</bdi>' for char, name in _DECEIVING.items()}
)
_MOST_ELEMENTS = 1_000  # where a page has more marks, each is named in short
_NAMES = str.maketrans({char: f"‹{name}›" for char, name in _DECEIVING.items()})
# What somebody edits and what scripts read stays as it is, as do attributes; where no element
# may stand, a name does. Templates write no ">" into an attribute, and Django escapes it.
_PARTS = re.compile(
    r"(?P<kept><(?P<raw>textarea|script|style|template)\b.*?</(?P=raw)>)"
    r"|(?P<plain><(?P<holder>option|title)\b.*?</(?P=holder)>)"
    r"|(?P<tag><[^>]*>)",
    re.DOTALL | re.IGNORECASE,
)


class DirectionMarksMiddleware:
    """Shows the marks in every HTML page and in every part of one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if (
            isinstance(response, HttpResponse)
            and response.headers.get("Content-Type", "").startswith("text/html")
            and "Content-Disposition" not in response.headers
            and _MARKS.search(response.content)
        ):
            response.content = with_named_marks(response.content.decode()).encode()
        return response


def with_named_marks(html: str) -> str:
    """The page with a name beside each mark in its texts, or in place of one that deceives."""
    marks = _MARKS.finditer(html.encode())
    signs = _NAMES if next(islice(marks, _MOST_ELEMENTS, None), None) else _SIGNS
    pieces, end = [], 0
    for part in _PARTS.finditer(html):
        kept = part[0] if part["plain"] is None else part[0][: part[0].index(">") + 1]
        named = part[0][len(kept) :].translate(_NAMES)
        pieces += [html[end : part.start()].translate(signs), kept, named]
        end = part.end()
    return "".join([*pieces, html[end:].translate(signs)])
