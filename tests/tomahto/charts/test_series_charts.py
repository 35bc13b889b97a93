"""Charts of tables and histograms: their marks are at the numbers of the table."""

from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

import pytest

from tests.tomahto.charts.example_charts import (
    EMPTY,
    EXAMPLES,
    LAYERS,
    around,
    chart,
    data,
    table,
)
from tests.tomahto.charts.reading import axis_texts, boxes, dots, marks, read, reader, texts
from tomahto.charts.chart_data import ChartData, Series, StackedBars, TableChart, Value, chart_data
from tomahto.charts.chart_files import picture_of
from tomahto.charts.picture import (
    HATCHES,
    SERIES,
    STROKES,
    WIDTH,
    Area,
    Line,
    Look,
    Picture,
    Strokes,
    Words,
    text_width,
)
from tomahto.charts.series_charts import series_chart, stacked_chart

KINDS = ("points", "bars", "columns", "line")


def drawn(kind: str) -> ChartData:
    shown = EXAMPLES[kind]
    assert isinstance(shown, ChartData)
    return shown


def test_points_and_their_intervals_lie_at_the_numbers_of_the_table() -> None:
    picture = series_chart(drawn("points"))
    across = reader(picture, "x")
    first, second = dots(picture, "series-1"), dots(picture, "series-2")
    assert [across(x) for x, _ in first] == [50, 100]
    assert [across(x) for x, _ in second] == [10]
    # two series: a lane above and one below the middle of each row
    assert first[0][1] < second[0][1] < first[1][1]
    (interval,) = (line for line in marks(picture, Line, "series-1"))
    assert [across(x) for x, _ in interval.points] == [25, 75]
    assert {y for _, y in interval.points} == {first[0][1]}
    assert axis_texts(picture, "x") == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    names = [words for words in marks(picture, Words, "ink") if words.anchor == "end"]
    assert [words.text for words in names] == ["em", "f1"]
    # what is undefined stands in its lane, at the beginning of the row
    (undefined,) = (words for words in marks(picture, Words) if words.text == "–")
    assert first[1][1] < undefined.y
    assert undefined.x < min(x for x, _ in (*first, *second))


def test_bars_begin_at_zero_whatever_their_sign() -> None:
    picture = series_chart(drawn("bars"))
    across = reader(picture, "x")
    ends = [(across(left), across(right)) for left, _, right, _ in boxes(picture)]
    assert ends == [(0, 0.5), (-0.5, 0)]
    interval, zero = marks(picture, Line, "ink")
    assert [across(x) for x, _ in interval.points] == [0.25, 0.75]
    assert [across(x) for x, _ in zero.points] == [0, 0]
    assert texts(picture).count("–") == 1
    low, high = axis_texts(picture, "x")[0], axis_texts(picture, "x")[-1]
    assert (low, high) == ("−0.5", "1")


def test_columns_stand_on_zero_with_whiskers() -> None:
    picture = series_chart(data("columns", ("a", around(0.5, 0.25)), ("b", 0.25), ("c", None)))
    up = reader(picture, "y")
    assert [(up(bottom), up(top)) for _, top, _, bottom in boxes(picture)] == [(0, 50), (0, 25)]
    interval, zero = marks(picture, Line, "ink")
    assert [up(y) for _, y in interval.points] == [25, 75]
    assert [up(y) for _, y in zero.points] == [0, 0]
    names = {words.text: words.x for words in marks(picture, Words) if words.anchor == "middle"}
    left, _, right, _ = boxes(picture)[0]
    assert list(names) == ["a", "b", "c", "–"]
    assert names["a"] == pytest.approx((left + right) / 2)
    assert names["–"] == names["c"]


def test_columns_whose_names_have_no_room_lie() -> None:
    names = ("exact", "overinclusive-invalid", "alternative-correct", "contradictory", "partial")
    picture = series_chart(data("columns", *((name, 0.5) for name in names)))
    across = reader(picture, "x")
    assert [across(right) - across(left) for left, _, right, _ in boxes(picture)] == [50] * 5
    shown = texts(picture)
    assert [text for text in shown if text in names] == list(names)
    # what lies up the columns now lies across
    assert shown.index("Across") == 0
    assert shown[-1] == "Up"


def test_a_line_goes_through_its_values_from_left_to_right() -> None:
    picture = series_chart(drawn("line"))
    line = marks(picture, Line, "series-1")[-1]
    assert read(picture, line.points) == [(0.1, 0.25), (0.5, 0.5), (0.9, 1.0)]
    assert read(picture, dots(picture)) == read(picture, line.points)
    # an interval without a neighbour is a stroke of its own
    stroke = marks(picture, Line, "series-1")[0]
    assert read(picture, stroke.points) == [(0.5, 0.25), (0.5, 0.75)]
    assert marks(picture, Area) == []


def test_a_line_and_its_band_are_broken_where_they_are_undefined() -> None:
    rows = [(place / 10, None if place == 2 else around(0.5, 0.1)) for place in range(5)]
    picture = series_chart(data("line", *rows, of="number"))
    lines = marks(picture, Line, "series-1")
    assert [[x for x, _ in read(picture, line.points)] for line in lines] == [[0, 0.1], [0.3, 0.4]]
    bands = marks(picture, Area, "band-1")
    corners = [(0.3, 0.6), (0.4, 0.6), (0.4, 0.4), (0.3, 0.4)]
    assert read(picture, bands[1].points) == corners
    assert len(bands) == 2
    # without its interval a value is on the line, but not in the band
    apart = (rows[0], (0.1, 0.5), *rows[2:])
    picture = series_chart(data("line", *apart, of="number"))
    assert len(marks(picture, Area, "band-1")) == 1
    assert len(dots(picture)) == 4


def test_many_points_of_a_line_are_not_marked() -> None:
    rows = [(place, place / 21) for place in range(21)]
    assert dots(series_chart(data("line", *rows))) == []
    assert len(dots(series_chart(data("line", *rows[1:])))) == 20


def test_layers_are_as_high_as_their_counts_and_stand_on_each_other() -> None:
    picture = stacked_chart(LAYERS)
    corners = [((left, bottom), (right, top)) for left, top, right, bottom in boxes(picture)]
    assert [read(picture, ends) for ends in corners] == [
        [(0, 0), (0.5, 3)],
        [(0, 3), (0.5, 4)],
        [(0.5, 0), (1, 1)],
    ]
    assert [area.look for area in marks(picture, Area)[2:]] == ["series-1", "series-2", "series-1"]
    assert axis_texts(picture, "x") == ["0", "0.5", "1"]
    assert axis_texts(picture, "y") == ["0", "1", "2", "3", "4"]
    assert [spot.text for spot in picture.spots] == [
        "0–0.5\nequivalent: 3\nother: 1",
        "0.5–1\nequivalent: 1\nother: 0",
    ]


def test_layers_need_a_count_for_every_bin() -> None:
    with pytest.raises(ValueError, match="a count for every bin"):
        replace(LAYERS, layers={"equivalent": [1]})


def test_edges_of_bins_are_named_as_far_as_they_have_room() -> None:
    edges = [place * 12345 for place in range(13)]
    picture = stacked_chart(replace(LAYERS, edges=edges, layers={"a": [1] * 12}))
    assert axis_texts(picture, "x") == ["0", "37,035", "74,070", "111,105", "148,140"]
    assert [text for text in texts(picture) if text == "a"] == []  # one layer needs no name


def test_every_series_differs_from_the_others_also_without_colours() -> None:
    points = series_chart(data("points", ("em", *[0.5] * 20)))
    named = {mark: mark.look for mark in points.marks if hasattr(mark, "shape")}
    assert len({(mark.look, mark.shape) for mark in named}) == 20
    lines = marks(series_chart(data("line", *((row, *[0.5] * 20) for row in (1, 2)))), Line)
    assert len({(line.look, line.stroke) for line in lines if line.look in SERIES}) == 20
    assert {line.stroke for line in lines} == set(STROKES)
    bars = series_chart(data("bars", ("em", *[0.5] * 20)))
    hatched = {mark.ends for mark in marks(bars, Strokes, "paper")}
    assert len(hatched) == 2 * sum(bool(HATCHES[place % len(HATCHES)]) for place in range(20))


def test_the_legend_has_the_marks_of_its_series() -> None:
    for kind in KINDS:
        label = 1 if kind == "line" else "em"
        picture = series_chart(data(kind, (label, 0.5, 0.25)))
        names = [words for words in marks(picture, Words) if words.text.startswith("Series")]
        assert [words.text for words in names] == ["Series 0", "Series 1"]
        keys = [mark for mark in picture.marks if mark.look == "series-2"]
        assert len(keys) >= 2  # in the legend, and in the plot
        alone = series_chart(data(kind, (label, 0.5)))
        assert not any(text.startswith("Series") for text in texts(alone))


def test_numbers_along_an_axis_are_round() -> None:
    rows = [(1234, around(0.123, 0.01)), (5678, around(0.321, 0.01))]
    picture = series_chart(data("line", *rows, of="number"))
    assert axis_texts(picture, "y") == ["0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]
    assert axis_texts(picture, "x") == ["1,000", "2,000", "3,000", "4,000", "5,000", "6,000"]
    negative = series_chart(data("bars", ("a", -0.5), of="number", low=-1, high=1))
    assert axis_texts(negative, "x") == ["−1", "−0.5", "0", "0.5", "1"]


@pytest.mark.parametrize("value", [0.5, 1e3, 123456.7, 1e9])
def test_every_line_across_has_its_number(value: float) -> None:
    picture = series_chart(data("points", ("a", value, value + 0.1), ("b", 0.0, None), of="number"))
    upright = [
        line for line in marks(picture, Line, "grid") if len({x for x, _ in line.points}) == 1
    ]
    assert len(axis_texts(picture, "x")) == len(upright) >= 3


def test_the_ends_of_an_axis_are_kept_unless_a_value_lies_beyond_them() -> None:
    kept = series_chart(data("points", ("a", 0.5), low=0.05, high=0.95))
    (left, right) = (reader(kept, "x")(line) for line in _plot(kept))
    assert (left, right) == (5, 95)
    passed = series_chart(data("points", ("a", 1.02), low=0.05, high=0.95))
    (left, right) = (reader(passed, "x")(line) for line in _plot(passed))
    assert left == 5
    assert right >= 102


def _plot(picture: Picture) -> tuple[float, float]:
    """Both ends of the spot, which is as wide as the plot."""
    (spot,) = picture.spots
    return spot.x, spot.x + spot.width


def test_spots_say_names_values_and_intervals_where_there_are_few() -> None:
    assert [spot.text for spot in series_chart(drawn("points")).spots] == [
        *("em\nSeries 0 (%): 50.0 [25.0, 75.0]", "em\nSeries 1 (%): 10.0"),
        *("f1\nSeries 0 (%): 100.0", "f1\nSeries 1 (%): –"),
    ]
    assert [spot.text for spot in series_chart(drawn("columns")).spots] == [
        *("a\nSeries 0 (%): 50.0 [25.0, 75.0]", "b\nSeries 0 (%): 25.0"),
    ]
    line = series_chart(drawn("line"))
    assert [spot.text for spot in line.spots] == [
        *("0.100\nSeries 0: 0.250", "0.500\nSeries 0: 0.500 [0.250, 0.750]"),
        "0.900\nSeries 0: 1.000",
    ]
    # around the dots
    assert [(spot.x + 5, spot.y + 5) for spot in line.spots] == dots(line)
    for count, said in ((30, 60), (31, 0)):
        many = series_chart(data("points", *((f"{row}", 0.5, 0.5) for row in range(count))))
        assert len(many.spots) == said


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_is_an_empty_chart(kind: str) -> None:
    picture = series_chart(replace(EMPTY, kind=kind))  # type: ignore[arg-type]  # one of the kinds
    assert axis_texts(picture, "y" if kind in ("columns", "line") else "x")
    assert picture.spots == ()


@pytest.mark.parametrize("value", [0.0, 1e-300, 1e-311, 1e300, -1e12, 0.1 + 1e-13])
@pytest.mark.parametrize("kind", KINDS)
def test_extreme_values_stay_inside(kind: str, value: float) -> None:
    row = (1.0, value, value) if kind == "line" else ("a", value, value)
    picture = series_chart(data(kind, row, of="number"))
    placed = [point for line in marks(picture, Line) for point in line.points]
    placed += [point for area in marks(picture, Area) for point in area.points]
    assert all(0 <= x <= 352 and 0 <= y <= picture.height for x, y in placed)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (chart("line"), "chart .What <is> shown.: a line needs numbers along its axis"),
        (chart("points", "name"), "chart of t: its series are not numbers of one unit"),
        (replace(chart("bars"), table="other"), "a chart of other cannot be drawn of t"),
    ],
)
def test_a_chart_that_does_not_fit_its_table_is_refused(bad: TableChart, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        series_chart(chart_data(bad, table(("em", 0.5))))
    with pytest.raises(KeyError, match="t has no column s9"):
        chart_data(chart("points", "s9"), table(("em", 0.5)))


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_picture_has_the_words_of_its_chart(kind: str) -> None:
    shown: ChartData | StackedBars = EXAMPLES[kind]
    picture = picture_of(shown)
    assert (picture.title, picture.description) == (shown.title, shown.description)
    assert picture_of(picture) is picture


# --- Charts of pages ---


def page_chart(kind: str, *values: tuple[float | None, ...], **more: Any) -> ChartData:
    """A series for each of these; the rows are named a, b, …"""
    series = [
        Series(f"s{place}", f"S{place}", tuple(map(Value, column)), tuple(map(str, column)))
        for place, column in enumerate(values)
    ]
    names = tuple("abcdefghijklmnopqrstuvwxyz"[: len(values[0])])
    defaults: dict[str, Any] = {"title": "T", "across": "", "up": "", "names": names}
    return ChartData(kind=kind, **(defaults | {"series": tuple(series)} | more))  # type: ignore[arg-type]  # one of the kinds


@pytest.mark.parametrize(("kind", "along"), [("bars", "x"), ("columns", "y")])
def test_stacked_bars_lie_one_after_the_other(kind: str, along: Literal["x", "y"]) -> None:
    values = ((3, 0, None), (1, 4, None), (2, 1, None))
    picture = series_chart(page_chart(kind, *values, is_stacked=True, is_counted=True))
    read_off = reader(picture, along)
    first, last = (0, 2) if along == "x" else (3, 1)
    for look, ends in zip(SERIES, ([(0, 3)], [(3, 4), (0, 4)], [(4, 6), (4, 5)]), strict=False):
        bars = boxes(picture, look)
        assert [(read_off(bar[first]), read_off(bar[last])) for bar in bars] == ends
    assert axis_texts(picture, along)[-1] == "6"
    assert [spot.text for spot in picture.spots] == [
        *("a\nS0: 3\nS1: 1\nS2: 2", "b\nS1: 4\nS2: 1", "c"),
    ]


def test_columns_of_a_sequence_stand_and_leave_names_out_that_have_no_room() -> None:
    names = tuple(f"{day} November 2026" for day in range(1, 21))
    data = page_chart("columns", tuple(range(20)), names=names, is_sequence=True)
    picture = series_chart(data)
    up = reader(picture, "y")
    assert [up(top) for _, top, _, _ in boxes(picture)] == list(range(20))
    written = [words for words in marks(picture, Words) if words.text in names]
    assert 1 < len(written) < 20
    ends = [(words.x - text_width(words.text) / 2, text_width(words.text)) for words in written]
    assert all(x + width <= after for (x, width), (after, _) in pairwise(ends))
    assert min(x for x, _ in ends) >= 0
    assert max(x + width for x, width in ends) <= WIDTH


@pytest.mark.parametrize(
    ("spacing", "numbers", "shares"),
    [
        ("names", (0.0, 3.0, 4.0), (0, 0.75, 1)),
        ("logs", (10.0, 100.0, 100000.0), (0, 0.25, 1)),
        ("names", (7.0,), (0.5,)),
    ],
)
def test_a_line_has_the_names_of_its_rows_at_their_numbers_or_their_logarithms(
    spacing: str, numbers: tuple[float, ...], shares: tuple[float, ...]
) -> None:
    values = tuple(range(len(numbers)))
    data = page_chart("line", values, numbers=numbers, spacing=spacing)
    picture = series_chart(data)
    places = [x for x, _ in dots(picture)]
    named = {words.text: words.x for words in marks(picture, Words, "soft")}
    assert [named[name] for name in data.names] == places
    grid = [line.points[0][0] for line in marks(picture, Line, "grid") if is_upright(line)]
    assert grid == places
    level = next(line for line in marks(picture, Line, "grid") if not is_upright(line))
    (begin, _), (end, _) = level.points
    assert [(x - begin) / (end - begin) for x in places] == pytest.approx(shares)


def is_upright(line: Line) -> bool:
    return line.points[0][0] == line.points[-1][0]


def test_the_last_day_is_written_and_those_without_room_are_not() -> None:
    names = tuple(f"{day} November 2026" for day in range(1, 27))
    values = tuple(range(26))
    data = page_chart("line", values, names=names, numbers=values, spacing="names")
    written = [text for text in texts(series_chart(data)) if text in names]
    assert (written[0], written[-1]) == (names[0], names[-1])
    assert len(written) < 6


def test_a_line_with_a_stroke_has_no_marks_and_a_broken_one_no_band() -> None:
    series = Series("s", "S", (Value(1, 0, 2), Value(2, 1, 3)), ("1", "2"))
    for stroke, bands in (("solid", 1), ("dashed", 0), ("dotted", 0)):
        styled = replace(series, stroke=stroke)  # type: ignore[arg-type]  # one of them
        data = page_chart("line", (1, 2), numbers=(1.0, 2.0), series=(styled, series))
        picture = series_chart(data)
        line = next(mark for mark in marks(picture, Line, "series-1") if len(mark.points) == 2)
        assert line.stroke == stroke
        assert not dots(picture, "series-1")
        assert len(dots(picture, "series-2")) == 2
        assert len(marks(picture, Area, "band-1")) == bands
        assert len(marks(picture, Area, "band-2")) == 1
        assert len(picture.spots) == 4


def test_a_series_has_the_colour_that_it_asks_for_in_the_legend_too() -> None:
    shown = page_chart("bars", (1.0,), (2.0,), is_stacked=True)
    looks: tuple[Look, ...] = ("step-8", "soft")
    series = tuple(replace(each, look=look) for each, look in zip(shown.series, looks, strict=True))
    picture = series_chart(replace(shown, series=series))
    assert [area.look for area in marks(picture, Area)] == [*looks, *looks]
    banded = Series("s", "S", (Value(1, 0, 2), Value(1, 0, 2)), ("1", "1"), look="series-4")
    data = page_chart("line", (1, 1), numbers=(1.0, 2.0), series=(banded,))
    assert {area.look for area in marks(series_chart(data), Area)} == {"band-4"}


def test_whole_numbers_have_whole_ones_along_their_axis() -> None:
    for kind, along in (("bars", "x"), ("columns", "y")):
        shown = series_chart(page_chart(kind, (1.0, 2.0), is_counted=True, is_sequence=True))
        assert axis_texts(shown, along) == ["0", "1", "2"]  # type: ignore[arg-type]  # x or y
    line = series_chart(page_chart("line", (0.5, 1.5), numbers=(1.0, 2.0)))
    assert axis_texts(line, "x") == ["1", "2"]
    assert "0.6" in axis_texts(line, "y")


def test_numbers_along_an_axis_are_written_as_asked() -> None:
    data = page_chart("columns", (0.5, 1.0), number=lambda number, unit: f"<{number:.1f}{unit}>")
    assert "<0.8%>" in texts(series_chart(replace(data, unit="%")))


def test_a_logarithmic_axis_needs_numbers_above_zero() -> None:
    with pytest.raises(ValueError, match=r"^chart 'T': no logarithm of 0$"):
        page_chart("line", (1, 2), numbers=(0.0, 1.0), spacing="logs")
