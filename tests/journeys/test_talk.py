"""A rater flags an item, an admin answers, and the closing note comes to the rater's inbox; an
answer that is shown to everybody who rates the item."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import (
    NARROW,
    OpenPage,
    Person,
    Tomahto,
    item,
    sideways,
    violations,
)

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


def test_flag_answer_and_settlement_by_keyboard(
    open_page: OpenPage, slug: str, rater: Person, admin: Person
) -> None:
    raters = open_page(rater, f"/login/?next=/c/{slug}/rate/")
    raters.keyboard.press("f")
    raters.keyboard.type("The passage stops short.")
    raters.keyboard.press("Enter")
    flag = raters.locator("details.flag")
    expect(flag).to_contain_text("Flagged")
    announced = "Flagged. The admins will answer in your inbox."
    expect(raters.locator("#announcement")).to_have_text(announced)
    found = violations(raters)

    admins = open_page(admin, "/login/?next=/inbox/")
    expect(admins.get_by_role("link", name="Inbox 1 unread")).to_be_visible()
    found += violations(admins)
    admins.get_by_role("link", name=re.compile("The passage stops short.")).click()
    answer = admins.get_by_label("Message")
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

    # a line beside the next item says that the answer is there, and waits
    arrived = raters.locator("#arrived")
    expect(arrived).to_be_empty()
    raters.keyboard.press("y")
    raters.keyboard.press("Enter")
    expect(arrived).to_contain_text("1 conversation has new messages for you")
    found += violations(raters)
    raters.get_by_role("link", name="1 conversation has new messages for you").click()
    raters.get_by_role("link", name=re.compile("Which sentence?")).click()
    raters.get_by_label("Message").fill("The last one.")
    raters.get_by_role("button", name="Send").click()
    expect(raters.locator(".messages li")).to_have_count(3)
    found += violations(raters)

    admins.reload()
    admins.get_by_label("How was the flag settled?").fill("It is whole now.")
    admins.get_by_role("button", name="Settle").click()
    expect(admins.get_by_text("The flag has been settled.")).to_be_visible()
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
    admins.get_by_role("link", name=re.compile("Conversation with the rater")).click()
    admins.get_by_label("Message").fill("Rate the first one. " * 20)
    admins.get_by_role("button", name="Send").click()
    expect(admins.locator(".messages li")).to_have_count(2)
    raters.goto("/inbox/")
    raters.get_by_role("link", name=re.compile("Rate the first one.")).click()
    raters.get_by_label("Message").fill("Thank you.")
    raters.get_by_role("button", name="Send").click()
    expect(raters.locator(".messages li")).to_have_count(3)
    expect(raters.get_by_role("heading", name="Conversation with the admins")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_answer_for_everybody_is_opened_by_another_rater(
    open_page: OpenPage, tomahto: Tomahto, slug: str, rater: Person, admin: Person, theme: str
) -> None:
    looks = {"viewport": NARROW, "color_scheme": theme}
    raters = open_page(rater, f"/login/?next=/c/{slug}/rate/", **looks)
    raters.locator("details.flag summary").click()
    raters.get_by_label("What is wrong with it?").fill("Wrong" * 60)
    raters.get_by_role("button", name="Flag", exact=True).click()
    expect(raters.locator("details.flag summary")).to_contain_text("Flagged")
    admins = open_page(admin, "/login/?next=/inbox/", **looks)
    pages = [raters, admins]
    found = violations(raters) + violations(admins)
    admins.get_by_role("link", name=re.compile("Wrong")).click()
    admins.get_by_label("Message").fill("Rate by the last sentence.")
    admins.get_by_role("button", name="Send").click()
    admins.get_by_role("link", name="Show this answer to everybody who rates the item").click()
    expect(admins.get_by_text("An answer that hints at a label influences votes.")).to_be_visible()
    found += violations(admins)
    admins.get_by_role("button", name="Show it to everybody").click()
    expect(admins.get_by_text("nobody has yet.")).to_be_visible()
    found += violations(admins)

    fellow = tomahto.person(f"elm-{slug}", slug)
    page = open_page(fellow, f"/login/?next=/c/{slug}/rate/", **looks)
    answer = page.get_by_text("Rate by the last sentence.")
    expect(answer).to_have_count(0)
    page.get_by_text("The admins have answered a question about this item").click()
    expect(answer).to_be_visible()
    expect(page.locator("#announcement")).to_be_empty()  # the form goes on as it was
    found += violations(page)
    plain = open_page(
        fellow, f"/login/?next=/c/{slug}/rate/", java_script_enabled=False, viewport=NARROW
    )
    plain.get_by_text("The admins have answered a question about this item").click()
    plain.get_by_role("link", name="Read the answer").click()
    expect(plain.get_by_text("Rate by the last sentence.")).to_be_visible()
    admins.reload()
    expect(admins.get_by_text("1 rater has.")).to_be_visible()
    assert (found, [sideways(each) for each in (*pages, page, plain)]) == ([], [0] * 4)
