"""The rating form with everything open, by axe-core; and as a screen reader meets it.

All pages as they come are looked at in `tests/journeys/looks`.
"""

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

LONG = "A passage about rivers that goes on for a good while. " * 30


@pytest.fixture
def slug() -> str:
    return f"axe-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    items = [item(number, context=LONG + "in the northern hills") for number in (1, 2)]
    return tomahto.campaign(slug, items=items, rater=f"pine-{slug}")


def open_everything(page: Page) -> None:
    """A rating form in the middle, with every panel beside it open."""
    for key in "nn":
        page.keyboard.press(key)
    page.get_by_text("Show the whole passage").click()
    for panel in ("comment", "flag", "skip"):
        page.locator(f"details.{panel} summary").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rating_with_everything_open_violates_nothing(
    open_page: OpenPage, slug: str, rater: Person, theme: str
) -> None:
    page = open_page(rater, f"/login/?next=/c/{slug}/rate/", color_scheme=theme)
    open_everything(page)
    found = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys").click()
    found += violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert found + violations(page) == []


def test_rating_form_says_by_role_and_name_what_it_asks(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/login/?next=/c/{slug}/rate/")
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
      - group: Flag for the admins f
      - group: Skip this item s
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
