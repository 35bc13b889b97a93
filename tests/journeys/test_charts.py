"""Charts show what their tables say, in the colours of the theme and by keys; tables are sorted; a
refresh keeps their order and what was open."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import (
    NARROW,
    WIDE,
    OpenPage,
    Person,
    Tomahto,
    item,
    violations,
)

pytestmark = pytest.mark.browser

DASHBOARDS = ["labels/", "progress/", "time/", "systems/"]

# what is drawn, and what the cells of the table say that the chart is drawn from
_DRAWN = """
() => [...document.querySelectorAll("figure[data-chart]:not([hidden])")].map((figure) => {
  const chart = Chart.getChart(figure.querySelector("canvas"));
  const table = document.getElementById(figure.dataset.table);
  const wanted = figure.dataset.series?.split(" ").map(Number);
  const columns = [...table.tHead.rows[0].cells]
    .map((head, place) => ({ head, place }))
    .filter(({ head, place }) => place > 0 &&
      (wanted ? wanted.includes(place) : !head.hasAttribute("data-undrawn")));
  const number = (text) => (text === undefined ? null : Number(text));
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hasAttribute("data-undrawn"));
  return {
    drawn: chart.data.datasets.map((set) => ({
      name: set.label,
      values: set.data.map((point) => (typeof point === "object" && point ? point.y : point)),
      intervals: set.cells.map(({ low, high }) => [low, high]),
    })),
    said: columns.map(({ head, place }) => ({
      name: head.textContent.trim(),
      values: rows.map((row) => number(row.cells[place].dataset.value)),
      intervals: rows.map((row) => {
        const { low, high } = row.cells[place].dataset;
        return [number(low), number(high)];
      }),
    })),
  };
})
"""
_COLOURS = """
() => [...document.querySelectorAll("figure[data-chart]:not([hidden]) canvas")]
  .map((canvas) => Chart.getChart(canvas).data.datasets[0].borderColor)
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
        created_at=datetime.now(UTC) - timedelta(days=9 - number // 2), seconds=20.0,
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


def as_text(script: str) -> str:
    return f"JSON.stringify(({script})())"


def await_change(page: Page, script: str, before: str) -> None:
    """Until what the script returns, as JSON, is another; while charts are redrawn it fails."""
    page.wait_for_function(
        f"before => {{ try {{ return {as_text(script)} !== before }} catch {{ return false }} }}",
        arg=before,
    )


def open_dashboard(
    open_page: OpenPage, rated: tuple[str, Person], page: str, **options: Any
) -> Page:
    slug, admin = rated
    opened = open_page(admin, f"/login/?next=/c/{slug}/agreement/{page}", **options)
    opened.wait_for_function("document.querySelector('figure[data-chart] canvas')")
    return opened


@pytest.mark.parametrize("page", DASHBOARDS)
def test_charts_show_what_their_tables_say(
    open_page: OpenPage, rated: tuple[str, Person], page: str
) -> None:
    charts = open_dashboard(open_page, rated, page, locale="de-DE").evaluate(_DRAWN)
    assert charts
    assert [chart["drawn"] for chart in charts] == [chart["said"] for chart in charts]
    values = [value for chart in charts for series in chart["drawn"] for value in series["values"]]
    assert any(value for value in values)


# the days under each line, by the names that its table has for them
_DAYS = """
() => [...document.querySelectorAll("figure[data-x=time]:not([hidden])")].map((figure) => {
  const { x } = Chart.getChart(figure.querySelector("canvas")).scales;
  const rows = [...document.getElementById(figure.dataset.table).tBodies[0].rows];
  const heads = rows.map((row) => row.cells[0]);
  const names = new Map(heads.map((cell) => [Number(cell.dataset.x), cell.textContent.trim()]));
  const context = x.ctx;
  context.font = x._resolveTickFontOptions(0).string;
  const ends = x.ticks.map(({ value, label }) => [value, label])
    .map(([value, label]) => [x.getPixelForValue(value), context.measureText(label).width / 2]);
  const overlaps = ends.slice(1).filter(([at, half], n) => at - half < ends[n][0] + ends[n][1]);
  const ticks = x.ticks.map(({ value, label }) => [label, names.get(value)]);
  return { ticks, overlaps };
})
"""


def test_days_under_a_line_are_those_of_its_table(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "time/", timezone_id="Pacific/Honolulu")
    charts = page.evaluate(_DAYS)
    assert [len(chart["ticks"]) > 1 for chart in charts] == [True, True]
    assert [chart["overlaps"] for chart in charts] == [[], []]
    labels = [tick for chart in charts for tick in chart["ticks"]]
    assert [label for label, _ in labels] == [name for _, name in labels]


def test_charts_are_drawn_anew_in_the_colours_of_another_theme(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "labels/", color_scheme="light")
    light, before = page.evaluate(_COLOURS), page.evaluate(_DRAWN)
    text = page.evaluate(as_text(_COLOURS))
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    await_change(page, _COLOURS, text)
    dark = page.evaluate(_COLOURS)
    assert len(dark) == len(light)
    assert not set(dark) & set(light)
    assert page.evaluate(_DRAWN) == before


def test_a_refresh_draws_newer_figures_and_keeps_what_was_open(
    tomahto: Tomahto, open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    slug, _admin = rated
    page = open_dashboard(open_page, rated, "labels/")
    before = page.evaluate(as_text(_DRAWN))
    page.locator("#f1-numbers summary").click()
    expect(page.locator("#f1-table")).to_be_visible()
    tomahto.site.python(_FILL.format(slug=slug).replace("range(1, 17)", "range(17, 19)"))
    with page.expect_response(lambda response: response.url.endswith("/labels/")) as answer:
        page.evaluate(
            "htmx.ajax('GET', location.pathname, {source: '#figures', target: '#figures',"
            " select: '#figures', swap: 'outerHTML'})"
        )
    assert answer.value.status == 200
    await_change(page, _DRAWN, before)
    charts = page.evaluate(_DRAWN)
    assert [chart["drawn"] for chart in charts] == [chart["said"] for chart in charts]
    expect(page.locator("#f1-table")).to_be_visible()


def shown_by_chart(page: Page) -> list[str]:
    """What is marked in the chart of accuracy, by the tooltip that a pointer would bring up."""
    found: list[str] = page.evaluate(
        """() => {
          const canvas = document.querySelector('figure[data-table="accuracy-table"] canvas');
          const { title, body, opacity } = Chart.getChart(canvas).tooltip;
          return opacity ? [...title, ...body.flatMap(({ lines }) => lines)] : [];
        }"""
    )
    return found


def test_the_values_of_a_chart_are_read_by_keys(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "systems/")
    figure = page.locator('figure[data-table="accuracy-table"]')
    frame, said = figure.get_by_role("application"), figure.locator("[aria-live]")
    rows = page.locator("#accuracy-table tbody tr")
    names = rows.locator("th").all_text_contents()
    values = [
        " ".join(text.split()) for text in rows.locator("td:nth-child(2)").all_text_contents()
    ]
    title = "Candidates, with exact matches"
    expect(frame).to_have_accessible_name(re.compile("^Accuracy of each system"))
    expect(frame).to_have_accessible_description(re.compile("^Arrow keys read the values"))
    page.get_by_role("navigation").get_by_role("link", name="Alerts").focus()
    page.keyboard.press("Tab")
    expect(frame).to_be_focused()
    expect(said).to_have_text(f"{names[0]}, {title}: {values[0]} (1 of 2)")
    page.keyboard.press("ArrowDown")
    expect(said).to_have_text(f"{names[1]}, {title}: {values[1]} (2 of 2)")
    assert shown_by_chart(page) == [names[1], f"{title}: {values[1]}"]
    page.keyboard.press("ArrowDown")  # there is nothing below
    expect(said).to_have_text(f"{names[1]}, {title}: {values[1]} (2 of 2)")
    page.keyboard.press("Home")
    expect(said).to_have_text(f"{names[0]}, {title}: {values[0]} (1 of 2)")
    page.keyboard.press("Tab")
    expect(frame).not_to_be_focused()
    assert shown_by_chart(page) == []


def test_a_chart_of_several_columns_is_read_across_them(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "labels/")
    figure = page.locator('figure[data-table="labels-table"]')
    figure.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    said = figure.locator("[aria-live]")
    expect(said).to_have_text(re.compile(r"^Equivalent, Items by majority: \d+ \(1 of \d\)$"))
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text(re.compile(r"^Equivalent, Ratings: \d+ \(1 of \d\)$"))


def column(page: Page, table: str, place: int) -> list[str]:
    cells = page.locator(f"#{table} tbody tr > :nth-child({place})")
    return [" ".join(text.split()) for text in cells.all_text_contents()]


def sorted_by(page: Page, table: str) -> list[tuple[str, str]]:
    heads = page.locator(f"#{table} thead th[aria-sort]")
    return [
        (head.inner_text().strip(), str(head.get_attribute("aria-sort"))) for head in heads.all()
    ]


def test_tables_are_sorted_by_numbers_texts_and_times(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "raters/")
    table = page.locator("#raters-table")
    served = column(page, "raters-table", 1)
    assert sorted_by(page, "raters-table") == []

    table.get_by_role("button", name="Rater", exact=True).click()
    assert column(page, "raters-table", 1) == sorted(served)
    assert sorted_by(page, "raters-table") == [("Rater", "ascending")]

    items = table.get_by_role("button", name="Items", exact=True)
    items.focus()
    page.keyboard.press("Enter")
    place = column(page, "raters-table", 5)
    assert sorted_by(page, "raters-table") == [("Items", "descending")]
    assert place == sorted(place, key=int, reverse=True)
    page.keyboard.press("Enter")
    assert column(page, "raters-table", 5) == sorted(place, key=int)
    page.keyboard.press("Enter")
    assert column(page, "raters-table", 1) == served
    assert sorted_by(page, "raters-table") == []

    # who has not rated comes last, whichever way round
    for _direction in range(2):
        table.get_by_role("button", name="Last rating").click()
        assert column(page, "raters-table", 10)[-1] == "none yet"
    assert violations(page) == []


def test_a_chart_follows_its_table_and_keeps_saying_what_it_says(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "systems/")
    served = column(page, "accuracy-table", 1)
    button = page.locator("#accuracy-table").get_by_role("button", name="System")
    button.click()
    if column(page, "accuracy-table", 1) == served:
        button.click()
    assert column(page, "accuracy-table", 1) == served[::-1]
    charts = page.evaluate(_DRAWN)
    assert [chart["drawn"] for chart in charts] == [chart["said"] for chart in charts]
    names = page.evaluate(
        """() => Chart.getChart(document.querySelector(
          'figure[data-table="accuracy-table"] canvas')).data.labels"""
    )
    assert names == column(page, "accuracy-table", 1)


def test_days_keep_their_order_in_the_chart_of_a_sorted_table(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "progress/")
    page.locator("#days-numbers summary").click()
    days = """() => Chart.getChart(document.querySelector(
      'figure[data-table="days-table"] canvas')).data.labels"""
    before = page.evaluate(days)
    page.locator("#days-table").get_by_role("button", name="Ratings", exact=True).click()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")  # drawn again
    assert page.evaluate(days) == before


def test_a_refresh_keeps_the_order_of_a_table(
    open_page: OpenPage, rated: tuple[str, Person]
) -> None:
    page = open_dashboard(open_page, rated, "raters/")
    page.locator("#raters-table").get_by_role("button", name="Rater", exact=True).click()
    page.evaluate(
        "htmx.ajax('GET', location.pathname, {source: '#figures', target: '#figures',"
        " select: '#figures', swap: 'outerHTML', headers: {'X-Figures': 'older'}})"
    )
    page.wait_for_function("document.querySelectorAll('#raters-table .sorter').length")
    assert sorted_by(page, "raters-table") == [("Rater", "ascending")]


# what stands within the canvas, by the boxes of its marks: none may leave it
_CLIPPED = """
() => [...document.querySelectorAll("figure:not([hidden]) canvas")].flatMap((canvas) => {
  const chart = Chart.getChart(canvas);
  return chart.data.datasets.flatMap((set, index) => chart.getDatasetMeta(index).data
    .filter((mark, row) => set.cells[row].value !== null)
    .filter(({ x, y, options }) => {
      const reach = options.radius ?? 0;
      const edge = chart.chartArea;
      const past = Math.max(edge.left - (x - reach), x + reach - edge.right,
        edge.top - (y - reach), y + reach - edge.bottom, 0);
      const isCut = past > (set.clip === undefined ? 0.5 : set.clip);
      return isCut || x - reach < 0 || x + reach > chart.width || y - reach < 0;
    }).map(({ x, y }) => [canvas.parentNode.getAttribute("aria-label"), x, y]));
})
"""


@pytest.mark.parametrize("page", [*DASHBOARDS, "raters/"])
def test_no_mark_is_cut_at_the_edge_of_a_chart(
    open_page: OpenPage, rated: tuple[str, Person], page: str
) -> None:
    for viewport in (WIDE, NARROW):
        opened = open_dashboard(open_page, rated, page, viewport=viewport)
        assert opened.evaluate(_CLIPPED) == []
