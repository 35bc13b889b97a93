"""From the first visit to the first live item: consent, guidelines, a failed and a passed
calibration, by keyboard; and the same pages without JavaScript, checked for accessibility."""

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
        "from tasks.people.workflow.consent import publish_consent_text\n"
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


def calibrate(page: Page, keys: str, verdict: str) -> None:
    """Answer both items by these keys; each is judged at once."""
    for _item in range(2):
        expect(page.get_by_text("Final once submitted")).to_be_visible()
        for key in keys:
            page.keyboard.press(key)
        go_on(page)
        heading(page, verdict)
        expect(page.get_by_text("The hills are the same.")).to_be_visible()
        assert page.evaluate("document.activeElement.id") == "verdict-title"
        go_on(page)


def agree_by_keyboard(page: Page) -> None:
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    go_on(page)
    heading(page, "Read the guidelines first")


def test_rater_comes_from_the_first_visit_to_live_work_by_keyboard(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    heading(page, "Before you take part")
    agree_by_keyboard(page)
    expect(page.locator(".card")).to_contain_text("One example for each outcome")
    go_on(page)
    calibrate(page, "y", "Not the expected answer")
    heading(page, "Calibration not passed yet")
    expect(page.get_by_text("0 of 2 answers were as expected")).to_be_visible()
    expect(page.get_by_text("The hills are the same.")).to_have_count(2)
    page.keyboard.press("g")
    expect(page.get_by_role("dialog", name="Guidelines, version 1")).to_be_visible()
    page.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_have_count(0)
    go_on(page)
    calibrate(page, "ny", "As expected")
    heading(page, "Calibration passed")
    go_on(page)
    expect(page.locator("#item-question")).to_contain_text("Where does river")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator(".stored")).to_contain_text("Stored: Not equivalent")
    [rating] = tomahto.ratings(slug)
    assert rating["answers"] == {"q1": "yes"}
    assert rating["item"] in {"item-1", "item-2"}


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
    expect(page.get_by_text("Answer this question first.")).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("y")
    expect(page.locator("input[name=q2]:checked")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Yes").last.click()
    page.get_by_role("button", name="Submit").dblclick()
    heading(page, "As expected")


def test_rater_calibrates_without_javascript(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", java_script_enabled=False)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Agree and continue").click()
    page.get_by_role("button", name="Start the calibration").click()
    for _item in range(2):
        page.locator("fieldset.asked").get_by_role("radio", name="No").check(force=True)
        page.get_by_role("button", name="Continue").click()
        page.locator("fieldset.asked").get_by_role("radio", name="Yes").check(force=True)
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("button", name="Submit").click()
        heading(page, "As expected")
        page.get_by_role("link", name="Next item").or_(
            page.get_by_role("link", name="See the result")
        ).click()
    heading(page, "Calibration passed")


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
        heading(page, "Not the expected answer")
        check()
        go_on(page)
    heading(page, "Calibration not passed yet")
    check()
    assert found == []
    assert max(widths) <= 0
