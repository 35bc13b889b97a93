"""Agreement by period and by guideline version, from the database and from records alike."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tasks.agreement.figures.agreement_figures import time_figures
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign
from tests.tasks.conftest import (
    EQUIVALENT,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    rate_next,
    rating_row,
)
from tomahto.estimates.estimate import estimate_as_json
from tomahto.reliability.alpha import alpha, alpha_difference
from tomahto.votes.patterns import VotePatterns

Votes = dict[int, str]


def rate(campaign: Campaign, day: datetime | None, votes: Votes) -> None:
    """Rate items, each with one vote of a further rater for every letter: e or n."""
    rows = [
        rating_row(
            item,
            f"rater-{place}",
            "equivalent" if vote == "e" else "not-equivalent",
            rated_at=day,
        )
        for item, letters in votes.items()
        for place, vote in enumerate(letters)
    ]
    import_ratings(campaign=campaign, rows=rows)


def on(month: int, day: int, hour: int = 12) -> datetime:
    return datetime(2024, month, day, hour, tzinfo=UTC)


def patterns(campaign: Campaign, *votes: str) -> VotePatterns:
    names = {"e": "equivalent", "n": "not-equivalent"}
    return VotePatterns.from_votes_of_questions(
        campaign.annotation_protocol.scheme,
        [(item, [names[vote] for vote in each]) for item, each in enumerate(votes)],
    )


def summary(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["items"], row["ratings"], row["alpha"]["n"], row["alpha"]["value"]


def test_items_belong_to_the_day_of_their_last_rating(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=6, overlap=2)
    rate(campaign, on(3, 4, 0), {1: "ee", 2: "en", 3: "nn"})
    rate(campaign, on(3, 5, 23), {4: "ee", 5: "nn"})
    import_ratings(campaign=campaign, rows=[rating_row(6, "a", "equivalent", rated_at=on(3, 4))])
    import_ratings(campaign=campaign, rows=[rating_row(6, "b", "equivalent", rated_at=on(3, 5))])
    figures = time_figures(campaign)
    assert (figures["period"], figures["undated"], figures["level"]) == ("day", 0, "nominal")
    assert [row["start"] for row in figures["periods"]] == ["2024-03-04", "2024-03-05"]
    first, second = figures["periods"]
    # 3 items, D_o = 2 / 6, D_e = 2 * 3 * 3 / (6 * 5) = 0.6: alpha = 1 - 0.333 / 0.6 = 0.444
    assert summary(first) == (3, 6, 3, pytest.approx(4 / 9))
    assert summary(second) == (3, 6, 3, pytest.approx(1.0))
    assert first["pair_agreement"]["value"] == pytest.approx(2 / 3)
    assert (first["alpha"]["replicates"], first["alpha"]["seed"]) == (1000, campaign.seed)


def test_longer_campaigns_go_by_weeks_from_monday_and_by_months(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=4, overlap=2)
    rate(campaign, on(3, 3), {1: "ee"})  # a Sunday
    rate(campaign, on(3, 4), {2: "en"})
    rate(campaign, on(3, 30), {3: "nn"})
    weeks = time_figures(campaign)
    assert (weeks["period"], [row["start"] for row in weeks["periods"]]) == (
        "week",
        ["2024-02-26", "2024-03-04", "2024-03-25"],
    )
    rate(campaign, datetime(2025, 5, 2, tzinfo=UTC), {4: "ee"})
    months = time_figures(campaign)
    assert (months["period"], [(row["start"], row["items"]) for row in months["periods"]]) == (
        "month",
        [("2024-03-01", 3), ("2025-05-01", 1)],
    )


def test_items_without_a_time_are_counted_apart(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=2, overlap=2)
    rate(campaign, None, {1: "ee"})
    figures = time_figures(campaign)
    assert (figures["periods"], figures["undated"]) == ([], 1)


def test_an_empty_campaign_has_neither_periods_nor_versions(make_campaign: MakeCampaign) -> None:
    assert time_figures(make_campaign()) == {
        "level": "nominal",
        "period": "day",
        "periods": [],
        "undated": 0,
        "versions": [],
    }


def test_versions_have_the_ratings_given_under_them(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    """Two raters rate two items each under every version; a third item under both; imports."""
    campaign = make_campaign(items=6, overlap=4)
    rate(campaign, None, {6: "enn"})
    raters = [make_member(campaign) for _ in range(4)]
    first = campaign.guideline.version if campaign.guideline else None
    for rater, answers in [(raters[0], EQUIVALENT), (raters[1], YES_DIFFERENT)]:
        for _ in range(3):
            rate_next(rater, answers)
    later = publish_guideline(campaign=campaign, text="Look twice.")
    campaign.refresh_from_db()
    for rater in raters:
        rater.refresh_from_db()
    for rater in raters[2:]:
        for number in range(3):
            rate_next(rater, EQUIVALENT if number else YES_DIFFERENT)
    figures = time_figures(campaign)
    assert [row["version"] for row in figures["versions"]] == [first, later.version, None]
    before, after, imported = figures["versions"]
    # the same three items come first for all: two raters who always differ, two who never do
    assert summary(before) == (3, 6, 3, alpha(patterns(campaign, "en", "en", "en")).value)
    assert summary(after) == (3, 6, 3, pytest.approx(1.0))
    assert summary(imported)[:3] == (1, 3, 1)
    assert (before["change"], imported["change"]) == (None, None)
    assert after["change"] == estimate_as_json(
        alpha_difference(
            patterns(campaign, "en", "en", "en"),
            patterns(campaign, "nn", "ee", "ee"),
            seed=campaign.seed,
        )
    )
