"""Progress, pace and forecast of a campaign, on both databases alike."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tasks.agreement.figures.progress_figures import DAYS_SHOWN, progress_figures
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, CampaignState, Rating
from tasks.rating.workflow.rating import submit_rating
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next, rating_row
from tomahto.estimates.forecast import forecast

DAY = timedelta(days=1)


def today() -> date:
    return timezone.localdate(timezone=timezone.get_default_timezone())


def rate(campaign: Campaign, item: int, rater: str = "ann", **changes: Any) -> None:
    import_ratings(campaign=campaign, rows=[rating_row(item, rater, "equivalent", **changes)])


def days_ago(days: int, at: time = time(12)) -> datetime:
    return datetime.combine(today() - days * DAY, at, tzinfo=UTC)


def rate_by_day(campaign: Campaign, counts: list[int]) -> None:
    """So many ratings on each of these days, the last of which was yesterday."""
    item, rows = 1, []
    for ago, count in zip(range(len(counts), 0, -1), counts, strict=True):
        for _ in range(count):
            rows.append(rating_row(item, "ann", "equivalent", rated_at=days_ago(ago)))
            item += 1
    import_ratings(campaign=campaign, rows=rows)


def test_a_campaign_without_ratings_has_no_day_and_no_forecast(
    make_campaign: MakeCampaign,
) -> None:
    assert progress_figures(make_campaign(items=2, overlap=2)) == {
        "done": 0,
        "wanted": 4,
        "undated": 0,
        "items": 2,
        "open_items": 2,
        "items_by_ratings": {"0": 2},
        "days": [],
        "raters": {"today": 0, "this_week": 0},
        "seconds": {"median": None, "n": 0, "total": 0.0, "reason": "no rating has a known time"},
        "forecast": {
            "remaining": 4,
            "days": None,
            "low": None,
            "high": None,
            "n": 0,
            "per_day": None,
            "dispersion": None,
            "confidence": 0.95,
            "reason": "ratings of 0 whole days; a forecast needs 7",
            "date": None,
            "earliest": None,
            "latest": None,
        },
    }


def test_items_are_counted_by_ratings_and_days_by_what_they_brought(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=3, overlap=2)
    rate(campaign, 1, "ann", rated_at=days_ago(2, time(0, 0)), seconds=10.0)
    rate(campaign, 1, "ben", rated_at=days_ago(2, time(23, 59, 59, 999999)), seconds=40.0)
    rate(campaign, 2, "ann", rated_at=days_ago(0, time(0, 0)), seconds=20.0)
    rate(campaign, 3, "ann")  # without a time
    rate(campaign, 2, "cat", counted=False, rated_at=days_ago(1))  # surplus
    figures = progress_figures(campaign)
    assert {name: figures[name] for name in ("done", "wanted", "undated", "open_items")} == {
        "done": 4,
        "wanted": 6,
        "undated": 1,
        "open_items": 2,
    }
    assert figures["items_by_ratings"] == {"1": 2, "2": 1}
    day = today()
    assert figures["days"] == [
        {"day": (day - 2 * DAY).isoformat(), "ratings": 2, "total": 2},
        {"day": (day - DAY).isoformat(), "ratings": 0, "total": 2},
        {"day": day.isoformat(), "ratings": 1, "total": 3},
    ]
    # 10, 20 and 40 s
    assert figures["seconds"] == {"median": 20.0, "n": 3, "total": 70.0}


def test_the_median_of_two_times_lies_between_them(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2)
    rate(campaign, 1, seconds=10.0)
    rate(campaign, 2, seconds=40.0)
    assert progress_figures(campaign)["seconds"]["median"] == 25.0


def test_raters_are_active_today_and_since_monday(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2)
    monday = today().weekday()
    rate(campaign, 1, "ann", rated_at=days_ago(0, time(0, 0)))
    rate(campaign, 2, "ann", rated_at=days_ago(0, time(0, 0)))
    rate(campaign, 1, "ben", rated_at=days_ago(monday, time(0, 0)))
    rate(campaign, 1, "cat", rated_at=days_ago(monday + 1, time(23, 59)))
    assert progress_figures(campaign)["raters"] == {
        "today": 2 if monday == 0 else 1,
        "this_week": 2,
    }


def test_a_revision_does_not_move_a_rating_to_another_day(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    rater = make_member(campaign)
    rate_next(rater)
    rating = Rating.objects.get()
    assert rating.assignment_id is not None
    submit_rating(
        assignment_id=rating.assignment_id,
        membership=rater,
        answers={"q1": True},
        idempotency_key="again",
    )
    assert Rating.objects.count() == 2
    assert progress_figures(campaign)["days"] == [
        {"day": today().isoformat(), "ratings": 1, "total": 1}
    ]


def test_long_campaigns_show_their_last_days_and_count_all(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2, overlap=1)
    rate(campaign, 1, rated_at=days_ago(DAYS_SHOWN))
    rate(campaign, 2, rated_at=days_ago(DAYS_SHOWN - 1))
    days = progress_figures(campaign)["days"]
    assert len(days) == DAYS_SHOWN
    assert (days[0]["ratings"], days[0]["total"], days[-1]["total"]) == (1, 2, 2)


def test_the_forecast_counts_from_the_whole_days_until_yesterday(
    make_campaign: MakeCampaign,
) -> None:
    counts = [2, 3, 2, 3, 2, 3, 2, 3]
    campaign = make_campaign(items=60, overlap=1)
    rate_by_day(campaign, counts)
    rate(campaign, 40, rated_at=days_ago(0, time(0, 0)))
    found = progress_figures(campaign)["forecast"]
    # 40 were missing yesterday at midnight; today's rating belongs to what is to come
    expected = forecast(counts, 40)
    assert expected.days is not None
    assert expected.low is not None
    assert expected.high is not None
    assert {name: found[name] for name in ("remaining", "n", "date", "earliest", "latest")} == {
        "remaining": 40,
        "n": 8,
        "date": (today() + (expected.days - 1) * DAY).isoformat(),
        "earliest": (today() + (expected.low - 1) * DAY).isoformat(),
        "latest": (today() + (expected.high - 1) * DAY).isoformat(),
    }


@pytest.mark.parametrize("missing", [1, 3, 30])
def test_a_forecast_is_never_in_the_past(make_campaign: MakeCampaign, missing: int) -> None:
    campaign = make_campaign(items=35 + missing, overlap=1)
    rate_by_day(campaign, [5] * 7)
    found = progress_figures(campaign)["forecast"]
    assert today().isoformat() <= found["earliest"] <= found["date"] <= found["latest"]


def test_no_forecast_where_nothing_is_to_come(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=35, overlap=1)
    rate_by_day(campaign, [5] * 7)
    assert progress_figures(campaign)["forecast"]["reason"] == "no rating is missing"


def test_a_paused_campaign_has_no_forecast(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=40, overlap=1, state=CampaignState.PAUSED)
    rate_by_day(campaign, [5] * 7)
    assert progress_figures(campaign)["forecast"]["reason"] == "the campaign is paused"
