"""Charts show what the tables of their pages say."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils.translation import override

from tasks.templatetags.charts import chart_of, with_charts
from tests.tomahto.charts.reading import boxes, dots, reader
from tomahto.charts.chart_data import ChartData, Value
from tomahto.charts.picture import BANDS, SERIES, STEPS
from tomahto.charts.series_charts import series_chart

HEAD = """
<th scope="col">System</th>
<th scope="col" class="number-cell">Accuracy <button class="term">?</button>
  <span class="explained" popover><b>Accuracy</b> is<br> explained.</span></th>
<th scope="col" class="number-cell" data-undrawn>Words</th>
<th scope="col" class="number-cell" data-colour="step-3">Items <span class="unseen">x</span></th>
"""
ROWS = """
<tr class="first"><th scope="row" dir="auto"><a href="/a?b=1&amp;c=2">larch &lt;b&gt;</a>
    <span class="badge">imported</span></th>
  <td class="number-cell" data-value="0.5" data-low="0.25" data-high="0.75" data-n="9">50.0 %
    <span class="interval">25.0 % to 75.0 %</span> <span class="n">n = 9</span></td>
  <td>–</td><td class="number-cell" data-value="1234">1,234</td></tr>
<tr><th scope="row">thistle</th>
  <td data-value="0.125" data-low="0.1" data-high="0.2">12.5 %</td><td></td>
  <td><span class="undefined">nobody rated</span></td></tr>
<tr data-undrawn data-stays><th scope="row">whole</th>
  <td data-value="1">100 %</td><td></td><td data-value="1500">1,500</td></tr>
"""
TABLE = f"""
<table id="other"><thead><tr><th>A</th></tr></thead><tbody></tbody></table>
<table id="systems" data-sortable>
  <thead><tr>{HEAD}</tr></thead><tbody>{ROWS}</tbody><tfoot><tr><th>Sum</th></tr></tfoot>
</table>
"""


def figure(**asked: str) -> str:
    """With the table `systems` below it."""
    attributes = {"data-table": "systems", "data-title": "Accuracy &amp; items"} | {
        f"data-{name.replace('_', '-')}": value for name, value in asked.items()
    }
    written = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<figure class="chart" {written}>\n</figure>{TABLE}'


def chart(html: str = TABLE, **asked: str) -> ChartData:
    attributes = {"data-table": "systems", "data-title": "T", "data-unit": "number"}
    attributes |= {f"data-{name.replace('_', '-')}": value for name, value in asked.items()}
    data = chart_of(attributes, html)
    assert data is not None
    return data


def row_of_days(*values: float) -> str:
    rows = "".join(
        f'<tr><th data-x="{4 * day + 1}"><time datetime="2026-11-0{day}">{day}. Nov.</time></th>'
        f'<td data-value="{value}">{value}</td></tr>'
        for day, value in enumerate(values, 1)
    )
    head = '<tr><th>Day</th><th data-line="whole">In all</th></tr>'
    return f'<table id="systems"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def test_a_chart_has_the_numbers_of_its_table() -> None:
    data = chart(chart="points", unit="percent", min="0", max="1")
    accuracy, items = data.series
    assert data.names == ("larch <b>, imported", "thistle")
    assert accuracy.values == (Value(50.0, 25.0, 75.0), Value(12.5, 10.0, 20.0))
    assert (data.low, data.high, data.unit) == (0.0, 100.0, "%")
    assert [value.value for value in items.values] == [123400.0, None]
    assert (accuracy.name, items.name) == ("Accuracy", "Items")
    assert (accuracy.look, items.look) == (None, "step-3")


def test_marks_are_at_the_numbers_of_the_cells() -> None:
    data = chart(chart="bars", series="1 3")
    picture = series_chart(data)
    across = reader(picture, "x")
    widths = [round(across(right) - across(left), 3) for left, _, right, _ in boxes(picture)]
    assert widths == pytest.approx([0.5, 1234, 0.125], abs=0.01)
    days = chart(row_of_days(2, 5, 3), chart="line", x="time")
    picture = series_chart(days)
    assert [spot.text for spot in picture.spots] == [
        *("1. Nov.\nIn all: 2", "2. Nov.\nIn all: 5", "3. Nov.\nIn all: 3"),
    ]
    assert (days.numbers, days.spacing) == ((5.0, 9.0, 13.0), "names")
    up = reader(picture, "y")
    assert [up(spot.y + 5) for spot in picture.spots] == [2, 5, 3]
    assert not dots(picture)  # a whole line has no marks


def test_a_mark_says_its_cell_with_the_interval_wherever_that_stands() -> None:
    data = chart(chart="points", unit="percent")
    assert data.series[0].shown == ("50.0 %, 25.0 % to 75.0 %, n = 9", "12.5 %, 10.0 % to 20.0 %")
    assert data.series[1].shown == ("1,234", "–")
    with override("de"):
        assert chart(chart="points").series[0].shown[1] == "12.5 %, 0,100 bis 0,200"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"chart": "columns"}, {"is_sequence": True, "is_stacked": False}),
        ({"chart": "bars", "stacked": ""}, {"is_sequence": False, "is_stacked": True}),
        ({"chart": "bars", "unit": "count"}, {"is_counted": True, "unit": ""}),
        ({"chart": "bars", "x_title": "X", "y_title": "Y"}, {"across": "X", "up": "Y"}),
        # a series alone has no legend: its name stands along the axis
        ({"chart": "bars", "series": "1"}, {"across": "Accuracy", "up": ""}),
        ({"chart": "columns", "series": "3"}, {"across": "", "up": "Items"}),
        ({"chart": "bars"}, {"across": "", "up": ""}),
    ],
)
def test_attributes_say_how_a_chart_looks(asked: dict[str, str], expected: dict[str, Any]) -> None:
    data = chart(**asked)
    assert {name: getattr(data, name) for name in expected} == expected


def test_numbers_along_the_axes_are_written_in_the_language_of_the_page() -> None:
    with override("de"):
        html = with_charts(figure(chart="columns", series="3"))
    assert ">1.000</text>" in html


def test_a_figure_gets_a_picture_with_its_name_and_the_table_stays() -> None:
    html = with_charts(figure(chart="bars"))
    assert html.endswith(TABLE)
    (svg,) = re.findall(r'<figure class="chart">(<svg .*?</svg>)</figure>', html, re.DOTALL)
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert (root.attrib["role"], root.attrib["aria-label"]) == ("group", "Accuracy & items")
    labels = [spot.attrib["aria-label"] for spot in root if spot.get("tabindex")]
    assert labels[1] == "larch <b>, imported Items: 1,234"
    assert len(labels) == 4


def test_a_figure_without_numbers_is_left_out_and_others_stay_as_they_are() -> None:
    assert with_charts(figure(chart="bars", series="2")) == TABLE
    assert with_charts('<figure class="chart"><svg></svg></figure>') == (
        '<figure class="chart"><svg></svg></figure>'
    )


def test_a_figure_without_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no table 'nowhere' for a chart"):
        with_charts(figure(chart="bars").replace('data-table="systems"', 'data-table="nowhere"'))


def test_the_tag_draws_what_its_content_asks_for() -> None:
    template = Template("{% load charts %}<p>{% charts %}{{ content|safe }}{% endcharts %}</p>")
    html = template.render(Context({"content": figure(chart="bars")}))
    assert html.startswith('<p><figure class="chart"><svg class="picture"')


def test_the_sheet_colours_whatever_is_drawn() -> None:
    sheet = (settings.BASE_DIR / "static/css/dash.css").read_text()
    assert [
        look for look in (*SERIES, *STEPS, *BANDS, "paper") if f".{look} {{ fill" not in sheet
    ] == []


def test_a_chart_names_its_table_and_says_what_it_shows() -> None:
    tag = '{% chart "bars" "odd" x_title=words min=0 stacked=True %}'
    template = Template(f"{{% load charts %}}{tag} “A” &amp; &quot;B&quot; {{% endchart %}}")
    assert template.render(Context({"words": "<A>"})) == (
        '<figure class="chart" data-chart="bars" data-table="odd"'
        ' data-title="“A” &amp; &quot;B&quot;" data-x-title="&lt;A&gt;" data-min="0"'
        ' data-stacked="True"></figure>'
    )
