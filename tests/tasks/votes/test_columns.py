"""Columns as arrays hold what the ORM gives one by one."""

from datetime import UTC, datetime

import numpy as np

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Rating
from tasks.votes.columns import Microseconds, columns_of
from tests.tasks.conftest import MakeCampaign, rating_row

TIMES = (
    datetime(2026, 5, 1, 12, 30, 1, 7, tzinfo=UTC),  # one microsecond apart
    datetime(2026, 5, 1, 12, 30, 1, 8, tzinfo=UTC),
    datetime(2026, 5, 1, 12, 30, 1, tzinfo=UTC),  # SQLite keeps no fraction
    datetime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC),
    datetime(2026, 5, 1, 12, 30, 1, 999_999, tzinfo=UTC),  # SQLite 3.40 makes it the next second
    None,
)


def test_columns_hold_numbers_and_exact_times(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=len(TIMES), overlap=1)
    rows = [
        rating_row(number, "ann", "equivalent", rated_at=time, seconds=None if number == 2 else 0.1)
        for number, time in enumerate(TIMES, start=1)
    ]
    import_ratings(campaign=campaign, rows=rows)
    stored = Rating.objects.order_by("id")
    ids, seconds, times = columns_of(
        stored.values_list("id", "seconds", Microseconds("rated_at")), int, float, float
    )
    order = np.argsort(ids)
    assert ids[order].tolist() == list(stored.values_list("id", flat=True))
    assert seconds[order].tolist()[2:] == [0.1] * 4
    assert np.isnan(seconds[order][1])
    begun = datetime(2026, 5, 1, 12, 30, 1, tzinfo=UTC).timestamp() * 1e6
    assert times[order][:5].tolist() == [*(begun + 7, begun + 8, begun, -500_000, begun + 999_999)]
    assert np.isnan(times[order][5])


def test_no_rows_are_columns_too(make_campaign: MakeCampaign) -> None:
    ids, seconds = columns_of(Rating.objects.values_list("id", "seconds"), int, float)
    assert [(str(each.dtype), len(each)) for each in (ids, seconds)] == [
        ("int64", 0),
        ("float64", 0),
    ]
