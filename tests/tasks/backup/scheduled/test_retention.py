"""Which backups stay."""

from datetime import UTC, datetime, timedelta

from tasks.backup.scheduled.retention import kept

START = datetime(2026, 3, 2, 3, tzinfo=UTC)  # a Monday


def days(*numbers: float) -> dict[float, datetime]:
    return {number: START + timedelta(days=number) for number in numbers}


def test_newest_of_each_of_some_days_and_weeks_stay() -> None:
    daily = days(*range(30))  # day 29 is a Tuesday; weeks end on days 6, 13, 20, 27
    assert kept(daily, days=3, weeks=2) == {29, 28, 27}
    assert kept(daily, days=3, weeks=4) == {29, 28, 27, 20, 13}
    assert kept(daily, days=1, weeks=0) == {29}


def test_newest_of_a_day_stays() -> None:
    assert kept(days(0, 0.1, 0.2, 1, 1.5), days=2, weeks=0) == {0.2, 1.5}


def test_days_without_a_backup_do_not_count() -> None:
    assert kept(days(0, 10, 200), days=3, weeks=0) == {0, 10, 200}


def test_a_clock_that_was_a_year_ahead_for_a_day_takes_one_day_away() -> None:
    daily = days(*range(7), 365)
    assert kept(daily, days=7, weeks=0) == {365, 6, 5, 4, 3, 2, 1}


def test_nothing_is_kept_of_nothing() -> None:
    assert kept({}, days=7, weeks=4) == set()
