"""Charts are there without a script, in the colours of the theme; a refresh brings newer ones."""

import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

DASHBOARDS = {"labels/": 2, "progress/": 3, "time/": 3, "systems/": 2}
_COLOUR = "() => getComputedStyle(document.querySelector('.picture .series-1')).fill"
_NAMES = """
() => [...document.querySelectorAll(".picture [tabindex]")].map((mark) => mark.ariaLabel)
"""

_FILL = """
from datetime import UTC, datetime, timedelta
from tomahto.interchange.reading.records import RatingRow, Source
from tasks.models import Campaign
from tasks.intake.workflow.ratings import import_ratings

import_ratings(campaign=Campaign.objects.get(slug={slug!r}), rows=[
    RatingRow(
        source=Source("ratings.jsonl", 1), item=None, item_id=f"item-{{number}}", rater=rater,
        label="equivalent" if (number + place * number // 2) % 3 else "not-equivalent",
        rated_at=datetime.now(UTC) - timedelta(days=9 - number // 2), seconds=20.0,
    )
    for number in range(1, 17) for place, rater in enumerate(("ann", "ben"))
])
"""


@pytest.fixture(scope="module")
def rated(tomahto: Tomahto) -> tuple[str, Person]:
    """A campaign whose ratings came over eight days, and its admin."""
    slug = f"charts-{uuid.uuid4().hex[:8]}"
    items = [
        item(number, candidate=f"far from sea {number}", systems=[("juniper", "larch")[number % 2]])
        for number in range(1, 19)
    ]
    tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    tomahto.site.python(_FILL.format(slug=slug))
    return slug, admin


def open_dashboard(
    open_page: OpenPage, rated: tuple[str, Person], page: str, **options: Any
) -> Page:
    slug, admin = rated
    return open_page(admin, f"/login/?next=/c/{slug}/agreement/{page}", **options)


def test_charts_are_there_without_a_script(open_page: OpenPage, rated: tuple[str, Person]) -> None:
    page = open_dashboard(open_page, rated, "labels/", java_script_enabled=False)
    for name, count in DASHBOARDS.items():
        page.goto(f"/c/{rated[0]}/agreement/{name}")
        pictures = page.locator("figure.chart svg.picture")
        expect(pictures).to_have_count(count)
        for picture in pictures.all():
            expect(picture).to_be_visible()


def test_charts_have_the_colours_of_the_theme(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "labels/", color_scheme="light")
    light = page.evaluate(_COLOUR)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(_COLOUR) != light
    assert violations(page) == []


def test_a_mark_says_its_numbers_when_it_has_the_focus(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "labels/")
    mark = page.locator(".picture [tabindex]").first
    note = mark.locator(".note-box")
    expect(note).to_be_hidden()
    mark.focus()
    expect(note).to_be_visible()
    expect(note).to_contain_text("Ratings: ")


def test_a_refresh_draws_newer_figures_and_keeps_what_was_open(
    tomahto: Tomahto, open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    slug, _admin = rated
    page = open_dashboard(open_page, rated, "labels/")
    before = page.evaluate(_NAMES)
    page.locator("#f1-numbers summary").click()
    expect(page.locator("#f1-table")).to_be_visible()
    tomahto.site.python(_FILL.format(slug=slug).replace("range(1, 17)", "range(17, 19)"))
    with page.expect_response(lambda response: response.url.endswith("/labels/")) as answer:
        page.evaluate(
            "htmx.ajax('GET', location.pathname, {source: '#figures', target: '#figures',"
            " select: '#figures', swap: 'outerHTML'})"
        )
    assert answer.value.status == 200
    page.wait_for_function(
        f"before => JSON.stringify(({_NAMES})()) !== JSON.stringify(before)", arg=before
    )
    assert len(page.evaluate(_NAMES)) == len(before)
    expect(page.locator("#f1-table")).to_be_visible()
