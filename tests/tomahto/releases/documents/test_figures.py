"""The histogram: as shapes, as SVG that can be read back, and as a picture."""

import io
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tomahto.figures.chart import StackedBars
from tomahto.figures.png import is_same_picture, png_chart
from tomahto.figures.shapes import Box, Text
from tomahto.figures.svg import svg_chart

pytestmark = pytest.mark.slow


EDGES = (0.0, 0.5, 1.0)
BLUE, ORANGE = "#0072b2", "#e69f00"


def chart(**layers: list[int]) -> StackedBars:
    return StackedBars(title="F1 <by> label", across="F1", up="Items", edges=EDGES, layers=layers)


SMALL = chart(equivalent=[3, 1], other=[1, 0])


def bars(figure: StackedBars) -> list[tuple[str, float]]:
    """Colour and height of what is drawn but the paper, the axes and the legend."""
    return [
        (shape.colour, round(shape.height, 6))
        for shape in figure.shapes()
        if isinstance(shape, Box) and shape.colour in (BLUE, ORANGE) and shape.width > 50
    ]


def test_bars_are_as_high_as_their_counts() -> None:
    # 320 - 48 below and 18 + 18 for the legend leave 236 for four items, the highest tick
    assert bars(SMALL) == [(BLUE, 177.0), (ORANGE, 59.0), (BLUE, 59.0)]
    assert SMALL.highest == 4


def test_bars_of_nothing_are_no_bars() -> None:
    empty = chart(equivalent=[0, 0])
    assert (empty.highest, bars(empty)) == (0, [])
    assert [t.text for t in empty.shapes() if isinstance(t, Text) and t.anchor == "end"] == [
        "0",
        "1",
    ]


@pytest.mark.parametrize(
    ("highest", "last", "count"), [(1, 1, 2), (5, 5, 6), (6, 6, 4), (11, 15, 4), (1768, 2000, 5)]
)
def test_ticks_are_round_and_few(highest: int, last: int, count: int) -> None:
    figure = chart(a=[highest, 0])
    ticks = [t.text for t in figure.shapes() if isinstance(t, Text) and t.anchor == "end"]
    assert (ticks[-1], len(ticks)) == (f"{last:,}", count)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=2), st.integers(1, 20))
def test_shapes_lie_on_the_page_whatever_the_counts(counts: list[int], layers: int) -> None:
    figure = chart(**{f"label-{n}": counts for n in range(layers)})
    for shape in figure.shapes():
        assert isinstance(shape, Box | Text)
        assert shape.x >= 0
        assert shape.y >= 0
        if isinstance(shape, Box):
            assert shape.x + shape.width <= 480.001


def test_layers_have_colours_of_their_own() -> None:
    figure = chart(**{f"label-{n}": [1, 0] for n in range(20)})
    colours = {shape.colour for shape in figure.shapes() if isinstance(shape, Box)}
    assert len(colours) == 20 + 3  # with paper, grid and ink


def test_chart_refuses_layers_of_other_bins() -> None:
    with pytest.raises(ValueError, match="a count for every bin"):
        chart(equivalent=[1])


def parsed(figure: StackedBars) -> "ET.Element[str]":
    return ET.fromstring(svg_chart(figure))  # noqa: S314 - of our own making


def test_svg_says_what_the_chart_says() -> None:
    root = parsed(SMALL)
    name = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{name}title") == "F1 <by> label"
    texts = [element.text for element in root.iter(f"{name}text")]
    assert texts == [
        *("equivalent", "other"),
        *("0", "1", "2", "3", "4"),
        *("0", "0.5", "1"),
        *("F1", "Items"),
    ]
    heights = [
        (rect.get("fill"), rect.get("height"))
        for rect in root.iter(f"{name}rect")
        if float(rect.get("width", "0")) > 50 and rect.get("fill") in (BLUE, ORANGE)
    ]
    assert heights == [(BLUE, "177"), (ORANGE, "59"), (BLUE, "59")]


def test_svg_survives_any_label() -> None:
    hostile = chart(**{'<script>"&\0\ud800': [1, 1]})
    texts = [element.text for element in parsed(hostile).iter()]
    assert '<script>"&\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}' in texts


def test_png_shows_the_bars() -> None:
    with Image.open(io.BytesIO(png_chart(SMALL))) as picture:
        assert (picture.size, picture.mode) == ((1920, 1280), "RGB")
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        # the left bar: blue up to 3 of 4 of its 236 units above 272, orange above that
        left = 4 * 150
        assert picture.getpixel((left, 4 * (272 - 176))) == (0, 0x72, 0xB2)
        assert picture.getpixel((left, 4 * (272 - 178))) == (0xE6, 0x9F, 0)
        assert picture.getpixel((left, 4 * (272 - 237))) == (255, 255, 255)


def test_pictures_are_the_same_but_for_the_edges_of_letters() -> None:
    same = png_chart(SMALL)
    assert is_same_picture(same, same)
    with Image.open(io.BytesIO(same)) as picture:
        fuzzy = picture.convert("RGB")
    for x in range(0, 1920, 16):
        fuzzy.putpixel((x, 100), (128, 128, 128))
    packed = io.BytesIO()
    fuzzy.save(packed, "PNG", compress_level=1)
    assert packed.getvalue() != same
    assert is_same_picture(packed.getvalue(), same)


@pytest.mark.parametrize(
    "other",
    [
        chart(equivalent=[3, 1], other=[0, 1]),
        chart(equivalent=[3, 1], others=[1, 0]),
        chart(other=[3, 1], equivalent=[1, 0]),
        chart(equivalent=[4, 1], other=[0, 0]),
    ],
)
def test_pictures_of_other_charts_are_not_the_same(other: StackedBars) -> None:
    assert not is_same_picture(png_chart(other), png_chart(SMALL))


def test_what_is_no_picture_is_not_the_same() -> None:
    small = io.BytesIO()
    Image.new("RGB", (8, 8)).save(small, "PNG")
    jpeg = io.BytesIO()
    Image.new("RGB", (1920, 1280)).save(jpeg, "JPEG")
    whole = png_chart(SMALL)
    huge = whole[:16] + (60_000).to_bytes(4, "big") * 2 + whole[24:]
    for content in (
        b"",
        b"\x89PNG",
        small.getvalue(),
        jpeg.getvalue(),
        whole[: len(whole) // 2],
        huge,
    ):
        assert not is_same_picture(content, whole)
