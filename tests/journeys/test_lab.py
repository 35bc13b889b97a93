"""From judged items to a report that can be taken away: with a worker, and without JavaScript."""

import json
import uuid

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, sideways, violations

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
    expect(page.locator("figure canvas")).to_have_count(2)
    drawn = page.evaluate(
        """() => [...document.querySelectorAll("figure[data-chart]")].map((figure) => {
          const chart = Chart.getChart(figure.querySelector("canvas"));
          const [first] = chart.data.datasets;
          return [chart.data.labels, first.label, first.data.slice(0, 2), first.cells[0]];
        })"""
    )
    points, line = drawn
    # the second column names the rows, and what is undefined is not drawn
    assert points[:3] == [["f1", "em"], "Accuracy", [0.8125, None]]
    assert (points[3]["low"], points[3]["high"]) == (0.75, 0.875)
    assert line[1:3] == ["Rate", [{"x": 0, "y": 0}, {"x": 0.05, "y": 0.025}]]
    assert sideways(page) == 0
    page.get_by_text("Show the numbers").click()
    assert violations(page) == []


def test_an_evaluation_appears_by_itself(
    tomahto: Tomahto, open_page: OpenPage, judged: tuple[str, str, Person]
) -> None:
    tomahto.site.start_worker()
    slug, _evaluation, researcher = judged
    page = open_page(researcher, f"/login/?next=/c/{slug}/lab/")
    reports = page.locator("#evaluations tbody tr")
    expect(reports).to_have_count(1)
    for metric in ("cfmatch", "feather"):
        page.get_by_role("checkbox", name=metric, exact=True).uncheck()
    page.get_by_role("button", name="Start evaluation").click()
    expect(reports).to_have_count(2, timeout=60_000)
    assert violations(page) == []
    reports.first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="Evaluation: Lakes")).to_be_visible()
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
    reports = page.locator("#evaluations tbody tr")
    before = reports.count()
    page.get_by_role("button", name="Start evaluation").click()
    for _look in range(120):
        if reports.count() > before:
            break
        page.get_by_role("link", name="Reload").click()
    reports.first.get_by_role("link").first.click()
    expect(page.get_by_role("cell", name="feather").first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all (ZIP)").click()
    assert download.value.suggested_filename.startswith(f"{slug}-evaluation-")
