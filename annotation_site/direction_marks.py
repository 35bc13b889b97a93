"""Invisible marks of direction in foreign texts, which can make one read otherwise than it is.

Shown on every page where they stand, whatever the text is: a template cannot forget to.
"""

import re
from collections.abc import Callable
from itertools import islice

from django.http import HttpRequest, HttpResponse, HttpResponseBase

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
            response.content = shown(response.content.decode()).encode()
        return response


def shown(html: str) -> str:
    """The page with a name beside each mark in its texts, or in place of one that deceives."""
    signs = _NAMES if _has_many_marks(html) else _SIGNS
    pieces, end = [], 0
    for part in _PARTS.finditer(html):
        pieces += [html[end : part.start()].translate(signs), _part_shown(part)]
        end = part.end()
    return "".join([*pieces, html[end:].translate(signs)])


def _has_many_marks(html: str) -> bool:
    marks = _MARKS.finditer(html.encode())
    return next(islice(marks, _MOST_ELEMENTS, None), None) is not None


def _part_shown(part: re.Match[str]) -> str:
    if part["plain"] is None:
        return part[0]
    text = part[0].index(">") + 1
    return part[0][:text] + part[0][text:].translate(_NAMES)
