"""Charts: marks at the numbers of the table, texts that have room, and the same bytes."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from PIL import Image

from tests.extent import IS_WHOLE, mostly
from tests.tomahto.figures.drawing.example_charts import (
    EMPTY,
    EXAMPLES,
    LAYERS,
    around,
    chart,
    data,
    table,
)
from tomahto.extras import PackageMissingError
from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_data import ChartData, chart_data
from tomahto.figures.chart_files import (
    CHART_FORMATS,
    ChartFormat,
    can_be,
    chart_file,
    drawn_by,
    figure_of,
)
from tomahto.figures.chart_files import settings as chart_settings
from tomahto.figures.table_chart import TableChart

pytestmark = pytest.mark.usefixtures("drawn")  # anew, each time

KINDS = ("points", "bars", "columns", "line")
LONG = "meta-llama/Llama-3.3-70B-Instruct-Turbo, zero-shot, chain of thought, temperature "


def axes_of(chart: ChartData | StackedBars) -> Axes:
    with chart_settings():
        (axes,) = figure_of(chart).axes
    return axes


def marked(axes: Axes) -> list[list[tuple[float, ...]]]:
    """Where the marks of each series are; lines of the grid and of zero are no series."""
    lines = [line for line in axes.lines if line.get_marker() not in ("", "None", None)]
    return [[tuple(point) for point in np.asarray(line.get_xydata()).tolist()] for line in lines]


def spans(axes: Axes) -> list[list[list[float]]]:
    """The ends of all intervals that are drawn as lines."""
    held = (each for each in axes.collections if isinstance(each, LineCollection))
    return [line.tolist() for each in held for line in each.get_segments()]


def bars(axes: Axes) -> list[tuple[float, float]]:
    """Width and height of each bar."""
    boxes = (each for each in axes.patches if isinstance(each, Rectangle))
    return [(box.get_width(), box.get_height()) for box in boxes]


def undefined_marks(axes: Axes) -> int:
    return [text.get_text() for text in axes.texts].count("–")


def test_points_and_their_intervals_lie_at_the_numbers_of_the_table() -> None:
    axes = axes_of(EXAMPLES["points"])
    # two series: a lane above and one below the middle of each row
    first, second = marked(axes)
    assert [x for x, _ in first] == [50, 100]
    assert [y for _, y in first] == pytest.approx([-second[0][1], 1 - second[0][1]])
    assert second[0][0] == 10
    assert np.isnan(second[1][0])
    assert [[x for x, _ in line] for line in spans(axes)] == [[25, 75]]
    assert undefined_marks(axes) == 1
    assert axes.get_xlim() == (0, 100)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["em", "f1"]


def test_bars_begin_at_zero_whatever_their_sign() -> None:
    axes = axes_of(EXAMPLES["bars"])
    widths = [width for width, _ in bars(axes)]
    assert widths[:2] == [0.5, -0.5]
    assert np.isnan(widths[2])
    assert [[x for x, _ in line] for line in spans(axes)] == [[0.25, 0.75]]
    assert undefined_marks(axes) == 1
    low, high = axes.get_xlim()
    assert low <= -0.5
    assert high >= 0.75


def test_columns_stand_on_zero_with_whiskers() -> None:
    axes = axes_of(EXAMPLES["columns"])
    assert [height for _, height in bars(axes)] == [50, 25]
    assert spans(axes) == [[[0, 25], [0, 75]]]
    assert axes.get_ylim()[0] == 0


def test_columns_whose_names_have_no_room_lie() -> None:
    names = ("exact", "overinclusive-invalid", "alternative-correct", "contradictory", "partial")
    axes = axes_of(data("columns", *((name, 0.5) for name in names)))
    assert [width for width, _ in bars(axes)] == [50] * 5
    assert [text.get_text() for text in axes.get_yticklabels()] == list(names)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Up", "Across")


def test_a_line_goes_through_its_values_from_left_to_right() -> None:
    axes = axes_of(EXAMPLES["line"])
    assert marked(axes) == [[(0.1, 0.25), (0.5, 0.5), (0.9, 1.0)]]
    (band,) = axes.collections
    assert {tuple(corner) for corner in np.asarray(band.get_paths()[0].vertices).tolist()} >= {
        (0.5, 0.25),
        (0.5, 0.75),
    }


def test_a_line_is_broken_where_it_is_undefined() -> None:
    rows = [(place / 10, None if place == 2 else around(0.5, 0.1)) for place in range(5)]
    axes = axes_of(data("line", *rows))
    assert [np.isnan(y) for _, y in marked(axes)[0]] == [False, False, True, False, False]
    (band,) = axes.collections
    assert len(band.get_paths()) == 2


def test_layers_are_as_high_as_their_counts_and_stand_on_each_other() -> None:
    axes = axes_of(LAYERS)
    boxes = [each for each in axes.patches if isinstance(each, Rectangle)]
    assert [np.asarray(box.get_bbox().extents).tolist() for box in boxes] == [
        [0.0, 0.0, 0.5, 3.0],
        [0.5, 0.0, 1.0, 1.0],
        [0.0, 3.0, 0.5, 4.0],
        [0.5, 1.0, 1.0, 1.0],
    ]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", "0.5", "1"]


def test_layers_need_a_count_for_every_bin() -> None:
    with pytest.raises(ValueError, match="a count for every bin"):
        replace(LAYERS, layers={"equivalent": [1]})


def test_every_series_differs_from_the_others_also_without_colours() -> None:
    axes = axes_of(data("points", ("em", *[0.5] * 20)))
    marks = [(line.get_color(), line.get_marker()) for line in axes.lines if line.get_marker()]
    assert len(set(marks[:20])) == 20
    patches = axes_of(data("bars", ("em", *[0.5] * 20))).patches
    assert len({(patch.get_facecolor(), patch.get_hatch()) for patch in patches}) == 20


def test_numbers_along_an_axis_are_round() -> None:
    rows = [(1234, around(0.123, 0.01)), (5678, around(0.321, 0.01))]
    axes = axes_of(data("line", *rows, of="number"))
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]
    assert [text.get_text() for text in axes.get_xticklabels()] == [
        *("1,000", "2,000", "3,000"),
        *("4,000", "5,000", "6,000"),
    ]
    negative = axes_of(data("bars", ("a", -0.5), of="number", low=-1, high=1))
    assert negative.get_xticklabels()[0].get_text() == "−1"


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_is_an_empty_chart(kind: str) -> None:
    axes = axes_of(replace(EMPTY, chart=chart(kind)))
    low, high = axes.get_ylim() if kind == "line" else axes.get_xlim()
    assert low < high


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (chart("line"), "chart of t: a line needs numbers along its axis"),
        (chart("points", "name"), "chart of t: its series are not numbers of one unit"),
        (replace(chart("bars"), table="other"), "a chart of other cannot be drawn of t"),
    ],
)
def test_a_chart_that_does_not_fit_its_table_is_refused(bad: TableChart, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        axes_of(chart_data(bad, table(("em", 0.5))))
    with pytest.raises(KeyError, match="t has no column s9"):
        chart_data(chart("points", "s9"), table(("em", 0.5)))


def texts_without_room(figure: Figure) -> list[str]:
    """Texts that are not on the page, or lie over another by more than half a point."""
    figure.draw_without_rendering()
    shown = (text for text in figure.findobj(Text) if text.get_visible())
    boxes = [
        (each.get_text(), each.get_window_extent()) for each in shown if each.get_text().strip()
    ]
    page, half_a_point = figure.bbox.padded(0.5), figure.dpi / 144
    found = [
        text for text, box in boxes if not (page.contains(*box.min) and page.contains(*box.max))
    ]
    for (text, box), (other, over) in combinations(boxes, 2):
        common = box.intersection(box, over)
        if common and min(common.width, common.height) > half_a_point:
            found.append(f"{text} / {other}")
    return found


@pytest.mark.parametrize("kind", mostly(KINDS, "points", "line"))
@pytest.mark.parametrize("rows", mostly([1, 3, 30], 30))
@pytest.mark.parametrize("series", mostly([1, 3, 9], 3))
def test_texts_have_room(kind: str, rows: int, series: int) -> None:
    names = [row if kind == "line" else f"{LONG}{row}" for row in range(rows)]
    shown = data(kind, *((name, *[around(0.7, 0.2)] * series) for name in names), low=0, high=1)
    titled = replace(shown, chart=replace(shown.chart, across="What lies along " * 5, up="Name"))
    with chart_settings():
        figure = figure_of(titled)
        assert texts_without_room(figure) == []
    width, height = figure.get_size_inches()
    assert width == 3.3
    assert height < 10.0 or series == 9


@settings(max_examples=15 if IS_WHOLE else 5, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.lists(
        st.tuples(st.integers(0, 10**6), st.text(max_size=60), st.floats(-1.5, 1.5)),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 9),
)
def test_any_table_is_drawn_on_its_page(
    kind: str, rows: list[tuple[int, str, float]], series: int
) -> None:
    named = (
        (number if kind == "line" else name, *[around(value, 0.1)] * series)
        for number, name, value in rows
    )
    with chart_settings():
        assert texts_without_room(figure_of(data(kind, *named))) == []


NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("kind", EXAMPLES)
def test_svg_keeps_texts_title_and_description(kind: str) -> None:
    content = chart_file(EXAMPLES[kind], "svg")
    root = ET.fromstring(content)  # noqa: S314 - of our own making
    parts = [root.findtext(f"{NAMESPACE}{part}") for part in ("title", "desc")]
    assert parts == [EXAMPLES[kind].title, EXAMPLES[kind].description]
    assert root.get("role") == "img"
    texts = {"".join(text.itertext()) for text in root.iter(f"{NAMESPACE}text")}
    assert {"F1", "Items"} <= texts if kind == "histogram" else {"Across", "Up"} <= texts


def test_svg_survives_any_label() -> None:
    hostile = replace(LAYERS, layers={'<script>"&\0\ud800$x$': [1, 1], "b": [0, 0]})
    root = ET.fromstring(chart_file(hostile, "svg"))  # noqa: S314 - of our own making
    texts = {"".join(text.itertext()) for text in root.iter(f"{NAMESPACE}text")}
    assert '<script>"&\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}$x$' in texts


def test_png_is_a_column_wide_on_white_paper() -> None:
    with Image.open(io.BytesIO(chart_file(EXAMPLES["bars"], "png"))) as picture:
        assert picture.width == 990  # 3.3 inches
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_pdf_has_its_title_no_date_and_no_font_of_type_3() -> None:
    content = chart_file(EXAMPLES["points"], "pdf")
    assert content.startswith(b"%PDF-")
    assert b"/Title (What <is> shown)" in content
    assert b"Date" not in content
    assert b"/Subtype /CIDFontType2" in content
    assert b"/Subtype /Type3" not in content


_DIGESTS = """
import hashlib
from tests.tomahto.figures.drawing.example_charts import EXAMPLES
from tomahto.figures.chart_files import CHART_FORMATS, chart_file
for name, chart in EXAMPLES.items():
    for kind in CHART_FORMATS:
        print(name, kind, hashlib.sha256(chart_file(chart, kind)).hexdigest())
"""


@pytest.mark.thorough
def test_files_are_the_same_in_every_process(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.fonttype: path\n")
    ours = {"PYTHONHASHSEED": "1"}
    users = {"PYTHONHASHSEED": "2", "MATPLOTLIBRC": str(tmp_path), "TZ": "Asia/Tokyo"}
    first, second = (
        subprocess.run(
            [sys.executable, "-c", _DIGESTS],
            env=os.environ | more,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for more in (ours, users)
    )
    assert first.count("\n") == 3 * len(EXAMPLES)
    assert first == second


@pytest.mark.parametrize("kind", CHART_FORMATS)
def test_a_file_can_be_the_chart_it_shows_alone(kind: ChartFormat) -> None:
    chart, other = LAYERS, replace(LAYERS, layers={"a": [3, 1]})
    content = chart_file(chart, kind)
    assert can_be(content, chart, kind)
    assert not can_be(content, other, kind)
    assert not can_be(content[: len(content) // 2], chart, kind)
    assert not can_be(b"", chart, kind)
    # what other versions drew cannot be drawn again
    assert can_be(content.replace(drawn_by().encode(), b"Tomahto charts 0"), chart, kind)


def test_without_matplotlib_a_chart_names_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chart = LAYERS
    content = chart_file(chart, "svg")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PackageMissingError) as caught:
        chart_file(chart, "svg")
    assert str(caught.value) == (
        "this needs the package matplotlib, which is not installed: install Tomahto's extra "
        "`figures` (docs/library.md)"
    )
    assert can_be(content, chart, "svg")
    assert not can_be(b"<svg/>", chart, "svg")
