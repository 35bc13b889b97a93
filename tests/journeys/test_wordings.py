"""Raters asked in their own language: switched on by an admin, and off again by a rater."""

import json
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Tomahto, item, sideways, violations

pytestmark = pytest.mark.browser

PUBLISHED = "Is the second answer a completely different answer?"
GERMAN = "Ist die zweite Antwort eine völlig andere Antwort?"


def expect_asked(page: Page, question: str, language: str) -> None:
    wording = page.locator("fieldset.asked .wording")
    expect(wording).to_have_text(question)
    expect(wording).to_have_attribute("lang", language)


def test_a_rater_is_asked_in_german_and_goes_back_to_the_published_words(
    tomahto: Tomahto, open_page: OpenPage, tmp_path: Path
) -> None:
    slug = f"worte-{uuid.uuid4().hex[:8]}"
    rater = tomahto.campaign(slug, items=[item(1), item(2)], rater=f"pine-{slug}")
    page = open_page(tomahto.person(f"oak-{slug}", slug, "admin"), f"/c/{slug}/settings/")
    page.get_by_label("German").check()
    page.get_by_role("button", name="Save Rating form").click()
    expect(page.get_by_label("German")).to_be_checked()

    page = open_page(rater, f"/c/{slug}/rate/", locale="de-DE", viewport=NARROW)
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found += violations(page)
    assert (found, sideways(page)) == ([], 0)
    expect_asked(page, GERMAN, "de")
    page.keyboard.press("n")
    page.keyboard.press("n")
    expect_asked(page, "Lässt die zweite Antwort wichtige Informationen weg?", "de")
    page.keyboard.press("y")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator(".stored b")).to_have_text("Nicht gleichwertig")

    page.locator("a[href='?words=published']").click()
    expect_asked(page, PUBLISHED, "en")
    page.reload()
    expect_asked(page, PUBLISHED, "en")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.locator(".stored b")).to_have_text("Not equivalent")
    page.get_by_role("link", name="Überarbeiten").click()
    page.locator("a[href='?words=own']").click()
    expect_asked(page, GERMAN, "de")

    out = tmp_path / "release"
    split = ("--version", "1.0.0", "--split", "document:dev=50,test=50", "--formats", "none")
    tomahto.site.manage("release", slug, *split, "--out", str(out))
    rows = [
        json.loads(line)
        for path in sorted(out.glob("jsonl/ratings/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sorted((row["wording"], row["q1"], row["q3"]) for row in rows) == [
        ("", True, None),
        ("de-1", False, True),
    ]
