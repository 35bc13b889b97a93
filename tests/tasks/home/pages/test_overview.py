"""The overview: what it shows of a campaign, to whom, and that its figures are those elsewhere."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Alert, AlertKind, Campaign, CampaignState, Membership
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.browsers import signed_in
from tomahto.interchange.reading.records import RatingRow, Source


def rate(campaign: Campaign, label: str, *raters: str, days_ago: int = 1, item: int = 0) -> None:
    """Imported ratings of one item of the campaign, at noon some days ago."""
    key = list(campaign.items.order_by("id").values_list("key", flat=True))[item]
    at = timezone.now() - timedelta(days=days_ago)
    rows = [
        RatingRow(
            source=Source("r", n), item=None, item_id=key, rater=name, label=label, created_at=at
        )
        for n, name in enumerate(raters, start=1)
    ]
    import_ratings(campaign=campaign, rows=rows)


def shown(member: Membership) -> str:
    response = signed_in(member).get(f"/c/{member.campaign.slug}/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def half_rated(slug: str = "lakes", days_later: int = 0) -> Campaign:
    """Six items; five with two ratings each, given 9 to 1 days ago or so much earlier; one
    without."""
    campaign = make_campaign(slug, title="Lakes")
    make_items(campaign, 6)
    for item in range(5):
        days_ago = 9 - 2 * item + days_later
        rate(campaign, "equivalent", "ash", item=item, days_ago=days_ago)
        label = "not-equivalent" if item % 2 else "equivalent"
        rate(campaign, label, "elm", item=item, days_ago=days_ago)
    return campaign


@pytest.fixture
def rated(db: None) -> Campaign:
    return half_rated()


def test_alpha_and_its_interval_are_those_of_the_page_of_agreement(rated: Campaign) -> None:
    admin = make_member(rated, "admin")
    page = signed_in(admin).get("/c/lakes/agreement/").content.decode()
    pattern = r'Krippendorff’s α.*?<p class="big">([^<]+)</p>.*?95 % interval ([^<]+),'
    tile = re.compile(pattern, re.DOTALL)
    on_overview, on_page = tile.search(shown(admin)), tile.search(page)
    assert on_overview is not None
    assert on_page is not None
    assert on_overview.groups() == on_page.groups()


def test_the_pace_is_the_mean_of_the_seven_days_up_to_yesterday(rated: Campaign) -> None:
    # two ratings each 9, 7, 5, 3 and 1 days ago: 8 of them in the seven days, 8 / 7 = 1.14
    html = shown(make_member(rated, "admin"))
    assert re.search(r'Ratings a day</a> ?</h2><p class="big">1\.1</p>', html)
    assert "mean of the seven days" in html


def test_the_forecast_is_that_of_the_page_of_progress(rated: Campaign) -> None:
    admin = make_member(rated, "admin")
    day = re.compile(r'Expected to be done.*?<p class="big">([^<]+)</p>', re.DOTALL)
    page = signed_in(admin).get("/c/lakes/agreement/progress/").content.decode()
    on_overview, on_page = day.search(shown(admin)), day.search(page)
    assert on_overview is not None
    assert on_page is not None
    assert on_overview[1].strip() == on_page[1].strip()


@pytest.mark.parametrize("why", ["stalled", "paused", "rated"])
def test_there_is_no_forecast_that_the_state_contradicts(db: None, why: str) -> None:
    campaign = half_rated(days_later=7 if why == "stalled" else 0)
    if why == "rated":
        rate(campaign, "equivalent", "ash", "elm", item=5)
    elif why == "paused":
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    html = shown(make_member(campaign, "admin"))
    assert "Expected to be done" not in html
    if why == "rated":
        assert "Ratings a day" not in html


def test_who_may_not_take_the_step_is_told_who_can(rated: Campaign) -> None:
    researcher, admin = make_member(rated, "researcher"), make_member(rated, "admin")
    Campaign.objects.filter(pk=rated.pk).update(state=CampaignState.PAUSED)
    told = "An admin of this campaign can do this."
    assert told in shown(researcher)
    assert '<a class="button primary" href="/c/lakes/settings/">' not in shown(researcher)
    assert told not in shown(admin)
    assert '<a class="button primary" href="/c/lakes/settings/">' in shown(admin)


def test_what_waits_is_listed_once(rated: Campaign) -> None:
    Alert.objects.create(campaign=rated, kind=AlertKind.ALPHA, occasion="look 1")
    html = shown(make_member(rated, "admin"))
    assert re.search(r'id="next-title">Check the alerts<', html)
    assert "open alerts" not in html
    assert "2 items are waiting for a decision, 2 of them ties" in html


def test_every_section_has_more_than_one_link_or_none(rated: Campaign) -> None:
    for card in re.findall(
        r'<section class="card">.*?</section>', shown(make_member(rated, "admin"))
    ):
        assert card.count("<a ") != 1


def test_raters_are_taken_to_their_work(rated: Campaign) -> None:
    response = signed_in(make_member(rated)).get("/c/lakes/")
    assert (response.status_code, response["Location"]) == (302, "/c/lakes/rate/")


def test_the_number_of_queries_does_not_grow_with_the_campaign(rated: Campaign) -> None:
    browser = signed_in(make_member(rated, "admin"))
    browser.get("/c/lakes/")
    with CaptureQueriesContext(
        connection,
    ) as before:
        browser.get("/c/lakes/")
    make_items(rated, 6)
    rate(rated, "equivalent", "ash", "elm", "oak", item=7)
    with CaptureQueriesContext(connection) as after:
        browser.get("/c/lakes/")
    assert len(after) == len(before)
