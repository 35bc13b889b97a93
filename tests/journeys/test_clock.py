"""Active time: what is counted of the time a form is open."""

import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.journeys.conftest import OpenPage, Tomahto, item

pytestmark = pytest.mark.browser

HIDE = "value => Object.defineProperty(document, 'hidden', {configurable: true, get: () => value})"


@pytest.fixture
def page(tomahto: Tomahto, open_page: OpenPage) -> Page:
    """A rating page whose time stands still until it is told to pass."""
    slug = f"clock-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1), item(2)], rater=f"rowan-{slug}")
    page = open_page(rater, f"/login/?next=/c/{slug}/rate/")
    page.clock.install()
    page.reload()
    page.clock.pause_at("2100-01-01")
    return page


@pytest.fixture
def seconds(page: Page) -> Callable[[int], float]:
    """Let so many seconds pass; gives what the form has counted of them."""

    def counted() -> float:
        # empty until the first time is counted
        return float(page.locator("input[name=seconds]").input_value() or 0)

    def passed(time: int) -> float:
        before = counted()
        page.clock.run_for(time * 1000)
        return round(counted() - before, 1)

    return passed


def test_time_is_counted_while_one_works(page: Page, seconds: Callable[[int], float]) -> None:
    page.keyboard.press("n")
    assert seconds(30) == pytest.approx(30, abs=0.5)
    page.keyboard.press("y")
    assert seconds(45) == pytest.approx(45, abs=0.5)


def test_time_stops_a_minute_after_the_last_use(
    page: Page, seconds: Callable[[int], float]
) -> None:
    page.keyboard.press("n")
    assert seconds(600) == pytest.approx(60, abs=0.5)
    assert seconds(600) == 0
    page.mouse.move(200, 200)
    assert seconds(10) == pytest.approx(10, abs=0.5)


def test_time_stands_still_while_the_page_is_hidden(
    page: Page, seconds: Callable[[int], float]
) -> None:
    page.keyboard.press("n")
    page.evaluate(HIDE, True)
    assert seconds(30) == 0
    page.evaluate(HIDE, False)
    assert seconds(10) == pytest.approx(10, abs=0.5)
