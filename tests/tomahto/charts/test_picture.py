"""Pictures: room for words, round numbers, shapes and hatches."""

import math
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.ft2font import FT2Font, LoadFlags

from tomahto.charts.picture import (
    HATCHES,
    SHAPES,
    TEXT,
    Dot,
    Hatch,
    Shape,
    corners,
    fitted,
    hatching,
    in_lines,
    round_steps,
    text_width,
)


@pytest.mark.parametrize(("name", "is_bold"), [("DejaVuSans", False), ("DejaVuSans-Bold", True)])
def test_no_letter_is_wider_on_paper_than_it_is_taken_for(name: str, is_bold: bool) -> None:
    font = FT2Font(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"))
    font.set_size(TEXT, 72)
    widths = {
        chr(point): font.load_char(point, LoadFlags.NO_HINTING).linearHoriAdvance / 2**16
        for point in font.get_charmap()
    }
    assert len(widths) > 5000
    taken = {letter: text_width(letter, is_bold=is_bold) for letter in widths}
    assert [letter for letter in widths if widths[letter] > taken[letter]] == []
    # and a usual text is not taken for much wider
    usual = "Agreement of raters beyond chance: 0.75 [0.62, 0.81]"
    assert text_width(usual, is_bold=is_bold) < 1.15 * sum(map(widths.__getitem__, usual))


@given(st.text(max_size=90), st.floats(20, 300), st.integers(1, 4))
def test_words_that_are_broken_fit(text: str, width: float, most: int) -> None:
    lines = in_lines(text, width, most)
    assert len(lines) <= most
    assert max(map(text_width, lines)) <= width
    assert text_width(fitted(text, width, is_bold=True), is_bold=True) <= width


def test_a_text_is_broken_after_words_and_shortened_in_its_middle() -> None:
    text = "one question (by two people), another question"
    assert in_lines(text, 120, 5) == ["one question (by", "two people),", "another question"]
    assert in_lines(text, 120, 2) == ["one question (by", "two peopl…question"]
    assert in_lines("short", 120, 2) == ["short"]
    assert fitted("\n a\tb ", 120) == "a b"
    assert fitted("anything", 3) == "…"


def test_numbers_along_a_scale_are_round() -> None:
    assert round_steps(0.61, 1.0, 5) == [0.7, 0.8, 0.9, 1.0]
    assert round_steps(0.61, 1.0, 6, is_beyond=True) == [0.6, 0.7, 0.8, 0.9, 1.0]
    assert round_steps(0, 3, 7, least=1.0) == [0, 1, 2, 3]
    assert round_steps(0, 3, 7) == [0, 0.5, 1, 1.5, 2, 2.5, 3]
    with pytest.raises(ValueError, match=r"^no scale from 1 to 1$"):
        round_steps(1, 1, 5)


@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9), st.integers(3, 9), st.booleans())
def test_numbers_along_any_scale_are_as_many_as_have_room(
    low: float, length: float, most: int, is_beyond: bool
) -> None:
    high = low + max(length, 1e-6 * abs(low))
    steps = round_steps(low, high, most, is_beyond=is_beyond)
    assert len(steps) <= most
    assert steps == sorted(set(steps))
    slack = 1e-6 * (high - low)
    if is_beyond:
        assert steps[0] <= low + slack
        assert steps[-1] >= high - slack
    else:
        assert all(low - slack <= step <= high + slack for step in steps)


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_shapes_are_about_as_large_as_the_circle(shape: Shape) -> None:
    points = corners(Dot(10.0, 20.0, "ink", shape, 4.0))
    turned = [*points[1:], points[0]]
    area = abs(sum(x * v - u * y for (x, y), (u, v) in zip(points, turned, strict=True))) / 2
    assert 0.45 < area / (math.pi * 4**2) < 1.2
    assert sum(x for x, _ in points) / len(points) == pytest.approx(10)
    assert sum(y for _, y in points) / len(points) == pytest.approx(20)


@given(st.sampled_from(HATCHES), st.floats(0, 200), st.floats(0, 200), st.floats(2, 10))
def test_hatches_stay_in_their_box(hatch: Hatch, width: float, height: float, step: float) -> None:
    ends = hatching(3.0, 5.0, width, height, hatch, step=step).ends
    assert all(
        3 - 1e-9 <= x <= 3 + width + 1e-9 and 5 - 1e-9 <= y <= 5 + height + 1e-9
        for line in ends
        for x, y in line
    )
    assert bool(ends) or not hatch or min(width, height) <= step


def test_hatches_differ() -> None:
    drawn = {hatch: hatching(0, 0, 20, 10, hatch).ends for hatch in HATCHES}
    assert len(set(drawn.values())) == len(HATCHES)
    # from the lower left to the upper right: y goes down
    assert drawn["rising"][0] == ((0, 3), (3, 0))
    assert drawn["falling"][0] == ((20, 3), (17, 0))
    assert drawn["level"][0] == ((0, 1.5), (20, 1.5))
    assert drawn["upright"][0] == ((1.5, 0), (1.5, 10))
