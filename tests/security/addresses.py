"""Every address of the site, from its URL configuration, with something to show in its gaps."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

_GAP = re.compile(r"<(?:(\w+):)?(\w+)>")
_GUESSED = {"int": "1", "path": "README.md"}  # for gaps that nobody has named yet
# What the same gap is called elsewhere, or means in one place only.
_IN_PLACE = {
    "calibration-item": {"number": "1", "item_id": "{known_id}"},
    "release-changes": {"version": "2.0.0"},
    "evaluation-file": {"path": "report.json"},
    "evaluation-section": {"section": "quality"},
}


def every(parts: Mapping[str, str]) -> list[tuple[str, str]]:
    """Name and address of everything, the operators' admin included."""
    return [(name, _filled(name, route, parts)) for name, route in _routes()]


def _routes() -> Iterator[tuple[str, str]]:
    yield from _below(get_resolver().url_patterns, "", "")


def _below(
    patterns: list[URLPattern | URLResolver], before: str, space: str
) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _below(pattern.url_patterns, whole, pattern.namespace or space)
        elif isinstance(pattern.pattern, RoutePattern):
            name = pattern.name or whole
            yield (f"{space}:{name}" if space else name), whole


def _filled(name: str, route: str, parts: Mapping[str, str]) -> str:
    here = {gap: text.format(**parts) for gap, text in _IN_PLACE.get(name, {}).items()}

    def fitting(match: re.Match[str]) -> str:
        kind, gap = match[1] or "str", match[2]
        if name.startswith("admin:"):
            return parts.get(name.rpartition("_")[0], "1")
        return quote({**parts, **here}.get(gap, _GUESSED.get(kind, "none")))

    return "/" + _GAP.sub(fitting, route)
