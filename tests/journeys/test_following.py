"""The next item is there at once, and nothing is lost or doubled by that."""

import re
import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item

pytestmark = pytest.mark.browser

SUBMISSION = re.compile(r"/rate/\d+/$")


@pytest.fixture
def slug() -> str:
    return f"brooks-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    """A rater in a campaign of four items."""
    items = [item(number) for number in range(1, 5)]
    return tomahto.campaign(slug, items=items, rater=f"alder-{slug}")


def question_on(page: Page) -> str:
    return page.locator("#item-question").inner_text()


def open_with_following(open_page: OpenPage, person: Person, slug: str) -> Page:
    """The rating page once it has the next item."""
    page = open_page(None, f"/login/?next=/c/{slug}/rate/")
    with page.expect_response(re.compile("/following/$")) as response:
        page.get_by_label(re.compile("Username")).fill(person.username)
        page.get_by_label(re.compile("Password")).fill(person.password)
        page.get_by_role("button", name="Log in").click()
    response.value.finished()
    return page


def hold_back(page: Page) -> Callable[[], Route]:
    """Let the next submission wait; gives a function that returns it."""
    waiting: list[Route] = []
    page.route(SUBMISSION, lambda route: waiting.append(route), times=1)
    return waiting.pop


def test_next_item_is_shown_before_the_server_has_answered(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    first = question_on(page)
    release = hold_back(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)
    expect(page.locator("#stored")).to_have_text("Saving…")
    assert tomahto.ratings(slug) == []
    release().continue_()
    expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")
    expect(page.locator("#announcement")).to_have_text("Rating stored. Next item.")
    expect(page.locator("#mine")).to_have_text("1 rated by you")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [{"q1": "yes"}]


def test_second_submission_waits_for_the_first(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    release = hold_back(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_have_text("Saving…")
    second = question_on(page)
    for key in ("n", "y", "Enter", "Enter"):
        page.keyboard.press(key)
    assert question_on(page) == second
    release().continue_()
    expect(page.locator("#stored")).to_contain_text("Stored: Equivalent")
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [
        {"q1": "yes"},
        {"q1": "no", "q2": "yes"},
    ]


@pytest.mark.parametrize("fault", ["no connection", "error of the server"])
def test_failed_submission_comes_back_with_everything(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person, fault: str
) -> None:
    page = open_with_following(open_page, rater, slug)
    first = question_on(page)
    release = hold_back(page)
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("a second thought")
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)
    second = question_on(page)
    page.keyboard.press("n")
    if fault == "no connection":
        release().abort()
        expect(page.locator(".trouble")).to_contain_text("could not be reached")
    else:
        release().fulfill(status=500, body="")
        expect(page.locator(".trouble")).to_contain_text("The server could not process this")
    assert question_on(page) == first
    expect(page.locator("textarea[name=comment]")).to_have_value("a second thought")
    expect(page.locator("fieldset.answered .given b")).to_have_text("No")
    expect(page.locator("input[name=q2][value=yes]")).to_be_checked()
    assert tomahto.ratings(slug) == []
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Equivalent")
    # what had been begun on the next item is still there
    assert question_on(page) == second
    expect(page.locator("input[name=q1][value=no]")).to_be_checked()
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#mine")).to_have_text("2 rated by you")
    stored = tomahto.ratings(slug)
    assert [(rating["answers"], rating["comment"]) for rating in stored] == [
        ({"q1": "no", "q2": "yes"}, "a second thought"),
        ({"q1": "no", "q2": "yes"}, ""),
    ]
    assert len({rating["item"] for rating in stored}) == 2


def test_item_that_went_to_somebody_else_is_replaced(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    tomahto.site.python(
        "from tasks.models import Slot\n"
        f"held = Slot.objects.filter(campaign__slug={slug!r}).exclude(holder=None)\n"
        "shown = held.order_by('holder').last()\n"
        "Slot.objects.filter(item=shown.item).update(holder=None, expires_at=None, is_filled=True)"
    )
    first = question_on(page)
    release = hold_back(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)
    gone = question_on(page)
    release().continue_()
    expect(page.locator("#item-question")).not_to_have_text(gone)
    assert question_on(page) != first
    expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")


def test_leaving_at_once_loses_no_rating(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    page.goto("/")
    # the rating travels beside the next page: ask until it has arrived
    for _attempt in range(20):
        page.goto(f"/c/{slug}/history/")
        if page.get_by_role("row").count() > 1:
            break
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [{"q1": "yes"}]


def test_two_tabs_with_the_same_items_rate_each_once(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    first = open_with_following(open_page, rater, slug)
    second = first.context.new_page()
    with second.expect_response(re.compile("/following/$")):
        second.goto(f"/c/{slug}/rate/")
    assert question_on(second) == question_on(first)
    for page in (first, second):
        page.keyboard.press("y")
        page.keyboard.press("Enter")
        expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")
    stored = tomahto.ratings(slug)
    assert [(rating["item"] == stored[0]["item"], rating["is_revision"]) for rating in stored] == [
        (True, False),
        (True, True),
    ]
    assert question_on(second) == question_on(first)


def test_browsers_back_button_keeps_what_was_rated(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")
    second = question_on(page)
    page.goto(f"/c/{slug}/guidelines/")
    page.go_back()
    expect(page.locator("#item-question")).to_have_text(second)
    assert len(tomahto.ratings(slug)) == 1


def test_rater_who_has_to_consent_first_is_led_there_after_the_rating(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_with_following(open_page, rater, slug)
    tomahto.site.python(
        "from tasks.models import Campaign\n"
        "from tasks.people.workflow.members import publish_consent_text\n"
        f"campaign = Campaign.objects.get(slug={slug!r})\n"
        "publish_consent_text(campaign=campaign, text='You are rating for science.')"
    )
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are rating for science.")).to_be_visible()
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [{"q1": "yes"}]
