"""No page is left out when all are looked at."""

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver, get_resolver

from benchmarks.screenshots import EVERY_PAGE
from tests.journeys.addresses import ELSEWHERE, NO_PAGES, OTHER_STATES, PAGES

# pages that only a form, a link with a secret or work that is under way leads to
NO_PICTURE = {
    *("login-code", "join-form", "calibration-item", "calibration-start", "items-act"),
    "evaluation-progress",
}


def test_every_page_of_the_site_is_looked_at() -> None:
    own = get_resolver("tasks.urls").url_patterns
    assert set(_names(own)) == set(PAGES) | ELSEWHERE | NO_PAGES


def test_a_picture_is_taken_of_every_page_and_state() -> None:
    names = [name for pages in EVERY_PAGE.values() for name in pages]
    addresses = {address for pages in EVERY_PAGE.values() for address in pages.values()}
    assert len(names) == len(set(names))  # files have these names
    assert (set(PAGES) | ELSEWHERE) - NO_PICTURE <= set(names)
    assert {*PAGES.values(), *OTHER_STATES} <= addresses


def _names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str | None]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            yield pattern.name
