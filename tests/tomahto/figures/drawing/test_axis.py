"""Axes whose ticks are round and hold every value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.figures.drawing.axis import Axis, Range

NUMBERS = st.floats(-1e9, 1e9).filter(lambda number: number == 0 or abs(number) > 1e-9)


def shown(axis: Axis) -> list[str]:
    return [axis.shown(tick) for tick in axis.ticks()]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ((0.62, 0.71), ["0.62", "0.64", "0.66", "0.68", "0.70", "0.72"]),
        ((-0.2, 0.1), ["−0.20", "−0.15", "−0.10", "−0.05", "0.00", "0.05", "0.10"]),
        ((0, 11_000), ["0", "2,000", "4,000", "6,000", "8,000", "10,000", "12,000"]),
        ((3.0, 3.0), ["1.5", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5"]),
        ((0.0,), ["−0.6", "−0.4", "−0.2", "0.0", "0.2", "0.4", "0.6"]),
        ((), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
    ],
)
def test_ticks_are_round(values: tuple[float, ...], ticks: list[str]) -> None:
    assert shown(Range.of(values).axis(0, 100)) == ticks


def test_given_ends_are_kept_and_named_with_their_unit() -> None:
    axis = Range.of((40.0, 60.0), low=0.0, high=100.0, unit="%").axis(100, 300)
    assert (axis.low, axis.high) == (0.0, 100.0)
    assert shown(axis) == ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
    assert [axis.place(value) for value in (0.0, 25.0, 100.0)] == [100.0, 150.0, 300.0]


def test_given_ends_make_room_for_values_beyond_them() -> None:
    axis = Range.of((-0.1, 0.5), low=0.0, high=1.0).axis(0, 100)
    assert (axis.low, axis.high) == pytest.approx((-0.2, 1.0))


def test_an_axis_may_go_up_the_page() -> None:
    axis = Range.of((0.0, 4.0)).axis(272, 72)
    assert [axis.place(value) for value in (0.0, 1.0, 4.0)] == [272.0, 222.0, 72.0]


@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_axis_holds_every_value_between_few_ticks(values: list[float]) -> None:
    axis = Range.of(values).axis(0, 100)
    assert all(-1e-3 <= axis.place(value) <= 100.001 for value in values)
    assert 2 <= len(list(axis.ticks())) <= 9
