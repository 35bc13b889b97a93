"""The page Agreement in a browser: pictures by keyboard, by name, on paper and without scripts."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, item

pytestmark = pytest.mark.browser

_FILL = """
from datetime import UTC, datetime, timedelta
from tomahto.interchange.reading.records import RatingRow, Source
from tasks.models import Campaign
from tasks.intake.workflow.ratings import import_ratings

LABELS = ("equivalent", "partial", "invalid", "contradictory")
import_ratings(campaign=Campaign.objects.get(slug={slug!r}), rows=[
    RatingRow(
        source=Source("ratings.jsonl", 1), item=None, item_id=f"item-{{number}}",
        rater=("ann", "ben", "cat")[place], label=LABELS[(number + (number % 5 == place)) % 4],
        rated_at=datetime.now(UTC) - timedelta(days=9 - number // 4), seconds=20.0 + place,
    )
    for number in range(1, 33) for place in (number % 3, (number + 1) % 3)
])
"""


@pytest.fixture(scope="module")
def rated(tomahto: Tomahto) -> tuple[str, Person]:
    """A campaign of eight labels and two systems, and its admin."""
    slug = f"agree-{uuid.uuid4().hex[:8]}"
    items = [
        item(number, candidate=f"far from sea {number}", systems=[("juniper", "larch")[number % 2]])
        for number in range(1, 33)
    ]
    tomahto.campaign(slug, items=items, protocol="cap", rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    tomahto.site.python(_FILL.format(slug=slug))
    return slug, admin


@pytest.mark.representative("pictures by keyboard and by name")
@pytest.mark.parametrize("has_scripts", [True, False])
def test_pictures_are_read_with_the_keyboard_and_by_name(
    open_page: OpenPage, rated: tuple[str, Person], has_scripts: bool
) -> None:
    slug, admin = rated
    page = open_page(admin, f"/c/{slug}/agreement/", java_script_enabled=has_scripts)
    where = page.get_by_role("group", name="Where raters agree")
    whole = where.get_by_role("img", name=re.compile(r"^All labels: \d\.\d{3}"))
    note = whole.locator(".note-box")
    expect(note).to_be_hidden()
    whole.focus()
    expect(note).to_be_visible()
    expect(note).to_contain_text("n = 32")
    page.keyboard.press("Tab")
    expect(note).to_be_hidden()
    expect(where.get_by_role("img", name=re.compile("^juniper: "))).to_be_focused()

    # every picture has its numbers as a table, which a screen reader reads
    for name, rows in (("Where raters agree", 3), ("Agreement of each pair of raters", 3)):
        figure = page.get_by_role("figure").filter(has=page.get_by_role("group", name=name))
        figure.get_by_text("Show the numbers").click()
        expect(figure.get_by_role("table").get_by_role("row")).to_have_count(rows + 1)

    mixed = page.get_by_role("group", name="Confused labels")
    field = mixed.get_by_role("link").first
    field.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Data")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/items/\?vote=[\w-]+&other_vote=[\w-]+&order=share"))


def test_filters_are_chosen_kept_in_the_address_and_taken_away(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    slug, admin = rated
    page = open_page(admin, f"/c/{slug}/agreement/")
    expect(page.get_by_text("64 ratings of 32 items.")).to_be_visible()
    page.locator("summary").filter(has_text="Filter").click()
    page.get_by_label("System").select_option("juniper")
    page.get_by_role("button", name="Show these ratings").click()
    expect(page.get_by_text("32 ratings of 16 items.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?.*system=juniper"))
    page.get_by_role("link", name="System: juniper").click()
    expect(page.get_by_text("64 ratings of 32 items.")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_take_the_colours_of_the_page_and_print(
    open_page: OpenPage, rated: tuple[str, Person], theme: str
) -> None:
    slug, admin = rated
    page = open_page(admin, f"/c/{slug}/agreement/", color_scheme=theme)
    words = page.locator("svg.picture text.bold").first
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert words.evaluate("(it) => getComputedStyle(it).fill") == ink
    page.emulate_media(media="print")
    for picture in page.locator("svg.picture").all():
        box = picture.bounding_box()
        assert box is not None
        assert box["width"] > 200
