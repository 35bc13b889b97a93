"""Rating in a real browser, and what can go wrong; test_whole_way.py goes the whole way."""

import re
import uuid

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sign_in
from tests.journeys.hands import WithoutScript

pytestmark = pytest.mark.browser


@pytest.fixture
def slug() -> str:
    return f"rivers-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    """A rater in a campaign of three items."""
    items = [item(number) for number in range(1, 4)]
    return tomahto.campaign(slug, items=items, rater=f"pine-{slug}")


def expect_asked(page: Page, words: str) -> None:
    expect(page.locator("fieldset.asked .wording")).to_contain_text(words)


def answer_on(page: Page, title: str) -> Locator:
    return page.locator("fieldset.asked").get_by_role("radio", name=title)


def expect_stored(page: Page, label: str) -> None:
    expect(page.locator(".stored")).to_contain_text(f"Stored: {label}")


def question_on(page: Page) -> str:
    return page.locator("#item-question").inner_text()


@pytest.mark.representative("a rating journey")
def test_rater_works_by_keyboard_alone(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    expect_asked(page, "completely different answer")
    assert page.locator("fieldset:visible").count() == 1
    page.keyboard.press("n")
    expect_asked(page, "convey at least the same information")
    assert page.evaluate("document.activeElement.dataset.question") == "q2"
    page.keyboard.press("n")
    page.keyboard.press("y")
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("yes and no, by key")
    page.keyboard.press("Escape")
    first = question_on(page)
    page.keyboard.press("Enter")
    expect_stored(page, "Not equivalent")
    expect(page.locator("#announcement")).to_have_text("Rating stored. Next item.")
    assert page.evaluate("document.activeElement.id") == "item-question"
    assert question_on(page) != first
    page.keyboard.press("n")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_stored(page, "Equivalent")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("No items are left for you")
    stored = tomahto.ratings(slug)
    assert [rating["answers"] for rating in stored] == [
        {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"},
        {"q1": "no", "q2": "yes"},
        {"q1": "yes"},
    ]
    assert [rating["comment"] for rating in stored] == ["yes and no, by key", "", ""]
    assert all(rating["seconds"] > 0 for rating in stored)


def test_back_reopens_the_question_before_and_closes_what_followed(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    for key in "nnyn":
        page.keyboard.press(key)
    for _step in range(3):
        page.keyboard.press("b")
    expect_asked(page, "completely different answer")
    page.keyboard.press("y")
    assert page.locator("fieldset:visible").count() == 1
    page.keyboard.press("Enter")
    expect_stored(page, "Not equivalent")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [{"q1": "yes"}]


def test_arrow_keys_choose_and_only_enter_goes_on(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.locator("input[name=q1]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("input[name=q1][value=no]")).to_be_checked()
    expect_asked(page, "completely different answer")
    page.keyboard.press("Enter")
    expect_asked(page, "convey at least the same information")


def test_flag_leaves_the_form_as_it_is(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("n")
    page.keyboard.press("f")
    page.keyboard.type("The passage stops short.")
    page.keyboard.press("Enter")
    expect(page.locator("#announcement")).to_contain_text("Flagged.")
    expect(page.locator("input[name=asked]")).to_have_value("q2")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_stored(page, "Equivalent")


def test_draft_is_there_after_a_reload(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("half a thought")
    expect(page.locator(".saved")).to_have_text("Draft saved")
    page.reload()
    expect_asked(page, "convey at least the same information")
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("half a thought")


def test_draft_is_saved_when_the_page_is_left_at_once(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("n")
    page.goto("/")
    # the draft travels beside the next page: ask until it has arrived
    for _attempt in range(20):
        page.goto(f"/c/{slug}/rate/")
        if page.locator("input[name=asked]").input_value() == "q2":
            break
    expect_asked(page, "convey at least the same information")


def test_double_click_stores_one_rating(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    page.get_by_role("button", name="Submit").dblclick()
    expect_stored(page, "Not equivalent")
    assert len(tomahto.ratings(slug)) == 1


def test_lost_answer_of_the_server_does_not_double_a_rating(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    address = re.compile(r"/rate/\d+/$")

    def store_but_lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(address, store_but_lose)
    page.keyboard.press("Enter")
    expect(page.get_by_text("The server could not be reached.")).to_be_visible()
    assert len(tomahto.ratings(slug)) == 1
    page.unroute(address)
    page.keyboard.press("Enter")
    expect_stored(page, "Not equivalent")
    assert len(tomahto.ratings(slug)) == 1


def test_second_tab_revises_what_the_first_has_stored(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    tab = page.context.new_page()
    tab.goto(f"/c/{slug}/rate/")
    assert question_on(tab) == question_on(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_stored(page, "Not equivalent")
    tab.keyboard.press("n")
    tab.keyboard.press("y")
    tab.keyboard.press("Enter")
    expect_stored(tab, "Equivalent")
    first, second = tomahto.ratings(slug)
    assert first["item"] == second["item"]
    assert (first["answers"], first["is_revision"]) == ({"q1": "yes"}, False)
    assert (second["answers"], second["is_revision"]) == ({"q1": "no", "q2": "yes"}, True)


def test_back_button_after_a_rating_doubles_nothing(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", java_script_enabled=False)

    hands = WithoutScript(page)
    hands.answer({"q1": "yes"})
    expect_stored(page, "Not equivalent")
    page.go_back()
    hands.answer({"q1": "yes"})
    expect_stored(page, "Not equivalent")
    stored = tomahto.ratings(slug)
    originals = [rating["item"] for rating in stored if not rating["is_revision"]]
    assert len(originals) == len(set(originals))
    assert {rating["item"] for rating in stored} == set(originals)


def test_draft_waits_for_its_rater_and_for_nobody_else(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("half a thought")
    page.keyboard.press("Escape")
    expect(page.locator(".saved")).to_have_text("Draft saved")

    def sign_in_elsewhere(person: Person) -> Page:
        """In another tab of the same browser, after the session has ended."""
        page.context.clear_cookies(name="sessionid")
        tab = page.context.new_page()
        tab.goto(f"/c/{slug}/rate/")
        sign_in(tab, person)
        return tab

    other = sign_in_elsewhere(tomahto.person(f"oak-{slug}", slug))
    expect_asked(other, "completely different answer")
    expect(other.locator("textarea[name=comment]")).to_have_value("")
    # the form that the first rater left open is no form of the second's
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator(".trouble")).to_contain_text("Somebody else is signed in now.")
    assert tomahto.ratings(slug) == []
    again = sign_in_elsewhere(rater)
    expect_asked(again, "convey at least the same information")
    expect(again.locator("textarea[name=comment]")).to_have_value("half a thought")


def test_shortcuts_can_be_switched_off_for_good(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("n")
    expect_asked(page, "completely different answer")
    expect(page.locator("input[name=q1]:checked")).to_have_count(0)
    answer_on(page, "No").click()
    expect_asked(page, "convey at least the same information")


def test_keys_do_nothing_while_one_types(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("c")
    page.keyboard.type("nny")
    expect(page.get_by_role("textbox", name="Comment")).to_have_value("nny")
    expect_asked(page, "completely different answer")


def test_guidelines_are_one_key_away(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=NARROW)
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog", name="Guidelines, version 1")
    expect(dialog).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("g")
    expect(dialog).not_to_be_visible()
    expect_asked(page, "completely different answer")


def test_new_guidelines_are_shown_before_a_rating_counts(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    tomahto.site.python(
        "from tasks.models import Campaign\n"
        "from tasks.campaigns.workflow.campaign import publish_guideline\n"
        f"publish_guideline(campaign=Campaign.objects.get(slug={slug!r}), text='Mind the mouth.')"
    )
    page.keyboard.press("Enter")
    expect(page.locator(".trouble")).to_contain_text("The guidelines changed")
    page.keyboard.press("g")
    expect(page.get_by_role("dialog", name="Guidelines, version 2")).to_contain_text(
        "Mind the mouth."
    )
    page.keyboard.press("Escape")
    assert tomahto.ratings(slug) == []
    page.keyboard.press("Enter")
    expect_stored(page, "Not equivalent")
    assert len(tomahto.ratings(slug)) == 1


def test_several_answers_wait_to_be_confirmed(tomahto: Tomahto, open_page: OpenPage) -> None:
    slug = f"rules-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1)], rater=f"elm-{slug}", protocol="rules")
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    for key in "513":
        page.keyboard.press(key)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("No items are left for you")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [
        {"label": "correct", "rules": "aliasing+semantic"}
    ]


def test_rules_are_offered_with_the_labels_they_go_with(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    slug = f"rules-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1)], rater=f"elm-{slug}", protocol="rules")
    page = open_page(rater, f"/c/{slug}/rate/")
    asked = page.locator("fieldset.asked label")
    page.keyboard.press("n")
    expect(asked.filter(has_text="Irrelevant")).to_be_visible()
    expect(asked.filter(has_text="Other possible answers")).to_be_hidden()
    page.keyboard.press("6")
    page.keyboard.press("7")
    page.keyboard.press("b")
    page.keyboard.press("y")
    expect(asked.filter(has_text="Irrelevant")).to_be_hidden()
    expect(asked.filter(has_text="Other possible answers")).to_be_visible()
    page.keyboard.press("6")
    page.keyboard.press("7")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("No items are left for you")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [
        {"label": "correct", "rules": "other-answers"}
    ]
