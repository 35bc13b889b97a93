"""A German browser: German pages, the questions as they were published, the keys as printed."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

PAGES = ["", "rate/", "history/", "agreement/", "import/", "jobs/", "releases/", "settings/"]


@pytest.fixture
def slug() -> str:
    return f"fluesse-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    return tomahto.campaign(slug, items=[item(1), item(2)], rater=f"pine-{slug}")


def language_of(page: Page) -> str:
    return str(page.evaluate("document.documentElement.lang"))


def test_german_browser_rates_by_keyboard(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", locale="de-DE")
    assert language_of(page) == "de"
    wording = page.locator("fieldset.asked .wording")
    expect(wording).to_have_text("Is the second answer a completely different answer?")
    assert wording.get_attribute("lang") == "en"
    page.keyboard.press("n")
    expect(page.locator("button.primary span")).to_have_text("Weiter")
    expect(page.locator("fieldset.asked .wording")).to_contain_text("at least the same information")
    page.keyboard.press("y")
    expect(page.locator("button.primary span")).to_have_text("Absenden")
    page.keyboard.press("Enter")
    expect(page.locator(".stored")).to_contain_text("Gespeichert: Equivalent")
    expect(page.locator("#announcement")).to_have_text("Bewertung gespeichert. Nächstes Item.")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Für Sie gibt es keine Items mehr")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [
        {"q1": "no", "q2": "yes"},
        {"q1": "yes"},
    ]


def test_script_complains_in_german(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", locale="de-DE")
    page.get_by_role("button", name="Weiter").click()
    expect(page.locator("fieldset.asked .unanswered")).to_have_text(
        "Wählen Sie zuerst eine Antwort auf diese Frage."
    )


def test_language_is_switched_and_kept(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/history/", locale="de-DE", java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Meine Bewertungen")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My ratings")
    assert page.url.endswith(f"/c/{slug}/history/")
    page.goto(f"/c/{slug}/guidelines/")
    expect(page.get_by_role("heading", level=1).first).to_have_text("Guidelines")


def test_german_pages_violate_nothing_and_fit_a_narrow_screen(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    page = open_page(admin, "/login/?next=/", locale="de-DE", viewport=NARROW)
    found, too_wide = [], []
    for address in PAGES:
        page.goto(f"/c/{slug}/{address}")
        assert language_of(page) == "de"
        found += violations(page)
        if page.evaluate("document.documentElement.scrollWidth") > NARROW["width"]:
            too_wide.append(address)
    assert (found, too_wide) == ([], [])
