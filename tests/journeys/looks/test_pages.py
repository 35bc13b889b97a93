"""Every page before those it is for, on three sizes of window: nothing is clipped, broken, out of
reach or on top of something else, and axe-core finds nothing by WCAG 2.2 AA, light or dark."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, ViewportSize

from tests.journeys.conftest import violations
from tests.journeys.looks.addresses import (
    EXAMPLES,
    MESSAGES,
    NO_PAGES,
    NOBODY,
    PARTS,
    names_of_pages,
)
from tests.journeys.looks.visits import Filled, Visitors

pytestmark = pytest.mark.browser

MEASURES = (Path(__file__).parent / "measures.js").read_text(encoding="utf-8")
DESKTOP, LAPTOP, PHONE = (1280, 900), (1366, 650), (360, 740)
AT_400_PERCENT: ViewportSize = {"width": 320, "height": 256}  # a window of 1280 pixels then
# charts follow in the frames after
SETTLED_WIDTH = """
async () => {
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth;
}
"""


def test_every_page_of_the_site_is_looked_at() -> None:
    assert {example.name for example in EXAMPLES if "," not in example.name} == (
        names_of_pages() - NO_PAGES
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", PARTS)
def test_nothing_on_a_page_is_amiss(visitors: Visitors, part: str) -> None:
    found = [
        f"{example.name}: {fault}"
        for example in PARTS[part]
        for fault in faults(visitors.visit(example))
    ]
    assert found == []


def test_nothing_in_place_of_a_page_is_amiss(filled: Filled, visitors: Visitors) -> None:
    page = visitors.window(NOBODY)
    found = []
    for name, html in filled.messages(MESSAGES).items():
        page.route(f"**/{name}", partial(fulfil, html=html))
        page.goto(f"/{name}")
        found += [f"{name}: {fault}" for fault in faults(page)]
    assert found == []


def fulfil(route: Route, *, html: str) -> None:
    route.fulfill(body=html, content_type="text/html")


def faults(page: Page) -> Iterator[str]:
    """What is wrong with the page, in sentences."""
    page.emulate_media(color_scheme="light")
    yield from measured(page, DESKTOP)
    yield from violations(page)
    yield from measured(page, LAPTOP)
    page.emulate_media(color_scheme="dark")
    yield from measured(page, PHONE)
    yield from measured(page, PHONE, is_unfolded=True)
    yield from violations(page)
    page.set_viewport_size(AT_400_PERCENT)
    wide = page.evaluate(SETTLED_WIDTH)
    if wide > AT_400_PERCENT["width"]:
        yield f"scrolls sideways at 400 %: {wide} px"


def measured(page: Page, size: tuple[int, int], *, is_unfolded: bool = False) -> Iterator[str]:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    for fault in page.evaluate(MEASURES, {"isUnfolded": is_unfolded}):
        yield f"{fault} at {width} px"
