"""From a finished campaign to a dataset that can be cited: by keyboard, and without JavaScript."""

import re
import uuid
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sideways, violations

pytestmark = pytest.mark.browser

_RATE = """
from tomahto.interchange.reading.records import RatingRow, Source
from tasks.models import Campaign
from tasks.intake.workflow.ratings import import_ratings

campaign = Campaign.objects.get(slug={slug!r})
import_ratings(campaign=campaign, rows=[
    RatingRow(
        source=Source("ratings", 1), item=None, item_id=each.key, rater=rater,
        label="equivalent" if place % 2 else "not-equivalent",
        comment="ask me@example.org" if (place, rater) == (0, "ann") else "",
    )
    for place, each in enumerate(campaign.items.order_by("key"))
    for rater in ("ann", "ben")
])
print("rated")
"""


@pytest.fixture
def finished(tomahto: Tomahto) -> tuple[str, Person]:
    """A campaign whose items are all rated, and a researcher in it."""
    slug = f"done-{uuid.uuid4().hex[:8]}"
    items = [
        item(number, document=f"document-{number}", question=f"Which is river number {number}?")
        for number in range(1, 9)
    ]
    tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    tomahto.site.python(_RATE.format(slug=slug))
    return slug, tomahto.person(f"elm-{slug}", slug, "researcher")


def tab_to(page: Page, name: str, role: str = "button") -> None:
    """Press Tab until the control of this name has the focus."""
    target = page.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]  # a role
    for _press in range(60):
        if target.evaluate("control => control === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} is not reached by Tab")


def download(page: Page, tomahto: Tomahto, slug: str, folder: Path) -> None:
    """The archive of the release on the page verifies."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all (ZIP)").click()
    archive = folder / "release.zip"
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    assert '"differences": []' in tomahto.site.manage(
        "verify_release", str(folder / f"{slug}-1.0.0"), "--json"
    )


def test_a_release_is_made_by_keyboard(
    tomahto: Tomahto, open_page: OpenPage, finished: tuple[str, Person], tmp_path: Path
) -> None:
    tomahto.site.start_worker()
    slug, researcher = finished
    page = open_page(researcher, f"/c/{slug}/releases/new/")
    preview = page.locator("#preview")
    expect(preview.get_by_text("8 items with 16 counted ratings")).to_be_visible()
    expect(preview.locator("figure svg")).to_have_count(3)
    assert violations(page) == []
    # another way to divide, chosen by arrow keys, shows what belongs to it
    page.get_by_role("radio", name="By document, with shares").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("dev", exact=True)).to_be_hidden()
    expect(preview.get_by_text("folds:5", exact=True)).to_be_visible()
    tab_to(page, "Number of folds", role="spinbutton")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("50")
    page.keyboard.press("Tab")
    # a split that cannot be made is said in its field
    expect(page.locator("#split-errors")).to_contain_text("can still be placed")
    assert violations(page) == []
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2")
    page.keyboard.press("Tab")
    expect(page.locator("#split-errors")).to_be_empty()
    expect(preview.get_by_text("folds:2", exact=True)).to_be_visible()
    tab_to(page, "Build release")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_url("**/releases/1.0.0/", timeout=60_000)
    expect(page.locator("figure svg")).to_have_count(4)
    page.locator("#card summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Columns of items")).to_be_visible()
    assert violations(page) == []
    download(page, tomahto, slug, tmp_path)


def test_choices_made_while_the_preview_loads_are_followed_and_hidden_ones_forgotten(
    open_page: OpenPage, finished: tuple[str, Person]
) -> None:
    slug, researcher = finished
    page = open_page(researcher)
    waiting: list[Route] = []
    page.route("**/releases/new/", lambda route: hold_first_post(route, waiting))
    with page.expect_request(lambda request: request.method == "POST"):
        page.goto(f"/c/{slug}/releases/new/")
    page.get_by_label("dev", exact=True).fill("-5")
    page.get_by_role("radio", name="In folds").check()
    waiting[0].continue_()
    expect(page.locator("#preview").get_by_text("folds:5", exact=True)).to_be_visible()
    page.get_by_role("button", name="Build release").click()
    expect(page).to_have_url(re.compile(r"/jobs/\d+/"))


def hold_first_post(route: Route, waiting: list[Route]) -> None:
    if route.request.method == "POST" and not waiting:
        waiting.append(route)
    else:
        route.continue_()


def test_a_release_is_made_without_javascript(
    tomahto: Tomahto, open_page: OpenPage, finished: tuple[str, Person], tmp_path: Path
) -> None:
    tomahto.site.start_worker()
    slug, researcher = finished
    page = open_page(researcher, f"/c/{slug}/releases/new/", java_script_enabled=False)
    page.get_by_label("dev", exact=True).fill("50")
    page.get_by_label("test", exact=True).fill("60")
    page.get_by_role("button", name="Update the preview").click()
    expect(page.get_by_text("the shares sum to 110, not to 100").first).to_be_visible()
    page.get_by_label("test", exact=True).fill("50")
    page.get_by_label("Include raters’ comments").check()
    page.get_by_role("button", name="Update the preview").click()
    expect(page.get_by_text("These comments may hold personal data:")).to_be_visible()
    expect(page.get_by_text("me@example.org")).to_have_count(0)
    page.get_by_label("Reason for releasing comments with personal data").fill(
        "They agreed in writing."
    )
    page.get_by_role("button", name="Build release").click()
    for _look in range(120):
        if "/releases/" in page.url:
            break
        page.get_by_role("link", name="Reload").click()
    expect(page.get_by_text("They agreed in writing.").first).to_be_visible()
    download(page, tomahto, slug, tmp_path)


def test_pages_of_a_release_fit_a_narrow_screen_in_german(
    tomahto: Tomahto, open_page: OpenPage, finished: tuple[str, Person]
) -> None:
    slug, researcher = finished
    options = {"viewport": NARROW, "locale": "de-DE"}
    page = open_page(researcher, f"/c/{slug}/releases/new/", **options)
    expect(page.get_by_role("heading", name="Neues Release")).to_be_visible()
    expect(page.locator("#preview figure svg")).to_have_count(3)
    for way in page.locator("input[name=split_by]").all():
        way.check()
        assert sideways(page) == 0
    assert violations(page) == []
