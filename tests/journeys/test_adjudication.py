"""From the queue to decided items: by keyboard alone, without JavaScript, on a phone; checked for
accessibility on the way."""

import json
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

REASON = "The hills are named, and nothing else is asked for."
_FILL = """
import json
from tomahto.interchange.reading.records import RatingRow, Source
from tasks.models import Campaign, Flag, Suggestion
from tasks.intake.workflow.ratings import import_ratings
campaign = Campaign.objects.get(slug={slug!r})
import_ratings(campaign=campaign, rows=[
    RatingRow(Source("x", 1), None, f"item-{{n}}", rater, None, answers, comment="a close call")
    for n in (1, 2)
    for rater, answers in (("ann", dict(q1="yes")), ("ben", dict(q1="no", q2="yes")))
])
first, second = campaign.items.order_by("key")
Flag.objects.create(
    item=first, rater=campaign.memberships.get(name={rater!r}), reason="The passage stops short."
)
Suggestion.objects.create(
    item=first, matcher="feather", version="1", score=0.25, is_correct=False,
    explanation=dict(statement="It rises far from the sea."),
)
print(json.dumps([member.pseudonym for member in campaign.memberships.filter(user=None)]))
"""


@pytest.fixture
def slug() -> str:
    return f"fords-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def pseudonyms(tomahto: Tomahto, slug: str) -> list[str]:
    """Two items with a tie each, the first flagged and worth more; who has voted on them."""
    items = [item(1, systems=["juniper", "larch"]), item(2)]
    rater = tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    printed = tomahto.site.python(_FILL.format(slug=slug, rater=rater.username))
    found: list[str] = json.loads(printed.splitlines()[-1])
    return found


@pytest.fixture
def oak(tomahto: Tomahto, slug: str, pseudonyms: list[str]) -> Person:
    return tomahto.person(f"oak-{slug}", slug, "researcher")


def decisions(tomahto: Tomahto, slug: str) -> list[Any]:
    printed = tomahto.site.python(
        "import json\nfrom tasks.models import Adjudication\n"
        f"found = Adjudication.objects.filter(item__campaign__slug={slug!r}).order_by('id')\n"
        "print(json.dumps([(a.item.key, a.outcome_id, a.first_outcome_id, a.reason,"
        " a.item.flags.filter(settled_at=None).count()) for a in found]))"
    )
    found: list[Any] = json.loads(printed.splitlines()[-1])
    return found


def go_on(page: Page, key: str = "Enter") -> None:
    """A key, and wait for the page it leads to: one pressed on the way would be lost."""
    with page.expect_navigation():
        page.keyboard.press(key)


def test_items_are_decided_by_keyboard_alone(
    tomahto: Tomahto, open_page: OpenPage, slug: str, oak: Person, pseudonyms: list[str]
) -> None:
    page = open_page(oak, f"/c/{slug}/adjudicate/")
    page.get_by_role("link", name="Decide the next item").focus()
    go_on(page)
    expect(page.get_by_role("heading", name="Where does river 1 rise?")).to_be_visible()
    assert not any(name in page.content() for name in (*pseudonyms, "a close call", "stops short"))
    for key in "ny":
        page.keyboard.press(key)
    go_on(page)
    for name in (*pseudonyms, "The passage stops short.", "It rises far from the sea."):
        expect(page.get_by_text(name)).to_be_visible()
    expect(page.get_by_text("a close call")).to_have_count(2)
    # the first look is there already: what is missing is the reason
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type(REASON)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    go_on(page)
    expect(page.get_by_text("Decided: Equivalent")).to_be_visible()
    expect(page.get_by_role("heading", name="Where does river 2 rise?")).to_be_visible()
    page.keyboard.press("y")
    go_on(page)
    page.keyboard.press("c")
    page.keyboard.type("It says where, not whence.")
    go_on(page, "Control+Enter")
    expect(page.get_by_text("Nothing left for you to decide.")).to_be_visible()
    assert decisions(tomahto, slug) == [
        ["item-1", "ae:q1=no,q2=yes", "ae:q1=no,q2=yes", REASON, 0],
        ["item-2", "ae:q1=yes", "ae:q1=yes", "It says where, not whence.", 0],
    ]


def test_item_is_left_for_somebody_else_by_keyboard(
    open_page: OpenPage, slug: str, oak: Person
) -> None:
    page = open_page(oak, f"/c/{slug}/adjudicate/next/")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Pass on")).to_be_focused()
    go_on(page)
    expect(page.get_by_text("You have passed the item on.")).to_be_visible()
    expect(page.get_by_role("heading", name="Where does river 2 rise?")).to_be_visible()


def test_item_is_decided_without_javascript(
    tomahto: Tomahto, open_page: OpenPage, slug: str, oak: Person
) -> None:
    page = open_page(oak, f"/c/{slug}/adjudicate/", java_script_enabled=False)
    page.get_by_role("link", name="Decide the next item").click()

    def answer(choice: str, button: str) -> None:
        page.locator("fieldset.asked").get_by_role("radio", name=choice).check(force=True)
        page.get_by_role("button", name=button).click()

    answer("No", "Continue")
    answer("Yes", "Continue")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("The passage stops short.")).to_be_visible()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Give a short reason.")).to_be_visible()
    page.get_by_label("Reason").fill(REASON)
    # back to the first question, and on to another answer
    page.get_by_role("button", name="Back").click()
    answer("Yes", "Continue")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Decided: Not equivalent")).to_be_visible()
    assert decisions(tomahto, slug) == [["item-1", "ae:q1=yes", "ae:q1=no,q2=yes", REASON, 1]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("is_narrow", [False, True])
def test_adjudication_violates_nothing_and_fits(
    open_page: OpenPage, slug: str, oak: Person, theme: str, is_narrow: bool
) -> None:
    options = {"viewport": NARROW} if is_narrow else {}
    page = open_page(oak, f"/c/{slug}/adjudicate/", color_scheme=theme, **options)
    found, widths = [], []

    def check() -> None:
        found.extend(violations(page))
        widths.append(page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    check()
    page.goto(f"/c/{slug}/adjudicate/next/")
    page.locator("details.skip summary").click()
    check()
    page.keyboard.press("y")
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    check()
    page.keyboard.press("?")
    check()
    page.keyboard.press("Escape")
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Give a short reason.")).to_be_visible()
    check()
    page.get_by_label("Reason").fill(REASON)
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    for address in ("adjudicate/decided/", "adjudicate/", "adjudicate/?show=unfinished"):
        page.goto(f"/c/{slug}/{address}")
        check()
    assert found == []
    assert max(widths) <= 0
