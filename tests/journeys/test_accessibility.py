"""WCAG 2.2 AA by axe-core, on every page, in both themes; and no sideways scrolling."""

import uuid

import pytest

from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

PAGES = [
    "/",
    "/password/",
    "/account/",
    "/account/two-factor/",
    "/campaigns/new/",
    "/c/{slug}/",
    "/c/{slug}/rate/",
    "/c/{slug}/history/",
    "/c/{slug}/guidelines/",
    "/c/{slug}/agreement/",
    "/c/{slug}/import/",
    "/c/{slug}/jobs/",
    "/c/{slug}/releases/",
    "/c/{slug}/settings/",
    "/c/{slug}/settings/members/",
    "/c/no-such-campaign/",
]
LONG = "A passage about rivers that goes on for a good while. " * 30


@pytest.fixture(scope="module")
def slug(tomahto: Tomahto) -> str:
    slug = f"axe-{uuid.uuid4().hex[:8]}"
    items = [item(number, context=LONG + "in the northern hills") for number in range(1, 4)]
    tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    return slug


@pytest.fixture(scope="module")
def admin(tomahto: Tomahto, slug: str) -> Person:
    person = tomahto.person(f"oak-{slug}", slug, "admin")
    tomahto.site.python(
        "from tasks.models import User\n"
        f"User.objects.filter(username={person.username!r}).update(is_staff=True)"
    )
    return person


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_violates_wcag(open_page: OpenPage, slug: str, admin: Person, theme: str) -> None:
    page = open_page(admin, "/login/?next=/", color_scheme=theme)
    found = []
    for address in PAGES:
        page.goto(address.format(slug=slug))
        found += violations(page)
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_violates_nothing(open_page: OpenPage, theme: str) -> None:
    assert violations(open_page(None, "/login/", color_scheme=theme)) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rating_with_everything_open_violates_nothing(
    open_page: OpenPage, slug: str, admin: Person, theme: str
) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/rate/", color_scheme=theme)
    for key in "nn":
        page.keyboard.press(key)
    page.get_by_text("Show the whole passage").click()
    page.get_by_text("Skip this item").click()
    page.locator("details.comment summary").click()
    found = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys").click()
    found += violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert found + violations(page) == []


@pytest.mark.parametrize("width", [360, 320])
def test_no_page_scrolls_sideways(
    open_page: OpenPage, slug: str, admin: Person, width: int
) -> None:
    """320 px is a 1280 px window at 400 % zoom."""
    page = open_page(admin, "/login/?next=/", viewport={"width": width, "height": 256})
    too_wide = []
    for address in PAGES:
        page.goto(address.format(slug=slug))
        if page.evaluate("document.documentElement.scrollWidth") > width:
            too_wide.append(address)
    assert too_wide == []
