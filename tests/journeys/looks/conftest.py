"""One site and one browser for the looks at all pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.journeys.looks.visits import Filled, Visitors, filled_site


@pytest.fixture(scope="package")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    with filled_site(tmp_path_factory.mktemp("looks")) as site:
        yield site


@pytest.fixture
def visitors(chromium: Browser, filled: Filled) -> Iterator[Visitors]:
    """A fault in a page's script fails the test."""
    visitors = Visitors(chromium, filled)
    yield visitors
    visitors.leave()
    assert visitors.faults == []
