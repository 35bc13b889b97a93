"""Help where it is needed: the section of a page, marked terms, a search."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage, Tomahto, item

pytestmark = pytest.mark.browser


def test_from_a_term_to_its_section_to_another_by_keyboard(
    open_page: OpenPage, tomahto: Tomahto
) -> None:
    tomahto.campaign("helped", items=[item(1)], rater="helped-rater")
    admin = tomahto.person("helped-admin", "helped", "admin")
    page = open_page(admin, "/c/helped/agreement/more/")
    mark = page.get_by_role("button", name="What is ε?")
    mark.focus()
    page.keyboard.press("Enter")
    explained = page.locator("#term-epsilon")
    expect(explained).to_contain_text("0.2 for experts")
    page.keyboard.press("Escape")
    expect(explained).to_be_hidden()
    expect(mark).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/docs/dashboards/#instead-of-a-rater$"))
    expect(page.get_by_role("heading", name="Instead of a rater")).to_be_in_viewport()
    page.get_by_role("searchbox", name="Search the documentation").fill("alerts webhook")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Alerts", exact=True).click()
    expect(page).to_have_url(re.compile("/docs/dashboards/#alerts$"))


def test_help_leads_to_the_section_on_the_page_without_a_script(open_page: OpenPage) -> None:
    page = open_page(path="/login/", java_script_enabled=False)
    page.get_by_role("link", name="Help on this page").click()
    expect(page.get_by_role("heading", name="Guessing passwords")).to_be_in_viewport()
