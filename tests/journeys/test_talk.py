"""A rater flags an item, an admin answers, and the last word comes to the rater's inbox."""

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser


@pytest.fixture
def slug() -> str:
    return f"talk-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    return tomahto.campaign(slug, items=[item(1), item(2)], rater=f"pine-{slug}")


@pytest.fixture
def admin(tomahto: Tomahto, slug: str, rater: Person) -> Person:
    tomahto.person(f"birch-{slug}", slug, "admin")
    return tomahto.person(f"oak-{slug}", slug, "admin")


def is_too_wide(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide


def test_flag_answer_and_settlement_by_keyboard(
    open_page: OpenPage, slug: str, rater: Person, admin: Person
) -> None:
    raters = open_page(rater, f"/login/?next=/c/{slug}/rate/")
    raters.keyboard.press("f")
    raters.keyboard.type("The passage stops short.")
    raters.keyboard.press("Enter")
    flag = raters.locator("details.flag")
    expect(flag).to_contain_text(
        "The admins have been notified; their answer will arrive in your inbox."
    )
    expect(raters.locator("#announcement")).to_contain_text("The admins have been notified")
    found = violations(raters)

    admins = open_page(admin, "/login/?next=/inbox/")
    expect(admins.get_by_role("link", name="Inbox 1 unread")).to_be_visible()
    found += violations(admins)
    admins.get_by_role("link", name=re.compile("The passage stops short.")).click()
    expect(admins.get_by_role("link", name="Inbox", exact=True).first).to_be_visible()
    answer = admins.get_by_label(re.compile("Write to"))
    answer.focus()
    admins.keyboard.type("Which sentence? @bi")
    names = admins.get_by_role("listbox", name="People you can mention")
    expect(names.get_by_role("option")).to_have_text([f"birch-{slug}"])
    found += violations(admins)
    admins.keyboard.press("Enter")
    expect(answer).to_have_value(f"Which sentence? @birch-{slug} ")
    expect(names).to_be_hidden()
    admins.keyboard.press("Tab")
    with admins.expect_navigation():
        admins.keyboard.press("Enter")
    expect(admins.locator(".messages .named")).to_have_text(f"@birch-{slug}")

    # the answer is noted beside the next item, and waits
    raters.keyboard.press("y")
    raters.keyboard.press("Enter")
    expect(raters.get_by_text("You have rated 1")).to_have_count(0)
    raters.reload()
    raters.get_by_role("link", name="1 conversation has new messages for you.").click()
    raters.get_by_role("link", name=re.compile("Which sentence?")).click()
    raters.get_by_label("Write to the admins").fill("The last one.")
    raters.get_by_role("button", name="Send").click()
    expect(raters.locator(".messages li")).to_have_count(3)
    found += violations(raters)

    admins.reload()
    admins.get_by_label("How was it settled?").fill("It is whole now.")
    admins.get_by_role("button", name="Settle").click()
    expect(admins.get_by_text("The flag is settled.")).to_be_visible()
    found += violations(admins)
    raters.goto("/inbox/")
    expect(raters.locator(".entry.unread")).to_contain_text("It is whole now.")
    raters.get_by_role("button", name="Mark all as read").click()
    expect(raters.locator(".entry.unread")).to_have_count(0)
    assert found == []


def test_conversation_without_javascript_on_a_telephone(
    open_page: OpenPage, slug: str, rater: Person, admin: Person
) -> None:
    plain = {"java_script_enabled": False, "viewport": NARROW}
    raters = open_page(rater, f"/login/?next=/c/{slug}/rate/", **plain)
    raters.locator("details.flag summary").click()
    raters.get_by_label("What is wrong with it?").fill("Two questions in one.")
    raters.get_by_role("button", name="Flag", exact=True).click()
    admins = open_page(admin, f"/login/?next=/c/{slug}/flags/", **plain)
    admins.locator("summary", has_text="Answer the rater").click()
    admins.get_by_label(re.compile("Write to")).fill("Rate the first one. " * 20)
    admins.get_by_role("button", name="Send").click()
    expect(admins.locator(".messages li")).to_have_count(2)
    raters.goto("/inbox/")
    raters.get_by_role("link", name=re.compile("Rate the first one.")).click()
    raters.get_by_label("Write to the admins").fill("Thank you.")
    raters.get_by_role("button", name="Send").click()
    expect(raters.locator(".messages li")).to_have_count(3)
    expect(raters.get_by_role("heading", name="Conversation with the admins")).to_be_visible()


def test_inbox_and_thread_fit_a_telephone(
    open_page: OpenPage, slug: str, rater: Person, admin: Person
) -> None:
    raters = open_page(rater, f"/login/?next=/c/{slug}/rate/", viewport=NARROW)
    raters.locator("details.flag summary").click()
    raters.get_by_label("What is wrong with it?").fill("Wrong" * 60)
    raters.get_by_role("button", name="Flag", exact=True).click()
    expect(raters.locator("details.flag summary")).to_contain_text("Flagged")
    admins = open_page(admin, "/login/?next=/inbox/", viewport=NARROW)
    wide = [is_too_wide(raters), is_too_wide(admins)]
    admins.get_by_role("link", name=re.compile("Wrong")).click()
    expect(admins.get_by_role("heading", level=1)).to_contain_text("Conversation with")
    wide.append(is_too_wide(admins))
    assert wide == [False, False, False]
