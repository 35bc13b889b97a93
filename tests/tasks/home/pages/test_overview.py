"""The overview: what it shows of a campaign, to whom, and that its figures are those elsewhere."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tasks.agreement.workflow import assessment
from tasks.agreement.workflow.assessment import assess
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Alert, AlertKind, AlertRule, Campaign, CampaignState, Flag, Membership
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.workflow import show_all_votes
from tests.factories import make_campaign, make_items, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rate_next
from tomahto.interchange.reading.records import RatingRow, Source

STALLED = {"kind": AlertKind.STALLED, "evidence": {"hours": 72}}


def rate(campaign: Campaign, label: str, *raters: str, days_ago: int = 1, item: int = 0) -> None:
    """Imported ratings of one item of the campaign, some days ago."""
    key = list(campaign.items.order_by("id").values_list("key", flat=True))[item]
    at = timezone.now() - timedelta(days=days_ago)
    rows = [
        RatingRow(
            source=Source("r", n), item=None, item_id=key, rater=name, label=label, rated_at=at
        )
        for n, name in enumerate(raters, start=1)
    ]
    import_ratings(campaign=campaign, rows=rows)


def shown(member: Membership) -> str:
    response = signed_in(member).get(f"/c/{member.campaign.slug}/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def words(member: Membership) -> str:
    html = re.sub(r'<span id="term-.*?</span>', "", shown(member))
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def half_rated(days_later: int = 0) -> Campaign:
    """Six items; five with two ratings each, given 9 to 1 days ago or so much earlier; one
    without."""
    campaign = make_campaign("lakes", title="Lakes")
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
    share = r'All ratings of an item agree.*?<p class="big">([^<]+)</p>'
    for figure in (pattern, share):
        tile = re.compile(figure, re.DOTALL)
        on_overview, on_page = tile.search(shown(admin)), tile.search(page)
        assert on_overview is not None
        assert on_page is not None
        assert [each.strip() for each in on_overview.groups()] == [
            each.strip() for each in on_page.groups()
        ]


def test_alpha_has_the_limit_below_which_an_alert_is_raised(rated: Campaign) -> None:
    admin = make_member(rated, "admin")
    assert "An alert is raised once the whole interval is below 0.667." in words(admin)
    AlertRule.objects.create(campaign=rated, kind=AlertKind.ALPHA, is_active=False, threshold=0.5)
    assert "An alert is raised" not in words(admin)


def test_alpha_leaves_out_what_its_reader_may_still_rate(db: None) -> None:
    campaign = make_campaign("lakes", overlap=3)
    make_items(campaign, 2)
    rate(campaign, "equivalent", "ash", "elm", item=0)
    rate(campaign, "not-equivalent", "ash", "elm", item=1)
    admin = make_member(campaign, "admin")
    claim_item(membership=admin)
    assert "Without the items that you may still rate." in words(admin)
    assert "Krippendorff’s α ? Undefined:" in words(admin)
    show_all_votes(member=admin, until=None)
    assert "Krippendorff’s α ? 1.000" in words(admin)


def test_stored_figures_are_kept_from_who_may_still_rate(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessment, "LIVE_RATINGS", 1)
    campaign = make_campaign("lakes", overlap=3)
    make_items(campaign, 2)
    rate(campaign, "equivalent", "ash", "elm", item=0)
    rate(campaign, "not-equivalent", "ash", "elm", item=1)
    assess(campaign=campaign)
    rating, idle = make_member(campaign, "admin"), make_member(campaign, "admin")
    claim_item(membership=rating)
    assert "Krippendorff’s α ? Hidden" in words(rating)
    assert "All ratings of an item agree" not in words(rating)
    assert "Krippendorff’s α ? 1.000" in words(idle)
    assert "As of " in words(idle)


def test_the_pace_is_the_mean_of_the_seven_days_up_to_yesterday(rated: Campaign) -> None:
    # two ratings each 9, 7, 5, 3 and 1 days ago: 8 of them in the seven days, 8 / 7 = 1.14
    html = words(make_member(rated, "admin"))
    assert "Ratings a day 1.1 mean of the seven days" in html


def test_the_forecast_is_that_of_the_page_of_progress(rated: Campaign) -> None:
    admin = make_member(rated, "admin")
    page = signed_in(admin).get("/c/lakes/agreement/progress/").content.decode()
    on_page = re.search(r'Expected completion.*?<p class="big">([^<]+)</p>', page, re.DOTALL)
    assert on_page is not None
    assert f"Expected completion: {on_page[1].strip()}" in words(admin)


@pytest.mark.parametrize("why", ["stalled", "paused", "rated"])
def test_there_is_no_forecast_that_the_state_contradicts(db: None, why: str) -> None:
    campaign = half_rated(days_later=7 if why == "stalled" else 0)
    if why == "rated":
        rate(campaign, "equivalent", "ash", "elm", item=5)
    elif why == "paused":
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    html = words(make_member(campaign, "admin"))
    assert "Expected completion" not in html
    assert ("Ratings a day" in html) == (why != "rated")


def test_who_may_not_take_the_step_is_told_who_can(rated: Campaign) -> None:
    researcher, admin = make_member(rated, "researcher"), make_member(rated, "admin")
    Campaign.objects.filter(pk=rated.pk).update(state=CampaignState.PAUSED)
    told, button = "An admin of this campaign can do this.", 'primary" href="/c/lakes/settings/"'
    assert (told in shown(researcher), button in shown(researcher)) == (True, False)
    assert (told in shown(admin), button in shown(admin)) == (False, True)


def test_each_open_alert_is_told_by_its_sentence_up_to_five(rated: Campaign) -> None:
    admin, researcher = make_member(rated, "admin"), make_member(rated, "researcher")
    for number in range(6):
        Alert.objects.create(campaign=rated, subject=str(number), **STALLED)
    sentence = "Ratings are needed, but none has arrived for 72 hours."
    for member in (admin, researcher):
        assert words(member).count(sentence) == 5
        assert "All 6 open alerts" in words(member)
    newest = Alert.objects.latest("pk").pk
    assert f'<a href="/c/lakes/agreement/alerts/#alert-{newest}">' in shown(admin)


def test_what_waits_leads_to_where_it_is_settled(rated: Campaign) -> None:
    admin, researcher = make_member(rated, "admin"), make_member(rated, "researcher")
    rater = make_member(rated, "rater", "pine")
    Flag.objects.create(item=rated.items.latest("pk"), rater=rater, reason="It is odd.")
    Alert.objects.create(campaign=rated, **STALLED)
    html = shown(admin)
    assert re.search(r'class="button primary" href="[^"]+">View the alerts<', html)
    assert '<a href="/c/lakes/flags/">One flag to settle</a>' in html
    # two of the rated items are tied, and the flagged one wants an answer
    waiting = '<a href="/c/lakes/adjudicate/">3 items are waiting for a decision</a>'
    assert f'{waiting} <span class="hint">2 of them are ties</span>' in html
    assert "flag to settle" not in shown(researcher)


def test_raters_who_do_nothing_are_named_by_pseudonym(rated: Campaign) -> None:
    researcher = make_member(rated, "researcher")
    idle, busy, _new = (make_member(rated, "rater", name) for name in ("pine", "oak", "ash-tree"))
    Membership.objects.exclude(name="ash-tree").update(created_at=timezone.now() - timedelta(8))
    rate_next(busy)
    html = words(researcher)
    assert f"One rater has not rated for a week {idle.pseudonym}" in html
    assert "pine" not in html


def test_every_step_after_that_can_be_opened(rated: Campaign) -> None:
    for role in ("researcher", "admin"):
        member = make_member(rated, role)
        browser, html = signed_in(member), shown(member)
        lists = html.partition('class="overview-lists"')[2]
        for address in set(re.findall(r'<a href="(/c/lakes/[^"#]*)', lists)):
            assert browser.get(address).status_code == 200
    assert "Complete the datasheet" in html


def test_raters_are_taken_to_their_work(rated: Campaign) -> None:
    response = signed_in(make_member(rated)).get("/c/lakes/")
    assert (response.status_code, response["Location"]) == (302, "/c/lakes/rate/")


def test_the_number_of_queries_does_not_grow_with_the_campaign(rated: Campaign) -> None:
    browser = signed_in(make_member(rated, "admin"))
    make_member(rated)
    browser.get("/c/lakes/")
    with CaptureQueriesContext(connection) as before:
        browser.get("/c/lakes/")
    make_items(rated, 6)
    for _ in range(3):
        rate_next(make_member(rated))
    rate(rated, "equivalent", "ash", "elm", "oak", item=7)
    with CaptureQueriesContext(connection) as after:
        browser.get("/c/lakes/")
    assert len(after) == len(before)
