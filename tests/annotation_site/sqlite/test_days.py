"""The day of a stored time is the one that Django finds, whatever the zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation_site.sqlite.days import local_day

# half hours, three quarters, a change at midnight, a day left out, seconds before 1937
ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu"),
    *("America/Sao_Paulo", "Pacific/Apia", "Australia/Lord_Howe", "Europe/Amsterdam"),
)


def stored(time: datetime) -> str:
    return str(time.replace(tzinfo=None))


def expected(time: datetime, zone: str) -> str:
    return time.astimezone(ZoneInfo(zone)).date().isoformat()


FIRST, LAST = datetime.fromisoformat("1900-01-02"), datetime.fromisoformat("2090-01-01")


@given(st.datetimes(FIRST, LAST, timezones=st.just(UTC)), st.sampled_from(ZONES))
def test_a_time_has_the_day_that_its_zone_has(time: datetime, zone: str) -> None:
    assert local_day(stored(time), zone, "UTC") == expected(time, zone)


@pytest.mark.parametrize("zone", ZONES)
def test_times_around_midnights_have_their_days(zone: str) -> None:
    first = datetime(2011, 12, 28, tzinfo=UTC)
    times = [first + timedelta(minutes=15 * n, microseconds=-(n % 2)) for n in range(4 * 24 * 7)]
    found = [local_day(stored(time), zone, "UTC") for time in times]
    assert found == [expected(time, zone) for time in times]


def test_clocks_that_change_at_midnight_have_their_days() -> None:
    zone, first = "America/Sao_Paulo", datetime(2018, 2, 17, 23, tzinfo=UTC)
    times = [first + timedelta(minutes=10 * n) for n in range(36)]
    found = [local_day(stored(time), zone, "UTC") for time in times]
    assert found == [expected(time, zone) for time in times]


def test_what_is_no_time_has_no_day() -> None:
    assert local_day(None, "UTC", "UTC") is None
    assert local_day("some time in 2026 or later", "UTC", "UTC") is None
