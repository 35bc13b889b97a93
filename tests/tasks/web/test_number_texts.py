"""Rounding for people, in their language."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.utils.translation import override

from tasks.web.number_texts import count, decimals, duration, full, percent, points


def test_decimals_rounds_and_writes_a_minus_sign() -> None:
    assert [decimals(0.84449, 3), decimals(-0.5), decimals(None)] == ["0.844", "−0.50", ""]


def test_percent_is_of_a_share() -> None:
    assert [percent(0.915, 1), percent(1), percent(None)] == ["91.5 %", "100 %", ""]


def test_points_are_hundredths_of_a_share_with_a_true_minus_sign() -> None:
    assert [points(0.0714), points(-0.05, 0), points(None)] == ["7.1", "−5", ""]


def test_full_has_all_decimals_and_no_more() -> None:
    numbers = [full(value) for value in (0.30000000000000004, 1e-7, 12000.0, -0.5)]
    assert numbers == ["0.3", "0.0000001", "12,000", "−0.5"]
    with override("de"):
        assert full(1500.5, "%") == "1.500,5 %"


def test_count_sets_thousands_apart() -> None:
    assert count(14170) == "14,170"


@override("de")
def test_numbers_follow_the_language() -> None:
    shown = [decimals(0.84449, 3), decimals(-0.5), percent(0.915, 1), count(14170)]
    assert shown == ["0,844", "−0,50", "91,5 %", "14.170"]


def test_decimals_are_rounded_not_cut() -> None:
    assert [decimals(0.9996, 3), decimals(1e-9), percent(0.9999)] == ["1.000", "0.00", "100 %"]


@pytest.mark.parametrize(
    ("language", "short", "long"),
    [
        ("en", "5 Mar 2025, 14:03", "5 March 2025"),
        ("de", "05.03.2025, 14:03", "5. März 2025"),
    ],
)
def test_dates_follow_the_language(language: str, short: str, long: str) -> None:
    template = Template('{{ at|date:"SHORT_DATETIME_FORMAT" }}; {{ at|date:"DATE_FORMAT" }}')
    with override(language):
        shown = template.render(Context({"at": datetime(2025, 3, 5, 14, 3, tzinfo=UTC)}))
    assert shown == f"{short}; {long}"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, ""), (0, "0 s"), (59.4, "59 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")],
)
def test_duration_speaks_in_two_units(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text
