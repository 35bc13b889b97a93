"""WCAG 2.2 AA by axe-core, on every page, in both themes; nothing cut off or out of reach; and
the rating form as a screen reader meets it."""

import json
import re
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.journeys.addresses import OTHER_STATES, PAGES
from tests.journeys.conftest import NARROW, OpenPage, Tomahto, item, violations
from tests.journeys.places import Places, filled
from tests.sampling import IS_WHOLE

pytestmark = pytest.mark.browser

MAIN_PAGES = (
    *("home", "overview", "rate-assignment", "agreement", "adjudicate"),
    *("import", "jobs", "releases", "lab", "settings"),
)
FOR_RATERS = ["/", "/c/{slug}/rate/", "/c/{slug}/history/", "/c/{slug}/guidelines/"]
DESKTOP: ViewportSize = {"width": 1280, "height": 720}
CLIPPED = (Path(__file__).parent / "clipped.js").read_text(encoding="utf-8")
MESSAGES = ["404.html", "500.html", "400.html", "403.html", "csrf.html", "access/locked.html"]
LONG = "A passage about rivers that goes on for a good while. " * 30


@pytest.fixture(scope="module")
def places(tomahto: Tomahto) -> Places:
    slug = f"axe-{uuid.uuid4().hex[:8]}"
    items = [
        item(number, document=f"document-{number}", context=LONG + "in the northern hills")
        for number in range(1, 5)
    ]
    rater = tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    return Places(admin, rater, filled(tomahto.site, slug, admin, rater))


def every_page(places: Places) -> Iterator[str]:
    """All pages in all states, or where all behaviour is run once the main ones."""
    whole = (*PAGES.values(), *OTHER_STATES)
    return map(places.address, whole if IS_WHOLE else [PAGES[name] for name in MAIN_PAGES])


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        pytest.param("light", DESKTOP, marks=pytest.mark.representative("axe on the main pages")),
        pytest.param("dark", NARROW),
    ],
)
def test_no_page_violates_wcag(
    open_page: OpenPage, places: Places, theme: str, size: ViewportSize
) -> None:
    page = open_page(places.admin, "/login/?next=/", color_scheme=theme, viewport=size)
    found = []
    for address in every_page(places):
        page.goto(address)
        found += violations(page)
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_of_a_rater_violates_wcag(open_page: OpenPage, places: Places, theme: str) -> None:
    page = open_page(places.rater, "/login/?next=/", color_scheme=theme)
    found = []
    for path in FOR_RATERS:
        page.goto(places.address(path))
        found += violations(page)
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_violates_nothing(open_page: OpenPage, theme: str) -> None:
    assert violations(open_page(None, "/login/", color_scheme=theme)) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_message_in_place_of_a_page_violates_wcag(
    tomahto: Tomahto, open_page: OpenPage, theme: str
) -> None:
    page = open_page(None, "/login/", color_scheme=theme)
    found = []
    for name, html in messages(tomahto).items():
        page.route(f"**/{name}", partial(fulfil, html=html))
        page.goto(f"/{name}")
        found += violations(page)
    assert found == []


def fulfil(route: Route, *, html: str) -> None:
    route.fulfill(body=html, content_type="text/html")


def messages(tomahto: Tomahto) -> dict[str, str]:
    """The page in the place of another when something is wrong, as the site would send it."""
    printed = tomahto.site.python(
        "import json\nfrom django.template.loader import render_to_string\n"
        f"print(json.dumps({{name: render_to_string(name) for name in {MESSAGES!r}}}))"
    )
    found: dict[str, str] = json.loads(printed)
    return found


def open_everything(page: Page) -> None:
    """A rating form in the middle, with every panel beside it open."""
    for key in "nn":
        page.keyboard.press(key)
    page.get_by_text("Show the whole passage").click()
    for panel in ("comment", "flag", "skip"):
        page.locator(f"details.{panel} summary").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rating_with_everything_open_violates_nothing(
    open_page: OpenPage, places: Places, theme: str
) -> None:
    page = open_page(
        places.admin, places.address("/login/?next=/c/{slug}/rate/"), color_scheme=theme
    )
    open_everything(page)
    found = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys").click()
    found += violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert found + violations(page) == []


@pytest.mark.representative("texts cut off on any page")
def test_nothing_on_a_page_is_cut_or_out_of_reach(open_page: OpenPage, places: Places) -> None:
    """On a desktop, a laptop and a phone, and where a window of 1280 px is magnified four times."""
    page = open_page(places.admin, "/login/?next=/")
    found = []
    for address in map(places.address, (*PAGES.values(), *OTHER_STATES)):
        page.goto(address)
        found += [f"{address}: {fault}" for fault in _faults(page)]
    page.goto(places.address("/c/{slug}/rate/"))
    open_everything(page)
    found += _faults(page)
    assert not found, "\n".join(found)


def _faults(page: Page) -> Iterator[str]:
    for width, height in ((1280, 900), (1366, 650), (360, 740), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        yield from (f"{fault} at {width} px" for fault in page.evaluate(CLIPPED))


def test_rating_form_says_by_role_and_name_what_it_asks(
    open_page: OpenPage, places: Places
) -> None:
    page = open_page(places.rater, places.address("/login/?next=/c/{slug}/rate/"))
    expect(page.locator("#rate")).to_match_aria_snapshot("""
      - article /Where does river \\d rise/:
        - heading /Where does river \\d rise/ [level=1]
        - group: Show the whole passage p
      - term: First answer
      - definition: in the northern hills
      - term: Second answer
      - definition: far from the sea
      - form "Your judgement":
        - status
        - group "Is the second answer a completely different answer?":
          - radio "Yes"
          - radio "No"
        - button "Continue Enter"
        - button "Back b"
      - group: Comment c
      - group: Flag f
      - group: Skip s
    """)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="Your judgement")
    asked = form.get_by_role("group", name=re.compile("convey at least the same information"))
    expect(asked).to_have_accessible_description(re.compile("^Note that either adding"))
    expect(asked).to_be_focused()
    expect(form).to_match_aria_snapshot("""
      - form "Your judgement":
        - status: Draft saved
        - group "Is the second answer a completely different answer?":
          - paragraph:
            - text: "No"
            - button "Change the answer to question 1"
        - group /Would using the second answer/:
          - radio "Yes"
          - radio "No"
        - button "Continue Enter"
        - button "Back b"
    """)
    page.keyboard.press("y")
    expect(form).to_match_aria_snapshot("""
      - group /Would using the second answer/:
        - radio "Yes" [checked]
        - radio "No"
      - button "Submit Enter"
      - button "Back b"
    """)
