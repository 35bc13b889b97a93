"""Tables are sorted by their heads and taken along as CSV and LaTeX, as they are shown."""

import csv
import io
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, sideways, violations
from tomahto.charts import table_text

pytestmark = pytest.mark.browser

# a table of its own, on a page that has none: what is in the cells, and what is in their attributes
_TABLE = """
async ([rows, language]) => {
  document.documentElement.lang = language;
  document.querySelector("main").innerHTML = `<div class="scroll" role="region" tabindex="0"
    aria-label="Odd & ends"><table data-sortable data-file="odd"><thead><tr>
    <th>Name</th><th class="number-cell">Number</th><th class="number-cell" data-unit="s">Time</th>
    <th>Day</th><th data-unsorted>Note</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  const module = await import("/static/js/tables.js");
  document.dispatchEvent(new Event("htmx:afterSwap"));
  return "done";
}
"""
_ROWS = """
<tr><th>elm</th><td class="number-cell">1,234</td>
    <td class="number-cell" data-value="65.25" data-low="60.5" data-high="70" data-n="9">65 s
      <span class="interval">(60 s – 70 s)</span><span class="n">n = 9</span></td>
    <td><time datetime="2026-03-05">5 Mar 2026</time></td><td>=1+1</td></tr>
<tr><th>ash<span class="unseen"> tree</span></th><td class="number-cell">59 %</td>
    <td class="number-cell" data-value="45">45 s</td>
    <td><time datetime="2026-02-20">20 Feb 2026</time></td><td>a, "b"</td></tr>
<tr><th>Ölbaum</th><td class="number-cell">–</td>
    <td class="number-cell"><span class="undefined">too few</span></td><td></td>
    <td>50 % -- α</td></tr>
<tr><th>oak 10</th><td class="number-cell">−7.5</td>
    <td class="number-cell" data-value="45">45 s</td>
    <td><time datetime="2025-12-31">31 Dec 2025</time></td><td>-</td></tr>
<tr><th>oak 9</th><td class="number-cell">12</td>
    <td class="number-cell" data-value="7200">2 h 00 min</td>
    <td><time datetime="2026-03-01">1 Mar 2026</time></td><td></td></tr>
<tr data-stays><th>All</th><td class="number-cell">0</td><td class="number-cell"></td><td></td>
    <td></td></tr>
"""
SERVED = ["elm", "ash", "Ölbaum", "oak 10", "oak 9", "All"]


def names(table: Locator) -> list[str]:
    shown = "rows => rows.map((row) => row.cells[0].firstChild.data.trim())"
    found: list[str] = table.locator("tbody tr").evaluate_all(shown)
    return found


def file_of(page: Page, button: str) -> tuple[str, str]:
    """The name and the text of the file that a button gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    text = Path(download.value.path()).read_bytes().decode()
    return download.value.suggested_filename, text


@pytest.mark.representative("tables sorted and taken along")
def test_rows_are_sorted_by_value_and_files_are_in_their_order(open_page: OpenPage) -> None:
    page = open_page(path="/login/")
    assert page.evaluate(_TABLE, [_ROWS, "en"]) == "done"
    table = page.locator("table")
    for head, ascending, descending in (
        ("Name", "ash elm oak_9 oak_10 Ölbaum", "Ölbaum oak_10 oak_9 elm ash"),
        ("Number", "oak_10 ash oak_9 elm Ölbaum", "elm oak_9 ash oak_10 Ölbaum"),
        # equal ones stay as the page had them, those without a number come last
        ("Time", "ash oak_10 elm oak_9 Ölbaum", "oak_9 elm ash oak_10 Ölbaum"),
        ("Day", "oak_10 ash oak_9 elm Ölbaum", "elm oak_9 ash oak_10 Ölbaum"),
    ):
        cell = page.get_by_role("columnheader", name=head, exact=True)
        button = cell.get_by_role("button", name=head, exact=True)
        for key, direction, order in (
            ("Enter", "ascending", ascending),
            ("Space", "descending", descending),
        ):
            button.press(key)
            expect(cell).to_have_attribute("aria-sort", direction)
            expect(table.locator("[aria-sort]")).to_have_count(1)
            assert names(table) == [*(name.replace("_", " ") for name in order.split()), "All"]
        button.press("Enter")
        expect(table.locator("[aria-sort]")).to_have_count(0)
        assert names(table) == SERVED
    expect(page.get_by_role("button", name="Note")).to_have_count(0)

    page.get_by_role("button", name="Number", exact=True).click()
    name, text = file_of(page, "CSV: Odd & ends")
    assert name == "odd.csv"
    assert text.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))) == [
        [
            "Name",
            "Number",
            *(f"Time (s){part}" for part in ("", "_low", "_high", "_n")),
            "Day",
            "Note",
        ],
        ["oak 10", "-7.5", "45", "", "", "", "2025-12-31", "'-"],
        ["ash", "0.59", "45", "", "", "", "2026-02-20", 'a, "b"'],
        ["oak 9", "12", "7200", "", "", "", "2026-03-01", ""],
        ["elm", "1234", "65.25", "60.5", "70", "9", "2026-03-05", "'=1+1"],
        ["Ölbaum", "", "too few", "", "", "", "", "50 % -- α"],
        ["All", "0", "", "", "", "", "", ""],
    ]
    name, text = file_of(page, "LaTeX: Odd & ends")
    assert name == "odd.tex"
    before, rows = text.split("    \\midrule\n")
    assert before.splitlines() == [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        r"  \caption{Odd \& ends}",
        r"  \label{tab:odd}",
        r"  \begin{tabular}{lrrll}",
        r"    \toprule",
        r"    Name & Number & Time (s) & Day & Note \\",
    ]
    assert rows.splitlines()[:8] == [
        r"    oak 10 & $-$7.5 & 45 s & 31 Dec 2025 & - \\",
        r"    ash & 59 \% & 45 s & 20 Feb 2026 & a, \symbol{34}b\symbol{34} \\",
        r"    oak 9 & 12 & 2 h 00 min & 1 Mar 2026 &  \\",
        r"    elm & 1,234 & 65 s {[}60 s \textendash{} 70 s{]} {[}n = 9{]} & 5 Mar 2026 & =1+1 \\",
        r"    Ölbaum & \textendash{} & too few &  & 50 \% -{}- $\alpha$ \\",
        r"    All & 0 &  &  &  \\",
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    assert rows.endswith("\\end{table}\n")


def test_numbers_are_read_in_the_language_of_the_page(open_page: OpenPage) -> None:
    page = open_page(path="/login/", locale="de-DE")
    numbers = {"elm": "1.234", "ash": "59,5 %", "oak": "12", "fir": "−7,25"}
    rows = "".join(
        f'<tr><th>{name}</th><td class="number-cell">{number}</td><td></td><td></td><td></td></tr>'
        for name, number in numbers.items()
    )
    page.evaluate(_TABLE, [rows, "de"])
    page.get_by_role("button", name="Number", exact=True).click()
    _name, text = file_of(page, "CSV: Odd & ends")
    assert [row[:2] for row in csv.reader(text.splitlines()[1:])] == [
        ["fir", "-7.25"],
        ["ash", "0.595"],
        ["oak", "12"],
        ["elm", "1234"],
    ]


def test_latex_of_pages_and_of_the_library_is_escaped_alike(open_page: OpenPage) -> None:
    signs = "".join(chr(code) for code in (*range(0x20, 0x7F), *range(0xA1, 0x400))) + "–−±≤≥→"
    texts = [*signs.replace("\xad", ""), "a -- b --- c", "[-->]"]
    page = open_page(path="/login/")
    escaped = page.evaluate(
        "async (texts) => texts.map((await import('/static/js/tables.js')).escaped)", texts
    )
    assert escaped == [table_text.latex_escaped(text) or text for text in texts]


_FILL = """
from tomahto.interchange.reading.records import RatingRow, Source
from tasks.models import Campaign
from tasks.intake.workflow.ratings import import_ratings

import_ratings(campaign=Campaign.objects.get(slug={slug!r}), rows=[
    RatingRow(
        source=Source("ratings.jsonl", 1), item=None, item_id=f"item-{{number}}", rater="ann",
        label="equivalent" if number % 3 < number // 6 else "not-equivalent",
    )
    for number in range(1, 17)
])
"""
# as if the figures were newer: what the page has already is not sent again
_REFRESH = (
    "document.getElementById('figures').removeAttribute('hx-headers');"
    " document.getElementById('figures').dataset.before = 'yes';"
    " htmx.ajax('GET', location.pathname, {source: '#figures', target: '#figures',"
    " select: '#figures', swap: 'outerHTML'})"
)


@pytest.fixture(scope="module")
def compared(tomahto: Tomahto) -> tuple[str, Person]:
    """A campaign of three systems, and its admin."""
    slug = f"tables-{uuid.uuid4().hex[:8]}"
    systems = ("juniper", "larch", "=maple()")
    items = [
        item(number, candidate=f"far from sea {number}", systems=[systems[number // 6]])
        for number in range(1, 18)
    ]
    tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    tomahto.site.python(_FILL.format(slug=slug))
    return slug, admin


def open_systems(open_page: OpenPage, compared: tuple[str, Person], **options: Any) -> Page:
    slug, admin = compared
    page = open_page(admin, f"/login/?next=/c/{slug}/agreement/systems/", **options)
    expect(page.get_by_role("heading", name="Pairwise differences")).to_be_visible()
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_refresh_keeps_the_order_and_the_focus(
    open_page: OpenPage, compared: tuple[str, Person], theme: str
) -> None:
    page = open_systems(open_page, compared, viewport=NARROW, color_scheme=theme)
    accuracy, slug = page.locator("#accuracy-table"), compared[0]
    head = accuracy.get_by_role("button", name="System", exact=True)
    head.press("Enter")
    head.press("Enter")
    order = accuracy.locator("tbody th")
    expect(order).to_have_text(["larch", "juniper", "=maple()"])
    assert sideways(page) == 0
    assert violations(page) == []
    page.evaluate(_REFRESH)
    expect(page.locator("#figures[data-before]")).to_have_count(0)
    expect(order).to_have_text(["larch", "juniper", "=maple()"])
    expect(head).to_be_focused()
    name, text = file_of(page, "CSV: Accuracy")
    assert name == f"{slug}-accuracy.csv"
    rows = list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))
    assert [row["System"] for row in rows] == ["larch", "juniper", "'=maple()"]
    assert [row["Items_n"] for row in rows] == ["6", "5", "5"]
    assert all(0 <= float(row["Items_low"]) <= float(row["Items"]) for row in rows)


def test_without_script_a_table_stands_as_it_is(
    open_page: OpenPage, compared: tuple[str, Person]
) -> None:
    open_systems(open_page, compared)  # until the figures are there
    page = open_systems(open_page, compared, java_script_enabled=False)
    expect(page.locator("#accuracy-table tbody tr")).to_have_count(3)
    expect(page.locator("#figures button:not(.term)")).to_have_count(0)
