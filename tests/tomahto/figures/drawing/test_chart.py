"""Charts as shapes on a page, places computed by hand, and as SVG and pictures."""

import io
from dataclasses import replace
from itertools import chain
from typing import TypeVar
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.figures.drawing.chart import drawn_chart
from tomahto.figures.png import png_chart
from tomahto.figures.shapes import Box, Chart, Circle, Line, Polygon, Shape, Text, text_width
from tomahto.figures.svg import svg_chart
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.figures.table_chart import TableChart

BLUE, ORANGE, GREEN = "#0072b2", "#e69f00", "#009e73"
INK = "#1a1a1a"
S = TypeVar("S", Box, Line, Circle, Polygon)


def around(value: float, reach: float) -> Estimate:
    return Estimate(value=value, low=value - reach, high=value + reach, n=9)


def table(*rows: tuple[Cell, ...], kind: str = "percent", label: str = "text") -> PaperTable:
    titles = ("Accuracy", "AUC", "Rank ρ", "Others")
    series = (
        Column(f"s{place}", title, kind)  # type: ignore[arg-type]  # one of the kinds
        for place, title in enumerate(titles[: len(rows[0]) - 1])
    )
    first = Column("name", "Name", label)  # type: ignore[arg-type]  # one of the kinds
    return PaperTable(
        key="t",
        title="T",
        columns=(first, *series),
        rows=rows,
        notes=(),
        source="s",
        reasons=("nobody rated",),
    )


def chart(kind: str, *series: str, **more: float) -> TableChart:
    return TableChart(
        kind=kind,  # type: ignore[arg-type]  # one of the kinds
        table="t",
        title="What <is> shown",
        label="name",
        series=series or ("s0",),
        across="Across",
        up="Up",
        **more,
    )


def of(drawn: Chart, shape: type[S], colour: str) -> list[S]:
    """The shapes of this kind and colour, without legend and axes."""
    return [
        each
        for each in drawn.shapes()
        if isinstance(each, shape) and each.colour == colour and lowest(each) > 20
    ]


def lowest(shape: Shape) -> float:
    return shape.corners[0][1] if isinstance(shape, Polygon) else shape.y


def texts(drawn: Chart) -> list[str]:
    return [each.text for each in drawn.shapes() if isinstance(each, Text)]


def test_points_lie_at_their_values_with_their_intervals() -> None:
    drawn = drawn_chart(
        chart("points", low=0.0, high=1.0), table(("em", around(0.5, 0.25)), ("f1", 1.0))
    )
    # names begin at 28 and take text_width("em"), the wider; two rows between 14 and 320 - 48
    left = 28 + text_width("em") + 8
    across, down = (456 - left), (272 - 14) / 4
    assert text_width("em") == pytest.approx(12 * (0.57 + 1.0))
    half, whole = of(drawn, Circle, BLUE)
    assert (half.x, half.y) == pytest.approx((left + across / 2, 14 + down))
    assert (whole.x, whole.y) == pytest.approx((456, 14 + 3 * down))
    (line,) = of(drawn, Line, BLUE)
    assert (line.x, line.to_x) == pytest.approx((left + across / 4, left + 3 * across / 4))
    assert line.y == line.to_y == 14 + down
    ticks = ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert texts(drawn) == [*ticks, "em", "f1", "Across", "Up"]
    assert (drawn.width, drawn.height, drawn.title) == (480, 320, "What <is> shown")


def test_points_of_several_series_stand_side_by_side_with_marks_of_their_own() -> None:
    drawn = drawn_chart(
        chart("points", "s0", "s1", "s2", "s3"), table(("em", 0.1, 0.2, undefined("no", n=0), 0.4))
    )
    (circle,), (square,) = of(drawn, Circle, BLUE), of(drawn, Box, ORANGE)
    (triangle,) = of(drawn, Polygon, "#cc79a7")
    assert of(drawn, Polygon, GREEN) == []
    middle = [circle.y, square.y + square.height / 2]
    assert middle[1] - middle[0] == pytest.approx(11)
    assert circle.x < square.x < triangle.corners[0][0]
    assert texts(drawn)[:4] == ["Accuracy", "AUC", "Rank ρ", "Others"]
    assert "–" in texts(drawn)


def test_a_page_grows_with_its_rows_and_cuts_long_names() -> None:
    rows = [(f"system {place} with a name that goes on and on", 0.5) for place in range(30)]
    drawn = drawn_chart(chart("points"), table(*rows))
    assert drawn.height == 2 * round((14 + 30 * 20 + 48) / 2)
    names = [text for text in texts(drawn) if text.startswith("system")]
    assert names[7].startswith("system 7 with a name")
    assert all(name.endswith("…") and text_width(name) <= 170 for name in names)
    assert all(0 <= each.y <= drawn.height for each in drawn.shapes() if isinstance(each, Text))


def test_bars_begin_at_zero_whatever_their_sign() -> None:
    drawn = drawn_chart(
        chart("bars", low=-1.0, high=1.0),
        table(("a", around(0.5, 0.25)), ("b", -0.5), ("c", None), kind="number"),
    )
    up, down = of(drawn, Box, BLUE)
    (zero,) = [
        each
        for each in drawn.shapes()
        if isinstance(each, Box) and (each.width, each.colour) == (1, INK)
    ]
    assert up.x == pytest.approx(zero.x + 0.5)
    assert down.x + down.width == pytest.approx(up.x)
    assert up.width == pytest.approx(down.width)
    (whisker,) = of(drawn, Line, INK)
    assert whisker.to_x - whisker.x == pytest.approx(up.width)
    assert "–" in texts(drawn)


def test_columns_stand_on_zero_with_whiskers() -> None:
    drawn = drawn_chart(
        chart("columns", "s0", "s1", low=0.0, high=1.0),
        table(("a", around(0.5, 0.25), 0.0), ("b", None, 1.0)),
    )
    (column,), (_flat, full) = of(drawn, Box, BLUE), of(drawn, Box, ORANGE)
    floor, top = 272.0, 30.0  # the legend takes one line
    assert (column.y, column.height) == pytest.approx((floor - 121, 121))
    assert (full.y, full.height) == pytest.approx((top, floor - top))
    assert column.width == 43.0
    (whisker,) = of(drawn, Line, INK)
    assert whisker.x == column.x + column.width / 2
    assert (whisker.y, whisker.to_y) == pytest.approx((floor - 60.5, floor - 181.5))
    assert texts(drawn)[-5:] == ["a", "b", "–", "Across", "Up"]


def test_rows_named_by_numbers_are_named_as_the_table_shows_them() -> None:
    numbered = table((1234, 0.5), (5, 0.25), label="count")
    assert {"1,234", "5"} <= set(texts(drawn_chart(chart("columns"), numbered)))
    assert {"1,234", "5"} <= set(texts(drawn_chart(chart("bars"), numbered)))


def test_columns_with_long_names_have_them_upright() -> None:
    names = ("exact", "overinclusive-invalid", "alternative-correct", "contradictory", "partial")
    drawn = drawn_chart(chart("columns"), table(*((name, 0.5) for name in names)))
    upright = [each for each in drawn.shapes() if isinstance(each, Text) and each.is_upright]
    assert [each.text for each in upright[:-1]] == list(names)
    assert all(each.anchor == "end" and each.y < 320 - 100 for each in upright[:-1])
    many = drawn_chart(chart("columns"), table(*((f"name-{n}", 0.5) for n in range(90))))
    assert sum(text.startswith("name") for text in texts(many)) == 90 / 3


def test_a_line_goes_through_its_values_in_a_band() -> None:
    drawn = drawn_chart(
        chart("line", low=0.0, high=1.0),
        table((2, 0.5), (1, around(0.5, 0.25)), (0, around(0.5, 0.5)), label="count"),
    )
    circles = of(drawn, Circle, BLUE)
    first, second, third = circles
    assert (second.x, third.x) == pytest.approx(((first.x + 460) / 2, 460))
    assert first.y == second.y == third.y == pytest.approx(143)  # between 14 and 272
    assert [(line.x, line.to_x) for line in of(drawn, Line, BLUE)] == [
        (first.x, second.x),
        (second.x, third.x),
    ]
    (band,) = of(drawn, Polygon, BLUE)
    assert band.opacity < 0.3
    assert [x for x, _ in band.corners] == [first.x, second.x, second.x, first.x]
    assert [y for _, y in band.corners] == pytest.approx([272, 207.5, 78.5, 14])


def test_a_line_is_broken_where_it_is_undefined() -> None:
    rows = [(place / 10, None if place == 2 else around(0.5, 0.1)) for place in range(4)]
    drawn = drawn_chart(chart("line"), table(*rows, label="percent"))
    assert len(of(drawn, Circle, BLUE)) == 3
    whisker, joined = of(drawn, Line, BLUE)
    assert whisker.x == whisker.to_x
    assert joined.y == joined.to_y
    assert {"0 %", "30 %"} <= set(texts(drawn))


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
        drawn_chart(bad, table(("em", 0.5))).shapes()
    with pytest.raises(KeyError, match="t has no column s9"):
        drawn_chart(chart("points", "s9"), table(("em", 0.5)))


@pytest.mark.parametrize("kind", ["points", "bars", "columns", "line"])
def test_a_table_without_rows_is_an_empty_page(kind: str) -> None:
    empty = replace(table(("em", 0.5)), rows=())
    assert texts(drawn_chart(chart(kind), empty))[-2:] == ["Across", "Up"]


def test_svg_has_every_shape() -> None:
    one = around(0.5, 0.1)
    rows: list[tuple[Cell, ...]] = [(n, one, one, one, one) for n in range(3)]
    drawn = drawn_chart(
        chart("line", "s0", "s1", "s2", "s3"),
        table(*rows, label="count"),
    )
    root = ET.fromstring(svg_chart(drawn))  # noqa: S314 - of our own making
    names = [element.tag.rpartition("}")[2] for element in root]
    assert names[0] == "title"
    # three values and one in the legend of each; a band, a diamond and a triangle are polygons
    assert (names.count("circle"), names.count("line")) == (4, 8)
    assert names.count("polygon") == 4 + 4 + 4
    band = next(element for element in root if element.get("fill-opacity"))
    assert (band.get("fill"), band.get("fill-opacity")) == (BLUE, "0.18")
    assert root.get("viewBox") == "0 0 480 320"


def test_png_shows_the_shapes() -> None:
    drawn = drawn_chart(chart("points", low=0.0, high=1.0), table(("em", around(0.5, 0.25))))
    (circle,), (line,) = of(drawn, Circle, BLUE), of(drawn, Line, BLUE)
    with Image.open(io.BytesIO(png_chart(drawn))) as picture:
        assert (picture.size, picture.mode) == ((1920, 1280), "RGB")
        blue, white = (0, 0x72, 0xB2), (255, 255, 255)
        assert picture.getpixel((round(4 * circle.x), round(4 * circle.y))) == blue
        assert picture.getpixel((round(4 * line.x) + 8, round(4 * line.y))) == blue
        assert picture.getpixel((round(4 * line.x) + 8, round(4 * line.y) + 12)) == white


def test_png_lets_what_is_below_a_band_show_through() -> None:
    rows = [(n, around(0.5, 0.3)) for n in range(50)]
    drawn = drawn_chart(chart("line", low=0.0, high=1.0), table(*rows, label="count"))
    with Image.open(io.BytesIO(png_chart(drawn))) as picture:
        pixel = picture.getpixel((4 * 300, 4 * (143 - 30)))
    # 0.18 of blue on white paper
    assert pixel == (209, 230, 241)


def test_png_has_letters_for_greek() -> None:
    pictures = {
        png_chart(drawn_chart(replace(chart("points"), across=name), table(("em", 0.5))))
        for name in ("ρ", "τ", "α")
    }
    assert len(pictures) == 3


@settings(max_examples=60)
@given(
    st.sampled_from(("points", "bars", "columns", "line")),
    st.lists(
        st.tuples(st.integers(0, 10**6), st.text(max_size=60), st.floats(-1.5, 1.5)), max_size=12
    ),
    st.integers(1, 9),
)
def test_shapes_lie_on_the_page_whatever_the_table(
    kind: str, rows: list[tuple[int, str, float]], series: int
) -> None:
    keys = [f"s{place}" for place in range(series)]
    drawn_table = PaperTable(
        key="t",
        title="T",
        columns=(
            Column("name", "Name", "count" if kind == "line" else "text"),
            *(Column(key, f"Series {key}", "percent") for key in keys),
        ),
        rows=tuple(
            (place if kind == "line" else name, *[around(value, 0.1)] * series)
            for place, name, value in rows
        ),
        notes=(),
        source="s",
    )
    drawn = drawn_chart(chart(kind, *keys), drawn_table)
    for x, y in chain.from_iterable(map(ends, drawn.shapes())):
        assert -0.001 <= x <= drawn.width + 0.001
        assert -0.001 <= y <= drawn.height + 0.001


def ends(shape: Shape) -> list[tuple[float, float]]:
    match shape:
        case Polygon():
            return list(shape.corners)
        case Box():
            return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
        case Line():
            return [(shape.x, shape.y), (shape.to_x, shape.to_y)]
        case _:
            return [(shape.x, shape.y)]
