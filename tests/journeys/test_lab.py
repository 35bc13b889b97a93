"""From judged items to a report that can be taken away: with a worker, and without JavaScript."""

import json
import time
import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import (
    NARROW,
    PATIENCE,
    OpenPage,
    Person,
    Tomahto,
    sideways,
    violations,
)

pytestmark = pytest.mark.browser

_FILL = """
from tests.evaluations import sample_report, store
from tests.factories import make_campaign, make_labelled_items

campaign = make_campaign({slug!r}, title="Lakes", overlap=1)
make_labelled_items(campaign, items=24, documents=4)
print(store(campaign, sample_report()).pk)
"""


@pytest.fixture(scope="module")
def judged(tomahto: Tomahto) -> tuple[str, str, Person]:
    """A campaign with a report that was made by hand, and a researcher in it."""
    slug = f"lab-{uuid.uuid4().hex[:8]}"
    evaluation = tomahto.site.python(_FILL.format(slug=slug)).splitlines()[-1]
    return slug, evaluation, tomahto.person(f"elm-{slug}", slug, "researcher")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_report_is_drawn_from_its_tables(
    open_page: OpenPage, judged: tuple[str, str, Person], theme: str
) -> None:
    slug, evaluation, researcher = judged
    page = open_page(
        researcher,
        f"/login/?next=/c/{slug}/lab/{evaluation}/",
        viewport=NARROW,
        color_scheme=theme,
    )
    assert violations(page) == []
    # on a narrow screen the contents are a menu
    page.get_by_text("Contents: Summary").click()
    page.get_by_role("link", name="Metrics and people").click()
    pictures = page.locator("svg.picture")
    expect(pictures).to_have_count(2)
    point = pictures.first.get_by_role("img", name="f1 Accuracy (%): 81.2 [75.0, 87.5]")
    note = point.locator(".note-box")
    expect(note).to_be_hidden()
    point.focus()
    expect(note).to_be_visible()
    # what is undefined is not drawn
    assert pictures.first.locator("circle.series-1").count() == 1
    assert sideways(page) == 0
    page.get_by_text("Show the numbers").click()
    assert violations(page) == []


def test_an_evaluation_appears_by_itself(
    tomahto: Tomahto, open_page: OpenPage, judged: tuple[str, str, Person]
) -> None:
    tomahto.site.start_worker()
    slug, _evaluation, researcher = judged
    page = open_page(researcher, f"/login/?next=/c/{slug}/lab/")
    for metric in ("cfmatch", "feather"):
        page.get_by_role("checkbox", name=metric, exact=True).uncheck()
    page.get_by_role("button", name="Start evaluation").click()
    expect(page.get_by_role("link", name="Open the job")).to_be_visible()
    assert violations(page) == []
    heading = page.get_by_role("heading", name="Evaluation: Lakes")
    expect(heading).to_be_visible(timeout=60_000)
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON", exact=True).click()
    report = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [metric["metric"] for metric in report["metrics"]] == ["em", "f1"]


def test_the_lab_works_without_javascript(
    tomahto: Tomahto, open_page: OpenPage, judged: tuple[str, str, Person]
) -> None:
    tomahto.site.start_worker()
    slug, _evaluation, researcher = judged
    page = open_page(researcher, f"/login/?next=/c/{slug}/lab/", java_script_enabled=False)
    page.get_by_role("button", name="Start evaluation").click()
    reload, ends = page.get_by_role("link", name="Reload"), time.monotonic() + PATIENCE / 1000
    while reload.count() and time.monotonic() < ends:
        reload.click()
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="Metrics against people").click()
    expect(page.get_by_role("rowheader", name="feather").first).to_be_visible()
    expect(page.locator("svg.picture").first).to_be_visible()
    page.get_by_role("link", name="Evaluation: Lakes").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all (ZIP)").click()
    assert download.value.suggested_filename.startswith(f"{slug}-evaluation-")
