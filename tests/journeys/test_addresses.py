"""No page is left out when all are looked at."""

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver, get_resolver

from tests.journeys.addresses import ELSEWHERE, NO_PAGES, PAGES


def test_every_page_of_the_site_is_looked_at() -> None:
    own = get_resolver("tasks.urls").url_patterns
    assert set(_names(own)) == set(PAGES) | ELSEWHERE | NO_PAGES


def _names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str | None]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            yield pattern.name
