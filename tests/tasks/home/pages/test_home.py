"""The first page: what comes next in each of one's campaigns, and on a first visit."""

import re

import pytest

from tasks.campaigns.workflow.campaign import change_settings
from tasks.intake.workflow.items import import_items
from tasks.models import Alert, AlertKind, Campaign, Flag, Membership
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.assignment import claim_item
from tasks.training.workflow import answer_item, configure_calibration, start_attempt
from tests.factories import make_campaign, make_item, make_member, make_user
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import YES_DIFFERENT, item_row, rate_next
from tomahto.interchange.reading.records import GivenAnswer


def words(member: Membership, address: str = "/") -> str:
    assert member.user is not None
    html = signed_in(member).get(address).content.decode()
    return " ".join(re.sub("<[^>]*>", " ", html.partition("<main")[2]).split())


def button(member: Membership) -> tuple[str, str]:
    """The address of the first button of the page, and its text."""
    html = signed_in(member).get("/").content.decode()
    found = re.search(r'class="button primary"\s+href="([^"]*)">([^<]*)', html)
    return (found[1], found[2].strip()) if found else ("", "")


@pytest.fixture
def campaign(db: None) -> Campaign:
    """One live item, rated once by somebody, and a calibration item."""
    campaign = make_campaign("rivers", title="Rivers")
    known = GivenAnswer("equivalent")
    rows = [item_row(1), item_row(2, purpose="calibration", expected=known)]
    import_items(campaign=campaign, rows=rows)
    return campaign


def test_a_new_rater_is_led_from_consent_to_the_last_item(campaign: Campaign) -> None:
    publish_consent_text(campaign=campaign, text="May we?")
    configure_calibration(campaign=campaign, is_required=True, pass_percent=100, attempts=2)
    rater = make_member(campaign)
    assert button(rater) == ("/c/rivers/consent/", "Read and decide")
    give_consent(membership=rater, version=1)
    assert button(rater) == ("/c/rivers/calibration/", "Go to the calibration")
    attempt = start_attempt(membership=rater)
    item = campaign.items.get(purpose="calibration")
    answer_item(attempt=attempt, item=item, answers={"q1": False, "q2": True})
    assert button(rater) == ("/c/rivers/rate/", "Start rating")
    assert "At most 10 items are left for you." in words(rater)
    rater.refresh_from_db()
    rate_next(rater)
    assert button(rater) == ("", "")
    assert "No items are left for you at the moment. 1 item rated by you" in words(rater)


def test_who_has_begun_goes_on(campaign: Campaign) -> None:
    make_item(campaign)
    rater = make_member(campaign)
    rate_next(rater)
    assert button(rater) == ("/c/rivers/rate/", "Continue rating")
    claim_item(membership=rater)
    assert button(rater) == ("/c/rivers/rate/", "Continue rating")


def test_who_has_to_wait_is_told_why(campaign: Campaign) -> None:
    rater = make_member(campaign)
    change_settings(campaign=campaign, changes={"state": "paused"})
    assert "Nobody gets items while the campaign is paused." in words(rater)
    change_settings(campaign=campaign, changes={"state": "open"})
    Membership.objects.filter(pk=rater.pk).update(is_paused=True)
    assert "The admins of the campaign have paused you." in words(rater)
    Membership.objects.filter(pk=rater.pk).update(is_paused=False)
    configure_calibration(campaign=campaign, is_required=True, pass_percent=100, attempts=1)
    attempt = start_attempt(membership=rater)
    answer_item(attempt=attempt, item=campaign.items.get(key="item-2"), answers=YES_DIFFERENT)
    assert "You have no calibration attempts left." in words(rater)
    assert button(rater) == ("", "")


def test_a_reached_quota_is_told_here_and_at_the_desk(campaign: Campaign) -> None:
    make_item(campaign)
    change_settings(campaign=campaign, changes={"rater_quota": 1})
    rater = make_member(campaign)
    assert "At most one item is left for you." in words(rater)
    rate_next(rater)
    assert "You have rated as many items as you may in this campaign." in words(rater)
    desk = words(rater, "/c/rivers/rate/")
    assert "You have rated as many items as you may in this campaign." in desk
    assert "items that others give back" not in desk


def test_an_empty_desk_thanks_nobody_for_nothing(db: None) -> None:
    desk = words(make_member(make_campaign("lakes")), "/c/lakes/rate/")
    assert "No items are left for you" in desk
    assert "You have rated" not in desk


def test_nobody_reads_that_none_of_the_ratings_are_theirs(campaign: Campaign) -> None:
    admin = make_member(campaign, "admin")
    rate_next(make_member(campaign))
    assert "1 of 2 ratings Overview" in words(admin)
    rate_next(admin)
    assert "2 of 2 ratings, 1 of them by you" in words(admin)


def test_admins_and_researchers_read_what_waits(campaign: Campaign) -> None:
    admin, researcher = make_member(campaign, "admin"), make_member(campaign, "researcher")
    rater = make_member(campaign)
    Alert.objects.create(campaign=campaign, kind=AlertKind.STALLED, evidence={"hours": 72})
    Flag.objects.create(item=campaign.items.get(key="item-1"), rater=rater, reason="It is odd.")
    assert "2 open tasks" in words(admin)
    assert "one open task" in words(researcher)
    assert "waiting" not in words(rater)


def test_an_operator_of_an_empty_site_has_two_ways_to_begin(db: None) -> None:
    operator = make_user(is_superuser=True, is_staff=True)
    html = signed_in(operator).get("/").content.decode()
    assert 'href="/campaigns/new/"' in html
    assert 'action="/demo/"' in html
    make_campaign("lakes", title="Lakes")
    html = signed_in(operator).get("/").content.decode()
    assert 'href="/c/lakes/enter/"' in html
    assert 'action="/demo/"' not in html
