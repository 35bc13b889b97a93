"""What an export holds in memory does not grow with the campaign."""

from tasks.intake.workflow.ratings import import_ratings
from tasks.rating.queries.exported_ratings import exported_rows
from tests.tasks.conftest import MakeCampaign, rating_row


def test_rows_come_in_order_and_sqlite_sorts_none(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3)
    rows = [rating_row(n, rater, "equivalent") for n in (3, 1, 2) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)
    found = exported_rows(campaign, with_comments=True)
    items = [row[0] for row in found]
    assert items == sorted(items)
    assert len(items) == 6
    assert "TEMP B-TREE" not in found.explain()  # SQLite's word for it; a server has its own disk
