"""Settings by section: what is saved, what is not saved yet, and how a text will read."""

import re
import uuid

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sideways, violations

pytestmark = pytest.mark.browser


@pytest.fixture
def slug(tomahto: Tomahto) -> str:
    slug = f"settings-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(1)], rater=f"pine-{slug}")
    return slug


@pytest.fixture
def admin(tomahto: Tomahto, slug: str) -> Person:
    return tomahto.person(f"oak-{slug}", slug, "admin")


def not_saved(page: Page) -> list[str | None]:
    """The sections that say so."""
    marks = page.locator("[data-not-saved]:visible").locator("xpath=ancestor::form")
    return [each.get_attribute("data-section") for each in marks.all()]


def test_a_section_is_saved_and_others_are_asked_about_before_they_are_lost(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/c/{slug}/settings/")
    assert not_saved(page) == []
    contents = page.get_by_role("navigation", name="Sections")
    contents.get_by_role("link", name="Order").click()
    expect(page.get_by_role("heading", name="Order", exact=True)).to_be_in_viewport()
    page.get_by_label("Order of items").select_option("oldest")
    page.get_by_label("Title", exact=True).fill("Something else")
    page.get_by_label("Adjudicators judge before they see the votes").uncheck()
    assert not_saved(page) == ["General", "Order", "Adjudication"]
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    save = page.get_by_role("button", name="Save Order")
    page.once("dialog", stay)
    save.click()
    (question,) = asked
    assert "will be lost: General, Adjudication. Continue?" in question
    expect(page.get_by_label("Title", exact=True)).to_have_value("Something else")
    page.get_by_label("Title", exact=True).fill(slug)
    page.get_by_label("Adjudicators judge before they see the votes").check()
    assert not_saved(page) == ["Order"]
    save.click()  # with no question: a dialog would be dismissed, and nothing saved
    expect(page).to_have_url(re.compile("#order$"))
    expect(page.locator("#order").get_by_role("status")).to_have_text("Saved.")
    expect(page.get_by_role("heading", name="Order", exact=True)).to_be_in_viewport()
    expect(page.get_by_label("Order of items")).to_have_value("oldest")
    assert not_saved(page) == []


def test_the_browser_asks_before_a_page_with_changes_is_left(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/c/{slug}/settings/")
    page.get_by_label("Title", exact=True).press_sequentially("!")
    kinds: list[str] = []

    def leave(dialog: Dialog) -> None:
        kinds.append(dialog.type)
        dialog.accept()

    page.once("dialog", leave)
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(slug)
    assert kinds == ["beforeunload"]


def test_a_fault_is_shown_at_its_field_on_a_phone(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/c/{slug}/settings/", viewport=NARROW)
    page.get_by_label("Language of items and guidelines").fill("no code")
    page.get_by_role("button", name="Save General").click()
    expect(page.locator("#general").get_by_role("alert")).to_be_in_viewport()
    assert page.get_by_label("Language of items").get_attribute("aria-invalid") == "true"
    assert not_saved(page) == ["General"]
    assert (violations(page), sideways(page)) == ([], 0)


def test_guidelines_are_previewed_as_raters_will_read_them(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/c/{slug}/settings/")
    preview = page.get_by_role("region", name="Preview Guidelines")
    page.get_by_label("Guidelines, in Markdown").fill("Read *both*. <script>alert(1)</script>")
    expect(preview).to_have_text("Read both. <script>alert(1)</script>")
    expect(preview.locator("em")).to_have_text("both")
    page.get_by_role("button", name="Publish new version").click()
    expect(page.locator("#guidelines").get_by_role("status")).to_have_text(
        "Raters now see version 2 of the guidelines."
    )


def test_sections_are_saved_without_scripts(open_page: OpenPage, slug: str, admin: Person) -> None:
    page = open_page(admin, f"/c/{slug}/settings/", java_script_enabled=False)
    page.get_by_label("Most ratings per rater").fill("5")
    page.get_by_role("button", name="Save Ratings", exact=True).click()
    expect(page.locator("#ratings").get_by_role("status")).to_have_text("Saved.")
    expect(page.get_by_label("Most ratings per rater")).to_have_value("5")
