"""The rater's desk: what is judged never leaves the view, and says why where nothing happens."""

import json
import uuid
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations
from tests.sampling import mostly, sample

pytestmark = pytest.mark.browser

LAPTOP = {"width": 1366, "height": 650}
PHONE = {"width": 360, "height": 640}
PROTOCOLS = ("ae", "cap", "rules", "statement")
_DEMO = """
import json
from pathlib import Path
from tasks.campaigns.workflow.campaign import create_campaign, create_member
from tasks.demo.workflow import load_demo
from tasks.intake.workflow.items import import_items
from tasks.models import Assignment, Campaign, Item, Membership, Role
from tomahto.interchange.campaigns.items import read_items

load_demo(Path("demo"))
path = Path("demo") / "items_cap.jsonl"
for protocol in ("statement", "rules"):
    campaign = create_campaign(slug=f"demo-{protocol}", protocol=protocol, overlap=1)
    import_items(campaign=campaign, rows=read_items(path, format="jsonl"))
desks = {}
for campaign in Campaign.objects.filter(slug__startswith="demo-"):
    Campaign.objects.filter(pk=campaign.pk).update(consent_text=None)
    username = f"desk-{campaign.slug}"
    password, _token = create_member(campaign=campaign, username=username, role=Role.RATER)
    rater = Membership.objects.get(campaign=campaign, user__username=username)
    assignments = Assignment.objects.bulk_create(
        Assignment(item=item, rater=rater, slot=item.slots.first())
        for item in Item.objects.filter(campaign=campaign, slots__number=1)
    )
    desks[campaign.protocol] = [username, password, [held.pk for held in assignments]]
print(json.dumps(desks))
"""
# of every element, whether all of it is seen: inside the window, and nothing in front of it
_IN_VIEW = """
(selector) => [...document.querySelectorAll(selector)].map((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    && (element.contains(seen) || seen?.contains(element));
})
"""


@dataclass(frozen=True)
class Desk:
    """A rater who holds every item of a demo campaign."""

    rater: Person
    assignments: list[int]


@pytest.fixture(scope="module")
def desks(tomahto: Tomahto) -> dict[str, Desk]:
    """By protocol."""
    desks = json.loads(tomahto.site.python(_DEMO).splitlines()[-1])
    return {
        protocol: Desk(Person(username, password), assignments)
        for protocol, (username, password, assignments) in desks.items()
    }


@pytest.fixture
def slug() -> str:
    return f"desk-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def rater(tomahto: Tomahto, slug: str) -> Person:
    """A rater in a campaign of three items."""
    items = [item(number) for number in range(1, 4)]
    return tomahto.campaign(slug, items=items, rater=f"elm-{slug}")


def in_view(page: Page, selector: str) -> list[bool]:
    seen: list[bool] = page.evaluate(_IN_VIEW, selector)
    return seen


def box(page: Page, selector: str) -> dict[str, float] | None:
    return page.locator(selector).first.bounding_box()  # type: ignore[return-value]  # a TypedDict


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_answers_and_first_buttons_are_in_view_for_every_item_of_the_demo(
    open_page: OpenPage, desks: dict[str, Desk], protocol: str
) -> None:
    desk = desks[protocol]
    page = open_page(desk.rater, f"/c/demo-{protocol}/history/", viewport=LAPTOP)
    hidden = []
    for assignment in sample(desk.assignments, 8):
        for size in (LAPTOP, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]  # a TypedDict of these two
            page.goto(f"/c/demo-{protocol}/rate/{assignment}/")
            buttons = in_view(page, "fieldset.asked label:not([hidden])")
            answers = in_view(page, ".pair .answers")
            if not (all(buttons) and buttons and answers == [True]):
                hidden.append((assignment, size["width"], buttons, answers))
            assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    assert hidden == []


def test_buttons_and_answers_stay_while_questions_are_answered(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=LAPTOP)
    places = []
    for key in "nnn":
        places.append([box(page, "fieldset.asked .choices"), box(page, ".pair .answers")])
        page.keyboard.press(key)
    assert places == [places[0]] * 3


def test_answered_question_is_a_chip_that_opens_it_again(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=PHONE)
    page.keyboard.press("n")
    page.get_by_role("button", name="Change the answer to question 1").click()
    expect(page.locator("input[name=asked]")).to_have_value("q1")


def test_long_answers_fold_after_three_lines_and_unfold_by_key(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    long = "The river runs on through fields and woods. " * 12
    person = tomahto.campaign(slug, items=[item(1, candidate=long)], rater=f"elm-{slug}")
    page = open_page(person, f"/c/{slug}/rate/", viewport=LAPTOP)
    candidate = page.locator(".candidate dd span").first
    unfold = page.get_by_role("button", name="Show the whole answers")
    expect(unfold).to_be_visible()
    folded = candidate.evaluate("e => [e.clientHeight < e.scrollHeight, e.clientHeight]")
    assert folded[0]
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Fold the answers")).to_be_visible()
    assert violations(page) == []
    assert candidate.evaluate("e => e.offsetHeight") > folded[1]
    assert all(in_view(page, "fieldset.asked label"))
    page.keyboard.press("a")
    assert candidate.evaluate("e => e.clientHeight") == folded[1]


def test_answers_can_be_unfolded_where_guidelines_leave_too_little_room_for_them(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    candidate = "far from the sea, in a wood that was never measured " * 2
    person = tomahto.campaign(slug, items=[item(1, candidate=candidate)], rater=f"elm-{slug}")
    page = open_page(person, f"/c/{slug}/rate/", viewport=LAPTOP)
    unfold = page.locator("[data-whole-answers]")
    expect(unfold).to_be_hidden()
    page.keyboard.press("g")
    expect(unfold).to_be_visible()
    page.keyboard.press("g")
    expect(unfold).to_be_hidden()


def test_enter_without_an_answer_says_what_is_missing(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    said = page.locator("fieldset.asked .unanswered")
    page.wait_for_timeout(600)  # at once, it is the second press of what was before
    page.keyboard.press("Enter")
    expect(said).to_have_text("Choose an answer to this question first.")
    assert said.get_attribute("role") == "alert"
    assert violations(page) == []
    page.keyboard.press("n")
    expect(said).to_be_empty()
    assert tomahto.ratings(slug) == []


def test_reasons_to_skip_are_given_by_number_and_move_nothing(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=LAPTOP)
    first = page.locator("#item-question").inner_text()
    before = box(page, "fieldset.asked label")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="The text is broken")).to_be_visible()
    assert box(page, "fieldset.asked label") == before
    assert all(in_view(page, ".skip button"))
    assert violations(page) == []
    page.keyboard.press("3")
    expect(page.locator("#item-question")).not_to_have_text(first)
    reasons = tomahto.site.python(
        "from tasks.models import Assignment\n"
        f"skipped = Assignment.objects.filter(item__campaign__slug={slug!r}, state='skipped')\n"
        "print(list(skipped.values_list('skip_reason', flat=True)))"
    )
    assert reasons.strip() == "['The text is broken']"


def test_own_reason_to_skip_is_written_after_its_number(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    first = page.locator("#item-question").inner_text()
    page.keyboard.press("s")
    page.keyboard.press("4")
    page.keyboard.type("I wrote this text.")
    expect(page.get_by_label("Another reason")).to_have_value("I wrote this text.")
    page.keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(first)


def test_digits_choose_no_class_while_a_reason_to_skip_is_asked_for(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    items = [item(number) for number in (1, 2)]
    person = tomahto.campaign(slug, items=items, rater=f"elm-{slug}", protocol="cap")
    page = open_page(person, f"/c/{slug}/rate/")
    chosen = page.locator("input:checked[name=label]")
    page.keyboard.press("s")
    page.keyboard.press("5")
    expect(chosen).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("details.skip")).not_to_have_attribute("open", "")
    page.keyboard.press("5")
    expect(chosen).to_have_value("partial")


def test_guidelines_stand_beside_the_form_where_there_is_room(
    tomahto: Tomahto, open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=LAPTOP)
    page.keyboard.press("g")
    panel = page.get_by_role("dialog", name="Guidelines, version 1")
    expect(panel).to_be_visible()
    assert all(in_view(page, "fieldset.asked label"))
    right = page.locator(".judge").evaluate("e => e.getBoundingClientRect().right")
    assert right <= panel.evaluate("e => e.getBoundingClientRect().left")
    assert violations(page) == []
    for key in ("y", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".stored")).to_contain_text("Stored: Not equivalent")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).not_to_be_visible()
    assert len(tomahto.ratings(slug)) == 1


def test_goal_of_a_sitting_is_counted_and_remembered(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    sitting = page.locator("#sitting")
    sitting.locator("summary").click()
    page.get_by_label("Goal for this sitting").select_option("10 items")
    assert violations(page) == []
    expect(sitting.locator("[data-state]")).to_have_text("0 of 10 in this sitting")
    sitting.locator("summary").click()
    for number in (1, 2):
        page.keyboard.press("y")
        page.keyboard.press("Enter")
        expect(sitting.locator("[data-state]")).to_have_text(f"{number} of 10 in this sitting")
    page.reload()
    expect(sitting.locator("[data-state]")).to_have_text("2 of 10 in this sitting")


def test_rest_is_recommended_quietly_after_the_time_that_the_rater_chose(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    hint = page.locator("#sitting-hint")
    expect(hint).to_be_empty()
    page.evaluate(
        """() => {
          const ago = Date.now() - 46 * 60_000;
          const name = `sitting of ${document.body.dataset.user}`;
          localStorage.setItem(name, [ago, Date.now(), 12, 240, ago].join(" "));
        }"""
    )
    page.reload()
    expect(hint).to_contain_text("You have been rating for over 45 minutes")
    expect(page.locator("#sitting [data-state]")).to_have_text("20 s per item")
    page.locator("#sitting summary").click()
    page.get_by_label("Suggest a break").select_option("never")
    expect(hint).to_be_empty()
    page.reload()
    expect(hint).to_be_empty()


def test_focus_is_never_under_the_bar(tomahto: Tomahto, open_page: OpenPage, slug: str) -> None:
    context = "The river runs on through fields and woods. " * 60
    person = tomahto.campaign(slug, items=[item(1, context=context)], rater=f"elm-{slug}")
    page = open_page(person, f"/c/{slug}/rate/", viewport=PHONE)
    page.locator("#whole-passage summary").focus()
    assert in_view(page, "#whole-passage summary") == [True]


def test_bar_leaves_the_reading_alone_in_a_short_window_and_without_scripts(
    open_page: OpenPage, slug: str, rater: Person
) -> None:
    short = {"width": 640, "height": 300}
    for options in ({"viewport": short}, {"viewport": LAPTOP, "java_script_enabled": False}):
        page = open_page(rater, f"/c/{slug}/rate/", **options)
        reading, bar = box(page, ".passage"), box(page, ".judge")
        assert reading is not None
        assert bar is not None
        assert reading["y"] + reading["height"] <= bar["y"]


@pytest.mark.parametrize("theme", mostly(("light", "dark"), "dark"))
def test_desk_violates_nothing_on_a_phone(
    open_page: OpenPage, slug: str, rater: Person, theme: str
) -> None:
    page = open_page(rater, f"/c/{slug}/rate/", viewport=PHONE, color_scheme=theme)
    page.keyboard.press("n")
    faults = violations(page)
    for key in "scf":
        page.keyboard.press(key)
        faults += violations(page)
        page.keyboard.press("Escape")
    page.locator("#sitting summary").click()
    assert faults + violations(page) == []
    assert in_view(page, "#sitting > div > *") == [True] * 6


def test_choices_are_in_view_by_touch_as_well(open_page: OpenPage, desks: dict[str, Desk]) -> None:
    page = open_page(desks["rules"].rater, "/c/demo-rules/rate/", viewport=PHONE, has_touch=True)
    for choice in ("Incorrect", "Fewer details"):
        page.locator("fieldset.asked label", has_text=choice).tap()
    assert in_view(page, "fieldset.asked label:not([hidden])") == [True] * 6


def test_page_weighs_no_more_than_it_may(open_page: OpenPage, slug: str, rater: Person) -> None:
    page = open_page(rater, f"/c/{slug}/rate/")
    weight = page.evaluate(
        """() => performance.getEntries()
          .filter((each) => each.decodedBodySize && each.initiatorType !== "fetch")
          .reduce((all, each) => all + each.decodedBodySize, 0)"""
    )
    assert 50_000 < weight < 126_000  # bytes, uncompressed
