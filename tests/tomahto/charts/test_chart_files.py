"""Charts as files: words that have room in the typeface of papers, and the same bytes."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from tests.sampling import IS_WHOLE, mostly
from tests.tomahto.charts.example_charts import EXAMPLES, LAYERS, around, data
from tests.tomahto.charts.reading import marks
from tomahto.charts.agreement_charts import (
    Interval,
    Moment,
    PairCell,
    Person,
    Wording,
    course_chart,
    interval_chart,
    pair_chart,
    people_chart,
)
from tomahto.charts.chart_files import (
    CHART_FORMATS,
    ChartFormat,
    chart_file,
    chart_files,
    drawn_by,
    fitting,
    picture_figure,
    picture_of,
)
from tomahto.charts.chart_files import settings as chart_settings
from tomahto.charts.picture import Picture, Words
from tomahto.charts.table import UNDEFINED
from tomahto.estimates.estimate import Estimate
from tomahto.extras import PackageMissingError

pytestmark = pytest.mark.usefixtures("drawn")  # anew, each time

KINDS = ("points", "bars", "columns", "line")
LONG = "meta-llama/Llama-3.3-70B-Instruct-Turbo, zero-shot, chain of thought, temperature "
EXTENT = 15 if IS_WHOLE else 5
# combining marks that DejaVu Sans does not have are boxes twice as high as a line
NAMES = st.text(st.characters(exclude_categories=("Cs", "Mn", "Mc", "Me")), max_size=60)


def words_without_room(picture: Picture) -> list[str]:
    """Words that are not on the page, or lie over others by more than half a point. Marks of what
    is undefined, which have no letters' height, may stand in lines close to each other."""
    with chart_settings():
        figure = picture_figure(picture)
        figure.set_dpi(300)
        figure.draw_without_rendering()
        boxes = [
            (text.get_text(), text.get_window_extent())
            for text in figure.findobj(Text)
            if text.get_text().strip() not in ("", UNDEFINED)
        ]
    half_a_point = figure.dpi / 144
    page = figure.bbox.padded(half_a_point)
    crowded = [
        text for text, box in boxes if not (page.contains(*box.min) and page.contains(*box.max))
    ]
    for (text, box), (other, over) in combinations(boxes, 2):
        common = Bbox.intersection(box, over)
        if common and min(common.width, common.height) > half_a_point:
            crowded.append(f"{text} / {other}")
    return crowded


@pytest.mark.parametrize("kind", mostly(KINDS, "points", "line"))
@pytest.mark.parametrize("rows", mostly([1, 3, 30], 30))
@pytest.mark.parametrize("series", mostly([1, 3, 9], 3))
def test_words_have_room(kind: str, rows: int, series: int) -> None:
    names = [row if kind == "line" else f"{LONG}{row}" for row in range(rows)]
    shown = data(kind, *((name, *[around(0.7, 0.2)] * series) for name in names), low=0, high=1)
    titled = replace(shown, across="What lies along " * 5, up="Name")
    picture = picture_of(titled)
    assert words_without_room(picture) == []
    assert picture.height < 1070 or series == 9  # a page of a paper


def test_words_that_have_no_room_are_seen() -> None:
    picture = picture_of(EXAMPLES["points"])
    (first,) = (words for words in marks(picture, Words) if words.text == "em")
    moved = [replace(first, y=first.y + 4), replace(first, x=1.0)]
    crowded = replace(picture, marks=(*picture.marks, *moved))
    assert words_without_room(crowded) == ["em", "em / em"]


@settings(max_examples=EXTENT, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.lists(
        st.tuples(st.integers(0, 10**6), NAMES, st.floats(-1.5, 1.5)),
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
    assert words_without_room(picture_of(data(kind, *named))) == []


@settings(max_examples=EXTENT, deadline=None)
@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=21, unique=True).map(sorted),
    st.lists(NAMES, min_size=1, max_size=9, unique=True),
    st.integers(0, 10**7),
)
def test_any_histogram_is_drawn_on_its_page(
    edges: list[float], names: list[str], count: int
) -> None:
    layers = {name: [count] * (len(edges) - 1) for name in names}
    assert words_without_room(picture_of(replace(LAYERS, edges=edges, layers=layers))) == []


VALUES = st.floats(-1, 1)
ESTIMATES = st.builds(
    lambda ends, n, held: (
        Estimate(value=ends[1], low=ends[0] if held else None, high=ends[2] if held else None, n=n)
        if n
        else Estimate(value=None, n=0, reason="nobody")
    ),
    st.tuples(VALUES, VALUES, VALUES).map(sorted),
    st.integers(0, 9),
    st.booleans(),
)
GOALS = st.none() | VALUES
DAYS = st.integers(0, 4000).map(lambda days: date(2020, 1, 1) + timedelta(days))


def wording(across: str = "", goal: str = "goal") -> Wording:
    return Wording(title="T", description="D", across=across, goal=goal)


@settings(max_examples=EXTENT, deadline=None)
@given(st.lists(st.builds(Interval, NAMES, ESTIMATES, NAMES, st.booleans())), GOALS, NAMES)
def test_any_intervals_are_drawn_on_their_page(
    rows: list[Interval], goal: float | None, name: str
) -> None:
    assert words_without_room(interval_chart(rows, wording(goal=name), goal)) == []


@settings(max_examples=EXTENT, deadline=None)
@given(st.lists(NAMES, max_size=40), st.floats(0, 1), st.booleans())
def test_any_pairs_are_drawn_on_their_page(names: list[str], shade: float, is_small: bool) -> None:
    cells = [
        PairCell(later, earlier, shade, f"−{shade:.2f}", "", is_small)
        for earlier, later in combinations(range(len(names)), 2)
    ]
    assert words_without_room(pair_chart(names, cells, wording())) == []


@settings(max_examples=EXTENT, deadline=None)
@given(
    st.lists(st.builds(Moment, DAYS, ESTIMATES, NAMES), max_size=30),
    st.lists(st.tuples(DAYS, NAMES), max_size=9),
    GOALS,
    NAMES,
)
def test_any_course_is_drawn_on_its_page(
    moments: list[Moment], events: list[tuple[date, str]], goal: float | None, name: str
) -> None:
    moments = sorted(moments, key=lambda moment: moment.start)
    assert words_without_room(course_chart(moments, events, wording(goal=name), goal)) == []


@settings(max_examples=EXTENT, deadline=None)
@given(
    st.lists(
        st.builds(
            Person, NAMES, st.just(0) | st.floats(0.01, 1e7), ESTIMATES, NAMES, st.booleans()
        ),
        max_size=30,
    ),
    st.booleans(),
    NAMES,
)
def test_any_people_are_drawn_on_their_page(
    people: list[Person], is_share: bool, across: str
) -> None:
    assert words_without_room(people_chart(people, wording(across), is_share=is_share)) == []


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
from tests.tomahto.charts.example_charts import EXAMPLES
from tomahto.charts.chart_files import CHART_FORMATS, chart_file
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
    contents = chart_files(chart)
    assert fitting(contents, chart) == {*CHART_FORMATS}
    assert fitting({kind: contents[kind]}, chart) == {kind}
    assert not fitting(contents, other)
    others = {*CHART_FORMATS} - {kind}
    for broken in (contents[kind][: len(contents[kind]) // 2], b""):
        assert fitting({**contents, kind: broken}, chart) == others
    # what other versions drew cannot be drawn again
    older = contents[kind].replace(drawn_by().encode(), b"Tomahto charts 0")
    assert fitting({**contents, kind: older}, chart) == {*CHART_FORMATS}


def test_a_chart_in_several_formats_is_that_in_each() -> None:
    for chart in EXAMPLES.values():
        contents = chart_files(chart)
        assert contents == {kind: chart_file(chart, kind) for kind in CHART_FORMATS}


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
    assert fitting({"svg": content}, chart) == {"svg"}
    assert not fitting({"svg": b"<svg/>"}, chart)
