from datetime import date, timedelta

import pytest

from tomahto.estimates.forecast import Period, fitting_period, start_of

MONDAY = date(2024, 1, 1)


@pytest.mark.parametrize(
    ("days", "period"),
    [(0, "day"), (20, "day"), (21, "week"), (365, "week"), (366, "month"), (3000, "month")],
)
def test_period_fits_the_time_from_first_to_last(days: int, period: Period) -> None:
    assert fitting_period([MONDAY + timedelta(days=days), MONDAY]) == period


def test_without_a_day_the_period_is_a_day() -> None:
    assert fitting_period([]) == "day"


@pytest.mark.parametrize(
    ("period", "start"),
    [("day", date(2024, 2, 29)), ("week", date(2024, 2, 26)), ("month", date(2024, 2, 1))],
)
def test_periods_start_on_their_first_day(period: Period, start: date) -> None:
    assert start_of(period, date(2024, 2, 29)) == start  # a Thursday
