"""The way to live work: keys on a calibration item, and the pages on it, checked for accessibility;
the whole way is walked in test_whole_way.py."""

import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser


@pytest.fixture
def slug() -> str:
    return f"springs-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    """A rater in a campaign of two live items, with a consent text and two calibration items."""
    known: dict[str, Any] = {"purpose": "calibration", "q1": False, "q2": True}
    known["explanation"] = "The hills are the same."
    items = [item(1), item(2), *(item(n, id=f"known-{n}", **known) for n in (11, 12))]
    person = tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    tomahto.site.python(
        "from tasks.models import Campaign\n"
        "from tasks.people.workflow.members import publish_consent_text\n"
        "from tasks.training.workflow import configure_calibration\n"
        f"campaign = Campaign.objects.get(slug={slug!r})\n"
        "publish_consent_text(campaign=campaign, text='Your answers are *published*.')\n"
        "configure_calibration(campaign=campaign, is_required=True, pass_percent=80, attempts=2)"
    )
    return person


def go_on(page: Page) -> None:
    """Enter, and wait for the page it leads to: a key pressed on the way would be lost."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


def agree_by_keyboard(page: Page) -> None:
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    go_on(page)
    heading(page, "Read the guidelines first")


def test_keys_on_a_calibration_item_are_those_of_the_rating_page(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    agree_by_keyboard(page)
    go_on(page)
    expect(page.get_by_text("Final once submitted")).to_be_visible()
    asked = page.locator("fieldset.asked .wording")
    page.keyboard.press("n")
    expect(asked).to_contain_text("convey at least the same information")
    page.keyboard.press("b")
    expect(asked).to_contain_text("completely different answer")
    page.get_by_role("button", name="Continue").click()
    expect(asked).to_contain_text("convey at least the same information")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Choose an answer to this question first.")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("y")
    expect(page.locator("input[name=q2]:checked")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Yes").last.click()
    page.get_by_role("button", name="Submit").dblclick()
    heading(page, "As expected")
    assert page.evaluate("document.activeElement.id") == "verdict-title"
    page.keyboard.press("g")
    expect(page.get_by_role("dialog", name="Guidelines, version 1")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("is_narrow", [False, True])
def test_training_violates_nothing_and_fits(
    open_page: OpenPage, slug: str, rater: Person, theme: str, is_narrow: bool
) -> None:
    options = {"viewport": NARROW} if is_narrow else {}
    page = open_page(rater, f"/c/{slug}/rate/", color_scheme=theme, **options)
    found, widths = [], []

    def check() -> None:
        found.extend(violations(page))
        widths.append(page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    check()
    agree_by_keyboard(page)
    check()
    go_on(page)
    for _item in range(2):
        expect(page.get_by_text("Final once submitted")).to_be_visible()
        check()
        page.keyboard.press("y")
        go_on(page)
        heading(page, "Another answer was expected")
        check()
        go_on(page)
    heading(page, "Calibration not passed yet")
    check()
    assert found == []
    assert max(widths) <= 0
