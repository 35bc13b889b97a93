"""Settings section by section: what is saved, what is not saved yet, and how a text will read."""

import re
import uuid

import pytest
from playwright.sync_api import Dialog, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser


@pytest.fixture
def slug(tomahto: Tomahto) -> str:
    slug = f"settings-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    return slug


@pytest.fixture
def admin(tomahto: Tomahto, slug: str) -> Person:
    return tomahto.person(f"oak-{slug}", slug, "admin")


def test_a_section_saves_what_is_in_it_and_asks_before_others_are_lost(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/settings/")
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Order").click()
    page.get_by_label("Order of items", exact=True).select_option("oldest")
    order = page.locator("#order")
    expect(order.get_by_text("Not saved yet")).to_be_visible()
    page.get_by_label("Title", exact=True).fill("Something else")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.once("dialog", stay)
    order.get_by_role("button", name="Save").click()
    assert len(asked) == 1
    assert "unsaved changes in: General" in asked[0]
    expect(page.get_by_label("Title", exact=True)).to_have_value("Something else")
    page.once("dialog", lambda dialog: dialog.accept())
    order.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved: Order of items.")
    expect(page).to_have_url(re.compile(r"#order$"))
    expect(page.get_by_label("Order of items", exact=True)).to_have_value("oldest")
    expect(page.get_by_label("Title", exact=True)).to_have_value(slug)
    expect(page.get_by_text("Not saved yet").first).to_be_hidden()


def test_what_is_wrong_is_said_at_the_top_and_at_the_field(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/settings/", viewport=NARROW)
    page.get_by_label("Licence").fill("Free for all!")
    page.locator("#release").get_by_role("button", name="Save").click()
    errors = page.get_by_role("alert")
    expect(errors).to_contain_text("Please check 1 field.")
    errors.get_by_role("link", name="Licence").click()
    expect(page.get_by_label("Licence")).to_be_focused()
    assert page.get_by_label("Licence").get_attribute("aria-invalid") == "true"
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"]


def test_guidelines_are_shown_beside_as_raters_will_read_them(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/settings/")
    preview = page.get_by_role("region", name="Preview").first
    text = page.get_by_role("textbox", name="Guidelines, in Markdown")
    text.fill("Read *both* answers. <script>alert(1)</script>")
    expect(preview.locator("em").first).to_have_text("both")
    expect(preview).to_contain_text("<script>alert(1)</script>")
    page.get_by_role("button", name="Publish new version").click()
    expect(page.get_by_role("status")).to_have_text("Version 2 of the guidelines is in use.")
    page.goto(f"/c/{slug}/settings/guidelines/")
    expect(page).to_have_url(re.compile(rf"/c/{slug}/settings/$"))
