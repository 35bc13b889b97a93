"""An admin finds items by text, filters, sorts, keeps a view, opens, downloads."""

import json
import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

TOPICS = {1: "volcano", 2: "treaty", 3: "octopus", 4: "glacier"}


@pytest.fixture
def slug() -> str:
    return f"data-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def admin(tomahto: Tomahto, slug: str) -> Person:
    items = [
        item(
            number,
            question=f"What is told of the {topic}?",
            candidate=f"The {topic} is small.",
            systems=["juniper" if number % 2 else "larch"],
        )
        for number, topic in TOPICS.items()
    ]
    tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    return tomahto.person(f"oak-{slug}", slug, "admin")


def questions(page: Page) -> list[str]:
    """The topics of the items that the list shows, in its order."""
    texts = page.locator(".items tbody th").all_inner_texts()
    return [re.sub(r".*the (\w+)\?.*", r"\1", text, flags=re.DOTALL) for text in texts]


def is_too_wide(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return wide


def test_item_is_found_and_opened(open_page: OpenPage, slug: str, admin: Person) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/items/")
    expect(page.locator("#number-found")).to_have_text("4 items")
    assert questions(page) == ["glacier", "octopus", "treaty", "volcano"]
    found = violations(page)

    # by words: / goes to the search
    page.keyboard.press("/")
    page.keyboard.type("volcano OR octopus")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("#number-found")).to_have_text("2 of 4 items")
    assert questions(page) == ["octopus", "volcano"]

    # a filter, and the chip that takes it away
    page.keyboard.press("f")
    page.get_by_label("System", exact=True).select_option("larch")
    found += violations(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Show these items").click()
    expect(page.get_by_text("No items match.")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("link", name="System: larch").click()
    assert questions(page) == ["octopus", "volcano"]

    # sorted by the question, and kept as a view
    with page.expect_navigation():
        page.get_by_role("link", name="Question", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Question")
    with page.expect_navigation():
        page.get_by_role("link", name="Question", exact=True).click()
    assert questions(page) == ["volcano", "octopus"]
    page.get_by_text("Save this view").click()
    page.get_by_label("Name of the view").fill("Nature")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="Nature")).to_have_attribute("aria-current", "page")

    # opened by keys, on along the list, and back to the line
    page.keyboard.press("j")
    with page.expect_navigation():
        page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text("What is told of the volcano?")
    expect(page.locator(".history li")).to_contain_text(["Imported"])
    found += violations(page)
    with page.expect_navigation():
        page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_have_text("What is told of the octopus?")
    with page.expect_navigation():
        page.keyboard.press("u")
    assert questions(page) == ["volcano", "octopus"]
    expect(page.locator(".items a:focus")).to_have_text("What is told of the octopus?")
    assert found == []


def test_many_items_are_dismissed_and_taken_back(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/items/%3Fq%3Doctopus+OR+treaty")
    expect(page.get_by_role("button", name="Dismiss")).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#number-chosen")).to_have_text("1 selected")
    page.keyboard.press("a")
    expect(page.locator("#number-chosen")).to_have_text("2 selected")
    found = violations(page)

    # nothing is done before it was looked at
    with page.expect_navigation():
        page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(page.locator(".would")).to_contain_text("2 items get no more ratings")
    found += violations(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Dismiss: 2 items").click()
    expect(page.locator(".done")).to_contain_text("2 items get no more ratings")
    expect(page.locator(".items .state.dismissed")).to_have_count(2)
    assert questions(page) == ["octopus", "treaty"]
    found += violations(page)

    # undone in the place that one has come back to
    with page.expect_navigation():
        page.locator(".done").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 items have been restored.")).to_be_visible()
    expect(page.locator(".items .state.dismissed")).to_have_count(0)
    assert questions(page) == ["octopus", "treaty"]
    with page.expect_navigation():
        page.get_by_role("link", name="Earlier acts").click()
    expect(page.get_by_role("article")).to_contain_text("2 items get no more ratings")
    assert found + violations(page) == []


def test_items_are_chosen_on_several_pages(open_page: OpenPage, tomahto: Tomahto) -> None:
    slug = f"data-{uuid.uuid4().hex[:8]}"
    tomahto.campaign(slug, items=[item(n) for n in range(1, 102)], rater=f"pine-{slug}")
    page = open_page(tomahto.person(f"oak-{slug}", slug, "admin"), f"/login/?next=/c/{slug}/items/")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("n")
    expect(page.locator("#number-chosen")).to_have_text("1 selected")
    page.keyboard.press("a")
    expect(page.locator("#number-chosen")).to_have_text("2 selected")
    with page.expect_navigation():
        page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(page.locator(".would")).to_contain_text("2 items get no more ratings")
    with page.expect_navigation():
        page.get_by_role("link", name="Cancel").click()
    expect(page.locator("#number-chosen")).to_have_text("2 selected")
    page.get_by_role("button", name="Clear the selection").click()
    with page.expect_navigation():
        page.keyboard.press("p")
    expect(page.locator("#number-chosen")).to_have_text("None selected")


def test_list_is_taken_away_as_a_file(open_page: OpenPage, slug: str, admin: Person) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/items/%3Fq%3Dtreaty")
    page.get_by_text("Download", exact=True).click()
    with page.expect_download() as begun:
        page.get_by_role("link", name="JSONL").click()
    lines = begun.value.path().read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["question"] for line in lines] == ["What is told of the treaty?"]
    expect(page.locator("#call")).to_contain_text(f"/api/v1/campaigns/{slug}/items?q=treaty")


def test_data_without_javascript_on_a_telephone(
    open_page: OpenPage, slug: str, admin: Person
) -> None:
    plain = {"java_script_enabled": False, "viewport": NARROW}
    page = open_page(admin, f"/login/?next=/c/{slug}/items/", **plain)
    page.get_by_label("Search in questions").fill("octopus OR treaty")
    with page.expect_navigation():
        page.get_by_role("button", name="Search").click()
    assert questions(page) == ["octopus", "treaty"]
    with page.expect_navigation():
        page.get_by_role("link", name=re.compile("treaty")).click()
    page.get_by_role("link", name="Previous").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What is told of the octopus?")


def test_data_fits_a_telephone(open_page: OpenPage, slug: str, admin: Person) -> None:
    page = open_page(admin, f"/login/?next=/c/{slug}/items/", viewport=NARROW)
    wide = [is_too_wide(page)]
    page.locator(".filters-panel summary").click()
    wide.append(is_too_wide(page))
    found = violations(page)
    with page.expect_navigation():
        page.get_by_role("link", name=re.compile("octopus")).click()
    wide.append(is_too_wide(page))
    assert (wide, found + violations(page)) == ([False, False, False], [])


def test_items_are_assigned_on_a_telephone(open_page: OpenPage, slug: str, admin: Person) -> None:
    page = open_page(
        admin, f"/login/?next=/c/{slug}/items/%3Fq%3Dtreaty", viewport=NARROW, color_scheme="dark"
    )
    page.get_by_label("The only item of the list").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Assign to people", exact=True).click()
    page.get_by_label(f"pine-{slug}").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Show a preview").click()
    expect(page.locator(".would")).to_contain_text("1 item is next for 1 rater")
    found, wide = violations(page), [is_too_wide(page)]
    with page.expect_navigation():
        page.get_by_role("button", name="Assign to people: 1 item").click()
    with page.expect_navigation():
        page.get_by_role("link", name=re.compile("treaty")).click()
    expect(page.locator(".item-facts")).to_contain_text(f"pine-{slug}")
    wide.append(is_too_wide(page))
    assert (wide, found + violations(page)) == ([False, False], [])
