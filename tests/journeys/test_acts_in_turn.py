"""Acts of a rater while an earlier one is still on its way to a slow server."""

import json
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item

pytestmark = pytest.mark.browser

# holds back what the server is sent until `release()`, and notes every act with its status
_SLOW = """
window.acts = [];
const send = window.fetch;
let release;
const gate = new Promise((open) => { release = open; });
window.release = release;
window.fetch = async (address, options = {}) => {
  const fields = options.body instanceof FormData ? options.body : new FormData();
  const act = fields.get("action") ?? (fields.has("reason") ? "flag" : "");
  if (act === "submit") await gate;
  const answer = await send(address, options);
  if (act) window.acts.push(`${act} ${answer.status}`);
  return answer;
};
"""


@pytest.fixture
def slug() -> str:
    return f"turns-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def page(tomahto: Tomahto, open_page: OpenPage, slug: str) -> Page:
    rater = tomahto.campaign(slug, items=[item(1), item(2), item(3)], rater=f"elm-{slug}")
    page = open_page(rater, f"/c/{slug}/rate/")
    page.wait_for_load_state("networkidle")  # the item after this one is here
    return page


def question(page: Page) -> str:
    return page.locator("#item-question").inner_text()


def submit_slowly(page: Page) -> str:
    """The first item is on its way to the server, and the next one on the desk: its question."""
    page.evaluate(_SLOW)
    first = question(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)
    return question(page)


def acts(page: Page, number: int) -> list[str]:
    page.wait_for_function("number => window.acts.length >= number", arg=number)
    done: list[str] = page.evaluate("window.acts")
    return done


def flags(tomahto: Tomahto, slug: str) -> list[list[str]]:
    """Question and reason of each flag."""
    code = (
        "import json\nfrom tasks.models import Flag\n"
        f"found = Flag.objects.filter(item__campaign__slug={slug!r}).order_by('id')\n"
        "print(json.dumps([[f.item.question.text, f.reason] for f in found]))"
    )
    stored: list[list[str]] = json.loads(tomahto.site.python(code))
    return stored


def test_flag_and_skip_that_wait_are_sent_one_after_the_other(
    tomahto: Tomahto, page: Page, slug: str
) -> None:
    second = submit_slowly(page)
    page.keyboard.press("f")
    page.keyboard.type("The second is odd.")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.keyboard.press("1")
    page.evaluate("release()")
    assert acts(page, 3) == ["submit 200", "flag 200", "skip 200"]
    expect(page.locator("#item-question")).not_to_have_text(second)
    assert flags(tomahto, slug) == [[second, "The second is odd."]]
    # the panel is that of the item on the desk, and says nothing of the one before
    expect(page.locator("#flag .raised")).to_have_count(0)


def test_skip_and_submission_that_wait_are_not_both_sent(page: Page) -> None:
    second = submit_slowly(page)
    page.keyboard.press("s")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    page.evaluate("release()")
    expect(page.locator("#item-question")).not_to_have_text(second)
    assert acts(page, 2) == ["submit 200", "skip 200"]


def test_flag_on_an_item_that_is_being_stored_reaches_the_admins(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    rater = tomahto.campaign(slug, items=[item(1), item(2)], rater=f"elm-{slug}")
    page = open_page(rater, "/")
    page.route("**/following/", lambda route: route.abort())  # the next one comes with the answer
    page.goto(f"/c/{slug}/rate/")
    page.evaluate(_SLOW)
    first = question(page)
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    page.keyboard.press("f")
    page.keyboard.type("The first is odd.")
    page.keyboard.press("Enter")
    page.evaluate("release()")
    assert acts(page, 2) == ["submit 200", "flag 200"]
    expect(page.locator("#announcement")).to_contain_text("Flagged.")
    assert flags(tomahto, slug) == [[first, "The first is odd."]]


def test_typing_after_a_panel_was_opened_by_pointer_goes_into_its_field(page: Page) -> None:
    first = question(page)
    page.locator("details.flag summary").click()
    expect(page.get_by_label("What is wrong with it?")).to_be_focused()
    page.keyboard.type("is 1 sentence")
    expect(page.get_by_label("What is wrong with it?")).to_have_value("is 1 sentence")
    assert question(page) == first


def test_words_are_switched_once_the_draft_is_saved(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    rater: Person = tomahto.campaign(slug, items=[item(1)], rater=f"elm-{slug}")
    tomahto.site.manage("configure_campaign", slug, "--form-languages", "de")
    page = open_page(rater, f"/c/{slug}/rate/", locale="de")
    page.keyboard.press("n")
    page.keyboard.press("c")
    page.keyboard.type("half a thought")
    page.locator('a[href="?words=published"]').click()
    expect(page.locator("input[name=asked]")).to_have_value("q2")
    page.keyboard.press("c")
    expect(page.locator("textarea[name=comment]")).to_have_value("half a thought")
