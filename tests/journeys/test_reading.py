"""Foreign text as it comes: from right to left, in several scripts, deceiving, long."""

import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Tomahto, item, violations

pytestmark = pytest.mark.browser

HEBREW = {
    "question": "היכן נובע הנהר?",
    "context": "הנהר נובע בהרי הצפון, הרחק מן הים.",
    "references": ["בהרי הצפון"],
    "candidate": "in the northern mountains",
}
LONG = "The river runs on through fields and woods. " * 60
LONG_WORD = "Donaudampfschifffahrts" * 20


def open_item(tomahto: Tomahto, open_page: OpenPage, text: dict[str, Any], **options: Any) -> Page:
    slug = f"text-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1, **text)], rater=f"yew-{slug}")
    return open_page(rater, f"/login/?next=/c/{slug}/rate/", **options)


def direction(page: Page, selector: str) -> str:
    found: str = page.locator(selector).evaluate("element => getComputedStyle(element).direction")
    return found


def test_every_text_runs_in_its_own_direction(tomahto: Tomahto, open_page: OpenPage) -> None:
    page = open_item(tomahto, open_page, HEBREW)
    assert [
        direction(page, selector)
        for selector in ("h1", ".passage", ".reference dd", ".candidate dd", "legend >> nth=0")
    ] == ["rtl", "rtl", "rtl", "ltr", "ltr"]
    expect(page.locator("mark.reference")).to_have_text("בהרי הצפון")
    assert violations(page) == []


def test_marks_are_found_in_every_script(tomahto: Tomahto, open_page: OpenPage) -> None:
    text = {
        "question": "Что это? 這是什麼？ ما هذا؟",
        "context": "Байкал — озеро. 貝加爾湖是湖。 بحيرة بايكال عميقة.",
        "references": ["озеро"],
        "candidate": "بحيرة بايكال",
    }
    page = open_item(tomahto, open_page, text)
    expect(page.locator("mark.reference")).to_have_text("озеро")
    expect(page.locator("mark.candidate")).to_have_text("بحيرة بايكال")


def test_deceiving_characters_are_shown_and_have_no_force(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    page = open_item(tomahto, open_page, {"candidate": "pay \u202e001\u202c dollars"})
    candidate = page.locator(".candidate dd")
    expect(candidate).to_have_text("pay RLO001PDF dollars")
    assert candidate.locator(".control").all_inner_texts() == ["RLO", "PDF"]
    # the digits stand in the order in which they were written
    ends = candidate.evaluate(
        """element => {
          const text = [...element.querySelectorAll("*"), element]
            .flatMap((each) => [...each.childNodes])
            .find((node) => node.nodeType === 3 && node.data.includes("001"));
          return ["0", "1"].map((digit) => {
            const range = document.createRange();
            range.setStart(text, text.data.indexOf(digit));
            range.setEnd(text, text.data.indexOf(digit) + 1);
            return range.getBoundingClientRect().left;
          });
        }"""
    )
    assert ends == sorted(ends)


def test_long_passage_is_folded_around_the_answers_and_opens_by_key(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    context = f"{LONG}It rises in the northern hills, far from the sea. {LONG}"
    page = open_item(tomahto, open_page, {"context": context})
    excerpt, whole = page.locator(".excerpt"), page.locator("#whole-passage .passage")
    expect(excerpt.locator("mark")).to_have_count(2)
    assert len(excerpt.inner_text()) < 700
    expect(whole).not_to_be_visible()
    page.keyboard.press("p")
    expect(whole).to_be_visible()
    expect(excerpt).not_to_be_visible()
    assert whole.inner_text().strip() == context.strip()
    page.keyboard.press("Enter")
    expect(whole).to_be_visible()
    page.keyboard.press("p")
    expect(excerpt).to_be_visible()


def test_long_words_break_instead_of_pushing_the_page_wide(
    tomahto: Tomahto, open_page: OpenPage
) -> None:
    text = {
        "question": f"{LONG_WORD}?",
        "context": f"{LONG_WORD} in the northern hills",
        "references": [f"{LONG_WORD}-a"],
        "candidate": f"{LONG_WORD}-b",
    }
    page = open_item(tomahto, open_page, text, viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
