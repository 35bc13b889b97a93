"""The items that train raters."""

from django.db import connection

from tasks.training.queries import calibration_items
from tests.factories import make_campaign, make_items


def test_they_are_looked_up_without_reading_all_items(db: None) -> None:
    campaign = make_campaign("rivers")
    make_items(campaign, 20)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # of twenty items it would read all
    assert "items_by_purpose" in calibration_items(campaign).explain()
