"""With "suggestion after the answer": the suggestion stands with the item it judges, and one key
leads on to the next."""

import re
import uuid

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations
from tests.journeys.hands import Hands, Keyboard, Touch, WithoutScript

pytestmark = pytest.mark.browser

SUGGEST = """
from tasks.models import Campaign, Suggestion
from tasks.campaigns.workflow.campaign import change_settings
campaign = Campaign.objects.get(slug={slug!r})
change_settings(campaign=campaign, changes=dict(suggestions="after", item_order="oldest"))
Suggestion.objects.bulk_create(
    Suggestion(item=item, matcher="feather", version="1", score=0.8125, is_correct=True)
    for item in campaign.items.all()
)
"""
VIEWS = """
from tasks.models import SuggestionView
found = SuggestionView.objects.filter(suggestion__item__campaign__slug={slug!r})
print([(view.arm, view.length.ending) for view in found.order_by("id")])
"""


@pytest.fixture
def slug() -> str:
    return f"springs-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    rater = tomahto.campaign(slug, items=[item(n) for n in (1, 2)], rater=f"ash-{slug}")
    tomahto.site.python(SUGGEST.format(slug=slug))
    return rater


def views(tomahto: Tomahto, slug: str) -> str:
    return tomahto.site.python(VIEWS.format(slug=slug)).strip()


def hands_on(open_page: OpenPage, rater: Person, slug: str, kind: type) -> tuple[Page, Hands]:
    options: dict[type, dict[str, object]] = {
        Keyboard: {},
        WithoutScript: {"java_script_enabled": False},
        Touch: {"has_touch": True, "viewport": NARROW},
    }
    page = open_page(rater, f"/c/{slug}/rate/", **options[kind])
    return page, kind(page)


def expect_suggestion(page: Page, number: int, label: str) -> None:
    """For this item, and nothing of the other."""
    expect(page.locator("#go-on")).to_be_visible()
    expect(page.locator("#item-question")).to_have_text(f"Where does river {number} rise?")
    expect(page.locator(".opinions > div").nth(0)).to_have_text(re.compile(rf"You:\s*{label}"))
    expect(page.locator(".opinions > div").nth(1)).to_have_text(
        re.compile(r"Matcher:\s*Equivalent\s*feather, score 0.81")
    )
    expect(page.locator("#rating")).to_have_count(0)
    expect(page.get_by_text(f"river {3 - number}")).to_have_count(0)


def go_on(page: Page, kind: type) -> None:
    button = page.get_by_role("button", name="Continue")
    if kind is Keyboard:
        page.keyboard.press("Enter")
    elif kind is WithoutScript:
        button.click()
    else:
        # a tap that comes with what it is on belongs to what was there before
        came = page.evaluate("performance.now()")
        page.wait_for_function("came => performance.now() - came > 500", arg=came)
        button.tap()


@pytest.mark.parametrize("kind", [Keyboard, WithoutScript, Touch])
def test_rater_sees_each_suggestion_with_its_item_and_goes_on_by_one_key(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person, kind: type
) -> None:
    page, hands = hands_on(open_page, rater, slug, kind)
    hands.answer({"q1": "yes"})
    expect_suggestion(page, 1, "Not equivalent")
    page.reload()
    expect_suggestion(page, 1, "Not equivalent")
    go_on(page, kind)
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")
    expect(page.get_by_text("score 0.81")).to_have_count(0)
    hands.answer({"q1": "no", "q2": "yes"})
    expect_suggestion(page, 2, "Equivalent")
    go_on(page, kind)
    expect(page.get_by_role("heading", level=1)).to_have_text("No items are left for you")
    assert views(tomahto, slug) == "[('after', 'closed'), ('after', 'closed')]"


def test_the_suggestion_is_said_and_the_next_item_was_fetched_ahead(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    with_next = re.compile("/following/$")
    page = open_page(rater, f"/c/{slug}/rate/")
    with page.expect_response(with_next):
        page.reload()
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_suggestion(page, 1, "Not equivalent")
    expect(page.locator("#announcement")).to_have_text(
        "Rating stored. Look at the suggestion, then continue."
    )
    expect(page.locator("#item-question")).to_be_focused()
    expect(page.locator("#mine")).to_have_text("1 rated by you")
    waiting: list[Route] = []
    page.route(re.compile("/go-on/$"), lambda route: waiting.append(route), times=1)
    page.keyboard.press("Enter")
    # shown before the server has answered, and it stays once it has
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")
    waiting.pop().continue_()
    expect(page.locator("#announcement")).to_have_text("Rating stored. Next item.")
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")


def test_going_on_that_fails_brings_the_suggestion_back(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_suggestion(page, 1, "Not equivalent")
    page.route(re.compile("/go-on/$"), lambda route: route.abort(), times=1)
    page.keyboard.press("Enter")
    expect(page.locator(".trouble")).to_contain_text("could not be reached. Nothing is lost")
    expect_suggestion(page, 1, "Not equivalent")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")
    assert len(tomahto.ratings(slug)) == 1


def test_back_revises_and_the_revision_was_made_with_the_suggestion_in_view(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_suggestion(page, 1, "Not equivalent")
    with page.expect_navigation():
        page.keyboard.press("b")
    expect(page.get_by_text("You rated this item")).to_be_visible()
    for key in ("n", "y", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")
    assert [rating["is_revision"] for rating in tomahto.ratings(slug)] == [False, True]
    assert views(tomahto, slug) == "[('after', 'closed')]"


def test_enter_goes_on_also_while_the_passage_is_open(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_suggestion(page, 1, "Not equivalent")
    for _opened_folded_and_opened in range(3):
        page.keyboard.press("p")
    expect(page.locator("#whole-passage .passage")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).to_have_text("Where does river 2 rise?")


LINES = """
(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}
"""


def test_no_word_is_broken_on_a_phone_and_the_bar_is_one_row(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    rater = tomahto.campaign(slug, items=[item(1)], rater=f"ash-{slug}", protocol="cap")
    tomahto.site.python(SUGGEST.format(slug=slug))
    page = open_page(rater, f"/c/{slug}/rate/", viewport=NARROW, has_touch=True, is_mobile=True)
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    matcher = page.locator(".opinions > div").nth(1).locator("dd").nth(0)
    expect(matcher).to_have_text("acceptable")
    assert matcher.evaluate(LINES) == 1
    bar = [page.locator(part).bounding_box() for part in ("#mine", ".rate-tools")]
    tops_and_ends = [(box["y"], box["y"] + box["height"]) for box in bar if box]
    assert tops_and_ends[1][0] < tops_and_ends[0][1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_suggestion_has_no_violations_and_fits(
    open_page: OpenPage, slug: str, rater: Person, scheme: str
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", color_scheme=scheme, viewport=NARROW)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect_suggestion(page, 1, "Not equivalent")
    assert violations(page) == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"]
