"""Pictures inside pages: any text, names for screen readers, and looks as classes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.charts.example_charts import EXAMPLES
from tomahto.charts.chart_files import picture_of
from tomahto.charts.picture import (
    HEATS,
    SERIES,
    SHAPES,
    STEPS,
    STROKES,
    WIDTH,
    Area,
    Band,
    Dot,
    Judged,
    Line,
    Look,
    Picture,
    Spot,
    Strokes,
    Words,
    text_width,
)
from tomahto.charts.svg import svg_of

HOSTILE = '<script>alert("1")</script>&amp;\'\0\ud800'
SHOWN = '<script>alert("1")</script>&amp;\'\ufffd\ufffd'


def picture(*marks: Line | Strokes | Area | Dot | Words, spots: tuple[Spot, ...] = ()) -> Picture:
    return Picture(title="T", description="D", height=100.0, marks=marks, spots=spots)


def parsed(drawn: Picture) -> ET.Element:
    return ET.fromstring(svg_of(drawn))  # noqa: S314 - of our own making


def looks() -> Iterator[str]:
    for part in get_args(Look):
        yield from get_args(part) or [part]


def test_a_picture_is_a_group_with_a_name_and_hides_its_marks_from_screen_readers() -> None:
    root = parsed(picture(Words(1, 2, "a")))
    assert root.attrib == {
        "class": "picture",
        "viewBox": "0 0 352 100",
        "role": "group",
        "aria-label": "T",
    }
    assert [child.attrib for child in root] == [{"aria-hidden": "true"}]


def test_marks_are_where_they_are_and_have_their_looks_as_classes() -> None:
    drawn = picture(
        Line(((0, 1.25), (2, 3)), "grid"),
        Line(((0, 1), (2, 3)), "series-2", "dashed"),
        Strokes((((0, 1), (2, 3)), ((4, 5), (6, 7))), "hatch"),
        Area(((0, 0), (1, 0), (1, 1)), "band-3"),
        Dot(5, 6, "good"),
        Dot(5, 6, "bad", "triangle", 4),
        Words(7, 8, "a", "soft", "end", is_bold=True),
        Words(7, 8, "b"),
    )
    assert [(each.tag, each.attrib, each.text) for each in parsed(drawn)[0]] == [
        ("path", {"class": "line grid", "d": "M0 1.2L2 3"}, None),
        ("path", {"class": "line series-2", "stroke-dasharray": "6 2.5", "d": "M0 1L2 3"}, None),
        ("path", {"class": "line hatch", "d": "M0 1L2 3M4 5L6 7"}, None),
        ("path", {"class": "band-3", "d": "M0 0L1 0L1 1Z"}, None),
        ("circle", {"class": "good", "cx": "5", "cy": "6", "r": "4"}, None),
        ("path", {"class": "bad", "d": "M5 0.4L7.4 4.6L9.8 8.8L5 8.8L0.2 8.8L2.6 4.6Z"}, None),
        ("text", {"class": "soft bold", "x": "7", "y": "8", "text-anchor": "end"}, "a"),
        ("text", {"x": "7", "y": "8"}, "b"),
    ]


def test_any_text_is_only_text() -> None:
    spots = (Spot(0, 0, 9, 9, f"{HOSTILE}\n{HOSTILE}", '/a?b="&c=<'), Spot(0, 0, 9, 9, HOSTILE))
    drawn = replace(picture(Words(1, 2, HOSTILE), spots=spots), title=HOSTILE)
    root = parsed(drawn)
    assert {each.tag for each in root.iter()} == {"svg", "g", "text", "a", "rect"}
    assert root.get("aria-label") == SHOWN
    assert [text.text for text in root.iter("text")] == [SHOWN] * 4
    (link,) = root.iter("a")
    assert link.get("href") == '/a?b="&c=<'


@given(st.text(max_size=20), st.text(max_size=20))
def test_every_text_is_valid_xml(words: str, says: str) -> None:
    parsed(replace(picture(Words(1, 2, words), spots=(Spot(0, 0, 9, 9, says),)), title=words))


def test_spots_are_links_or_take_the_focus_and_have_their_names() -> None:
    spots = (Spot(1, 2, 3, 4, "one\ntwo", "/here"), Spot(5, 6, 7, 8, "three"))
    _, link, part = parsed(picture(spots=spots))
    assert (link.tag, link.get("href")) == ("a", "/here")
    # an attribute's line break is read as a blank
    assert link.get("aria-label") == "one two"
    assert (part.tag, part.attrib) == (
        "g",
        {"tabindex": "0", "role": "img", "aria-label": "three"},
    )
    area = {"class": "spot", "x": "1", "y": "2", "width": "3", "height": "4"}
    assert link[0].attrib == area
    # a note repeats the name for those who see it
    assert link[1].attrib == {"class": "note-box", "aria-hidden": "true"}
    assert [text.text for text in link[1].iter("text")] == ["one", "two"]


def test_a_long_line_of_a_note_is_broken_and_its_numbers_are_whole() -> None:
    name = "larch " * 20 + "11.1 % of all"
    (_, part) = parsed(picture(spots=(Spot(1, 2, 3, 4, name),)))
    assert part.get("aria-label") == name
    shown = [text.text or "" for text in part.iter("text")]
    assert len(shown) > 1
    assert all(text_width(line) < WIDTH for line in shown)
    assert " ".join(shown) == name


def test_a_very_long_name_is_shortened_in_its_note_alone() -> None:
    name = "larch " * 80 + "end"
    (_, part) = parsed(picture(spots=(Spot(1, 2, 3, 4, name),)))
    assert part.get("aria-label") == name
    shown = [text.text or "" for text in part.iter("text")]
    assert len(shown) == 4
    assert shown[0].startswith("larch")
    assert shown[-1].endswith("end")


@pytest.mark.parametrize("x", [0.0, 170.0, 340.0])
@pytest.mark.parametrize("y", [0.0, 45.0, 88.0])
def test_notes_stay_in_the_picture_and_off_their_spot(x: float, y: float) -> None:
    (note,) = (
        each
        for each in parsed(picture(spots=(Spot(x, y, 12, 12, "one\ntwo"),))).iter("g")
        if each.get("class") == "note-box"
    )
    left, top, width, height = (
        float(note[0].get(key, "")) for key in ("x", "y", "width", "height")
    )
    assert left >= 0
    assert left + width <= 352
    assert top >= 0
    assert top + height <= 100
    assert top + height <= y or top >= y + 12


@pytest.mark.parametrize("kind", EXAMPLES)
def test_classes_are_the_looks_of_marks_and_parts_of_a_picture(kind: str) -> None:
    root = parsed(picture_of(EXAMPLES[kind]))
    classes = {name for each in root.iter() for name in (each.get("class") or "").split()}
    assert classes <= {*looks(), "picture", "line", "bold", "spot", "note-box"}
    assert classes & set(SERIES)


def test_every_shape_and_stroke_is_drawn() -> None:
    dots = parsed(picture(*(Dot(9, 9, "ink", shape) for shape in SHAPES)))[0]
    assert len({ET.tostring(each) for each in dots}) == len(SHAPES)
    lines = parsed(picture(*(Line(((0, 0), (9, 9)), "ink", stroke) for stroke in STROKES)))[0]
    assert len({each.get("stroke-dasharray") for each in lines}) == len(STROKES)
    assert len({*looks()}) == 8 + sum(
        map(len, (get_args(Judged), HEATS, SERIES, STEPS, get_args(Band)))
    )
