"""A rater's whole way through a campaign: ten items, a revision, a skip, a flag, the end."""

import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item

pytestmark = pytest.mark.browser

# the keys of each item and what they mean; the sixth is skipped
AE = [
    ("y", {"q1": "yes"}),
    ("ny", {"q1": "no", "q2": "yes"}),
    ("nnyn", {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}),
    ("nnny", {"q1": "no", "q2": "no", "q3": "no", "q4": "yes"}),
    ("nnyy", {"q1": "no", "q2": "no", "q3": "yes", "q4": "yes"}),
    ("nnnn", {"q1": "no", "q2": "no", "q3": "no", "q4": "no"}),
    ("y", {"q1": "yes"}),
    ("ny", {"q1": "no", "q2": "yes"}),
    ("ny", {"q1": "no", "q2": "yes"}),
]
CAP = [
    (str(place), {"label": label})
    for place, label in enumerate(
        [
            "exact",
            "equivalent",
            "alternative-correct",
            "overinclusive-valid",
            "partial",
            "overinclusive-invalid",
            "invalid",
            "contradictory",
        ],
        start=1,
    )
] + [("1", {"label": "exact"})]


@pytest.fixture
def slug() -> str:
    return f"whole-{uuid.uuid4().hex[:8]}"


def rater_of(tomahto: Tomahto, slug: str, protocol: str) -> Person:
    items = [item(number) for number in range(1, 11)]
    return tomahto.campaign(slug, items=items, rater=f"ash-{slug}", protocol=protocol)


def count_is(page: Page, number: int) -> None:
    expect(page.locator("#mine")).to_have_text(f"{number} by you")


def flags_of(tomahto: Tomahto, slug: str) -> str:
    code = f"Flag.objects.filter(item__campaign__slug={slug!r}).values_list('reason', flat=True)"
    return tomahto.site.python(f"from tasks.models import Flag\nprint(*{code})").strip()


def skipped_in(tomahto: Tomahto, slug: str) -> str:
    code = f"Assignment.objects.filter(item__campaign__slug={slug!r}, state='skipped').get()"
    return tomahto.site.python(
        f"from tasks.models import Assignment\nprint({code}.skip_reason)"
    ).strip()


@pytest.mark.parametrize(("protocol", "way"), [("ae", AE), ("cap", CAP)])
def test_ten_items_by_keyboard_alone(
    tomahto: Tomahto,
    open_page: OpenPage,
    slug: str,
    protocol: str,
    way: list[tuple[str, dict[str, str]]],
) -> None:
    page = open_page(rater_of(tomahto, slug, protocol), f"/login/?next=/c/{slug}/rate/")
    keyboard = page.keyboard

    def rate(keys: str) -> None:
        for key in keys:
            keyboard.press(key)
        keyboard.press("Enter")

    for number, (keys, _answers) in enumerate(way[:5], start=1):
        rate(keys)
        count_is(page, number)
    # revise the rating before
    with page.expect_navigation():
        keyboard.press("b")
    expect(page.get_by_text("You rated this item")).to_be_visible()
    while protocol == "ae" and page.locator("input[name=asked]").input_value() != "q1":
        keyboard.press("b")
    rate("y" if protocol == "ae" else "8")
    expect(page.locator("#stored")).to_contain_text("Stored:")
    # skip the sixth with a reason of one's own
    sixth = page.locator("#item-question").inner_text()
    keyboard.press("s")
    for _button in range(3):
        keyboard.press("Tab")
    keyboard.type("in a script I cannot read")
    keyboard.press("Enter")
    expect(page.locator("#item-question")).not_to_have_text(sixth)
    # flag the seventh, and rate it all the same
    keyboard.press("n" if protocol == "ae" else "2")
    keyboard.press("f")
    keyboard.type("The passage stops short.")
    keyboard.press("Enter")
    expect(page.locator("#announcement")).to_have_text("Flagged for the admins.")
    expect(page.locator("details.flag summary")).to_contain_text("Flagged")
    if protocol == "ae":
        expect(page.locator("input[name=asked]")).to_have_value("q2")
        keyboard.press("b")
    for number, (keys, _answers) in enumerate(way[5:], start=6):
        rate(keys)
        if number < 9:
            count_is(page, number)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is left for you here")
    expect(page.get_by_text("You have rated 9 items.")).to_be_visible()
    stored = tomahto.ratings(slug)
    first_try = [rating["answers"] for rating in stored if not rating["is_revision"]]
    assert first_try == [answers for _keys, answers in way]
    assert [rating["answers"] for rating in stored if rating["is_revision"]] == [
        {"q1": "yes"} if protocol == "ae" else {"label": "contradictory"}
    ]
    assert len({rating["item"] for rating in stored}) == 9
    assert skipped_in(tomahto, slug) == "in a script I cannot read"
    assert flags_of(tomahto, slug) == "The passage stops short."


def test_all_four_questions_by_touch_at_360_px(
    tomahto: Tomahto, open_page: OpenPage, slug: str
) -> None:
    rater = rater_of(tomahto, slug, "ae")
    page = open_page(
        rater,
        f"/login/?next=/c/{slug}/rate/",
        viewport=NARROW,
        has_touch=True,
        is_mobile=True,
    )
    asked = page.locator("fieldset.asked")
    for answer in ("No", "No", "Yes", "No"):
        asked.get_by_role("radio", name=answer).tap()
    page.locator("details.flag summary").tap()
    page.get_by_label("What is wrong with it?").fill("The passage stops short.")
    page.get_by_role("button", name="Flag", exact=True).tap()
    expect(page.locator("details.flag summary")).to_contain_text("Flagged")
    page.get_by_role("button", name="Submit").tap()
    expect(page.locator("#stored")).to_contain_text("Stored: Not equivalent")
    page.get_by_text("Skip this item").tap()
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_role("button", name="I cannot judge this").tap()
    expect(page.locator("#item-question")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert [rating["answers"] for rating in tomahto.ratings(slug)] == [
        {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}
    ]
    assert flags_of(tomahto, slug) == "The passage stops short."
    assert skipped_in(tomahto, slug) == "I cannot judge this"


def test_flag_without_javascript(tomahto: Tomahto, open_page: OpenPage, slug: str) -> None:
    rater = rater_of(tomahto, slug, "ae")
    page = open_page(rater, f"/login/?next=/c/{slug}/rate/", java_script_enabled=False)
    question = page.locator("#item-question").inner_text()
    page.locator("details.flag summary").click()
    page.get_by_label("What is wrong with it?").fill("The passage stops short.")
    page.get_by_role("button", name="Flag", exact=True).click()
    expect(page.locator("#item-question")).to_have_text(question)
    expect(page.locator("details.flag summary")).to_contain_text("Flagged")
    assert flags_of(tomahto, slug) == "The passage stops short."
