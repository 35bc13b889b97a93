"""Getting around: side bar, drawer, finding anything."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def admin(tomahto: Tomahto) -> Person:
    """Of the campaign "shell" with three items and a rater who has not begun."""
    tomahto.campaign("shell", items=[item(number) for number in (1, 2, 3)], rater="shell-rater")
    return tomahto.person("shell-admin", "shell", "admin")


def test_the_side_bar_groups_the_pages_and_marks_the_one_that_is_shown(
    open_page: OpenPage, admin: Person
) -> None:
    page = open_page(admin, "/c/shell/")
    bar = page.get_by_role("navigation", name="Campaign")
    expect(bar.get_by_role("list", name="Set up").get_by_role("link")).to_have_text(
        ["Import", "People", "Guidelines", "Settings", "Jobs"]
    )
    bar.get_by_role("link", name="Agreement").click()
    expect(page).to_have_url(re.compile("/c/shell/agreement/$"))
    expect(bar.locator("[aria-current=page]")).to_have_text("Agreement")
    page.get_by_role("navigation", name="Dashboards").get_by_role("link", name="Labels").click()
    expect(bar.locator("[aria-current=page]")).to_have_text("Agreement")


def test_the_desk_keeps_its_width_and_the_side_bar_opens_over_it(
    open_page: OpenPage, admin: Person
) -> None:
    page = open_page(admin, "/c/shell/rate/")
    bar = page.get_by_role("navigation", name="Campaign")
    expect(bar).to_be_hidden()
    box = page.locator("main").bounding_box()
    assert box is not None
    assert box["width"] == 1280
    opener = page.get_by_role("button", name="Pages of the campaign")
    opener.click()
    bar.get_by_role("link", name="My ratings").click()
    expect(page).to_have_url(re.compile("/c/shell/history/$"))


@pytest.mark.parametrize("has_scripts", [True, False])
def test_the_drawer_opens_on_a_phone_with_the_keyboard_and_without_scripts(
    open_page: OpenPage, admin: Person, has_scripts: bool
) -> None:
    page = open_page(admin, "/c/shell/", viewport=NARROW, java_script_enabled=has_scripts)
    bar = page.get_by_role("navigation", name="Campaign")
    expect(bar).to_be_hidden()
    opener = page.get_by_role("button", name="Pages of the campaign")
    opener.focus()
    page.keyboard.press("Enter")
    expect(bar).to_be_visible()
    page.keyboard.press("Tab")
    expect(bar.get_by_role("link", name="Overview")).to_be_focused()
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    bar.get_by_role("link", name="Releases").click()
    expect(page).to_have_url(re.compile("/c/shell/releases/$"))


def test_an_item_is_found_by_its_text_in_one_step(open_page: OpenPage, admin: Person) -> None:
    page = open_page(admin, "/c/shell/agreement/labels/")
    page.keyboard.press("Control+k")
    field = page.get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially("where river 2")
    expect(page.get_by_role("dialog").get_by_role("link")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/c/shell/items/[^/]+/$"))
    expect(page.get_by_text("Where does river 2 rise?").first).to_be_visible()


def test_the_palette_is_used_with_the_arrow_keys(open_page: OpenPage, admin: Person) -> None:
    page = open_page(admin, "/c/shell/")
    page.get_by_role("link", name="Find").click()
    dialog = page.get_by_role("dialog")
    page.keyboard.type("log")
    links = dialog.get_by_role("link")
    expect(links.first).to_have_text(re.compile("Audit log"))
    page.keyboard.press("ArrowDown")
    expect(links.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(dialog.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("x")  # goes on in the field
    expect(dialog.get_by_role("searchbox")).to_have_value("logx")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_the_palette_gives_no_key_to_the_desk_under_it(open_page: OpenPage, admin: Person) -> None:
    page = open_page(admin, "/c/shell/rate/")
    expect(page.locator("#rating")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("overview")
    expect(page.get_by_role("dialog").get_by_role("link").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("y")
    page.keyboard.press("Escape")
    expect(page.locator("#rating input:checked")).to_have_count(0)


def test_finding_works_without_scripts(open_page: OpenPage, admin: Person) -> None:
    page = open_page(admin, "/c/shell/", java_script_enabled=False)
    page.get_by_role("link", name="Find").click()
    page.get_by_role("searchbox").fill("river 3")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Where does river 3 rise?").click()
    expect(page).to_have_url(re.compile(r"/c/shell/items/[^/]+/$"))


def test_enter_opens_what_was_typed_however_slow_the_site_is(
    open_page: OpenPage, admin: Person
) -> None:
    page, waiting = open_page(admin, "/c/shell/guidelines/"), list[Route]()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("link").first).to_have_text("Overview")
    page.route("**/find/*", lambda route: waiting.append(route))
    page.get_by_role("searchbox").fill("audit log")
    for number in (1, 2, 3):  # of what was typed, and of Enter pressed twice
        while len(waiting) < number:
            page.wait_for_timeout(10)
        if number < 3:
            page.keyboard.press("Enter")
    *older, newest = waiting
    for route in older:
        with page.expect_response("**/find/*"):
            route.continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    expect(page).to_have_url(re.compile("/c/shell/guidelines/$"))
    newest.continue_()
    expect(page).to_have_url(re.compile("/c/shell/settings/audit/$"))


def test_a_search_that_fails_leaves_the_page_until_enter_asks_for_it(
    open_page: OpenPage, admin: Person
) -> None:
    page = open_page(admin, "/c/shell/")
    page.route(
        lambda _address: True,
        lambda route: (
            route.fulfill(status=502)
            if "x-requested-with" in route.request.headers
            else route.continue_()
        ),
    )
    page.keyboard.press("Control+k")
    with page.expect_response("**/find/*audit*"):
        page.keyboard.type("audit")
    expect(page).to_have_url(re.compile("/c/shell/$"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/find/\?.*q=audit"))
