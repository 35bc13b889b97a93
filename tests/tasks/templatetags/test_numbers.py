"""Rounding for people."""

import pytest

from tasks.templatetags.numbers import count, decimals, duration, percent


def test_decimals_rounds_and_writes_a_minus_sign() -> None:
    assert [decimals(0.84449, 3), decimals(-0.5), decimals(None)] == ["0.844", "−0.50", ""]


def test_percent_is_of_a_share() -> None:
    assert [percent(0.915, 1), percent(1), percent(None)] == ["91.5 %", "100 %", ""]


def test_count_sets_thousands_apart() -> None:
    assert count(14170) == "14,170"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0, "0 s"), (59.4, "59 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")],
)
def test_duration_speaks_in_two_units(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text
