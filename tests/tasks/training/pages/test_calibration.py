"""The calibration pages, as a browser without JavaScript sees them."""

import re
from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.models import (
    Assignment,
    CalibrationAnswer,
    CalibrationAttempt,
    Campaign,
    Membership,
    Rating,
)
from tasks.people.workflow.members import publish_consent_text
from tasks.training.queries import run_of
from tests.factories import make_item, make_member
from tests.tasks.browsers import signed_in
from tomahto.interchange.reading.records import GivenAnswer

pytestmark = pytest.mark.slow


PAGE = "/c/rivers/calibration/"
SECRET = "Because the spring is named."
EQUIVALENT = {"q1": "no", "q2": "yes"}
DIFFERENT = {"q1": "yes"}


@pytest.fixture
def training(campaign: Campaign) -> Campaign:
    """The campaign with two calibration items, both equivalent; two attempts, both right."""
    for _item in range(2):
        make_item(
            campaign,
            purpose="calibration",
            expected=GivenAnswer(None, {"q1": False, "q2": True}),
            explanation=SECRET,
        )
    campaign.requires_calibration = True
    campaign.calibration_attempts = 2
    campaign.save()
    return campaign


def next_item(client: Client) -> str:
    """The address of the item whose turn it is."""
    client.post(f"{PAGE}start/")
    attempt = CalibrationAttempt.objects.latest("pk")
    item = run_of(attempt).next_item
    assert item is not None
    return f"{PAGE}{attempt.number}/{item.pk}/"


def submit(client: Client, address: str, answers: dict[str, str]) -> Any:
    return client.post(address, {"action": "submit", "asked": "q1", **answers})


def go_through(client: Client, answers: dict[str, str]) -> str:
    """One attempt; the page at its end."""
    for _item in range(2):
        submit(client, next_item(client), answers)
    return " ".join(client.get(PAGE).content.decode().split())


def test_rate_leads_to_the_calibration_and_before_it_to_the_consent(
    training: Campaign, rater: Membership
) -> None:
    client = signed_in(rater)
    assert client.get("/c/rivers/rate/")["Location"] == PAGE
    assert not Assignment.objects.exists()
    publish_consent_text(campaign=training, text="Take part?")
    assert client.get("/c/rivers/rate/")["Location"] == "/c/rivers/consent/"
    assert client.get(PAGE)["Location"] == "/c/rivers/consent/"
    assert client.post(f"{PAGE}start/")["Location"] == "/c/rivers/consent/"
    assert not CalibrationAttempt.objects.exists()


def test_start_shows_the_guidelines_and_what_is_needed(
    training: Campaign, rater: Membership
) -> None:
    html = signed_in(rater).get(PAGE).content.decode()
    assert "you judge 2 items whose answers are known" in html
    assert "You have 2 attempts." in html
    assert "Answer equivalence" in html
    assert not CalibrationAttempt.objects.exists()


def test_nothing_expected_is_shown_before_the_answer(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address = next_item(client)
    before = [
        client.get(PAGE, follow=True),
        client.get(address),
        client.post(address, {"action": "next", "asked": "q1", "q1": "no"}),
        client.post(address, {"action": "next", "asked": "q1"}),
        client.post(address, {"action": "previous", "q1": "no"}),
        client.get("/c/rivers/history/"),
        client.get("/c/rivers/guidelines/"),
    ]
    assert [page.status_code for page in before] == [200, 200, 200, 422, 200, 200, 200]
    for page in before:
        assert SECRET not in page.content.decode()
        assert "<dt>Expected</dt>" not in page.content.decode()
    submit(client, address, DIFFERENT)
    assert SECRET in client.get(address).content.decode()
    assert SECRET not in client.get(next_item(client)).content.decode()


def test_answer_is_judged_at_once(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address = next_item(client)
    response = submit(client, address, DIFFERENT)
    assert (response.status_code, response["Location"]) == (303, address)
    html = " ".join(client.get(address).content.decode().split())
    assert "Another answer was expected" in html
    given = '<b>Not equivalent</b> <span class="hint">1 Yes</span>'
    expected = '<b>Equivalent</b> <span class="hint">1 No · 2 Yes</span>'
    assert f'<dt>Your answer</dt><dd lang="en">{given}</dd>' in html
    assert f'<dt>Expected</dt><dd lang="en">{expected}</dd>' in html
    assert SECRET in html
    assert "<b>1</b> of 2 items answered" in html


def test_a_campaign_that_asks_in_german_says_its_verdicts_in_it(
    training: Campaign, rater: Membership
) -> None:
    change_settings(campaign=training, changes={"form_languages": "de"})
    client = signed_in(rater)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    address = next_item(client)
    assert ">Ist die zweite Antwort eine völlig andere Antwort?<" in (
        client.get(address).content.decode()
    )
    submit(client, address, DIFFERENT)
    given = '<dd lang="de"><b>Nicht gleichwertig</b> <span class="hint">1 Ja</span></dd>'
    assert given in " ".join(client.get(address).content.decode().split())
    submit(client, next_item(client), DIFFERENT)
    html = " ".join(client.get(PAGE).content.decode().split())
    assert (given in html, '<dt lang="de">Zweite Antwort</dt>' in html) == (True, True)


def test_steps_without_javascript_store_one_answer(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address = next_item(client)
    page = client.post(address, {"action": "next", "asked": "q1", "q1": "no"}).content.decode()
    assert 'name="asked" value="q2"' in page
    assert re.search(r'name="q1" value="no"[^>]* checked', page)
    page = client.post(
        address, {"action": "previous", "asked": "q2", "q1": "no", "q2": "yes"}
    ).content.decode()
    assert 'name="asked" value="q1"' in page
    assert not CalibrationAnswer.objects.exists()
    assert submit(client, address, EQUIVALENT).status_code == 303
    assert CalibrationAnswer.objects.get().outcome_id == "ae:q1=no,q2=yes"


def test_answer_out_of_turn_stores_nothing(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address = next_item(client)
    later = run_of(CalibrationAttempt.objects.get()).items[1]
    other = f"{PAGE}1/{later.pk}/"
    assert other != address
    assert submit(client, other, EQUIVALENT)["Location"] == PAGE
    assert client.get(other)["Location"] == PAGE
    assert not CalibrationAnswer.objects.exists()


@pytest.mark.parametrize(
    "body", [{"action": "unheard-of", "q1": "yes"}, {"action": "submit", "q1": "perhaps"}]
)
def test_nonsense_is_refused(training: Campaign, rater: Membership, body: dict[str, str]) -> None:
    client = signed_in(rater)
    assert client.post(next_item(client), body).status_code == 400
    assert not CalibrationAnswer.objects.exists()


def test_failing_shows_the_differences_and_what_is_left(
    training: Campaign, rater: Membership
) -> None:
    client = signed_in(rater)
    html = go_through(client, DIFFERENT)
    assert "Calibration not passed yet" in html
    assert "<b>0 of 2</b> answers were as expected; 2 are needed to pass (80 %)." in html
    assert "You have one more attempt." in html
    assert html.count(SECRET) == 2
    assert "Try again" in html
    assert 'data-dialog="guidelines"' in html
    assert client.get("/c/rivers/rate/")["Location"] == PAGE
    html = go_through(client, DIFFERENT)
    assert "You have used all your attempts." in html
    assert "Try again" not in html
    assert client.post(f"{PAGE}start/")["Location"] == PAGE
    assert CalibrationAttempt.objects.count() == 2


def test_passing_opens_the_way_to_live_items(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    html = go_through(client, EQUIVALENT)
    assert "Calibration passed" in html
    assert "Start rating" in html
    assert client.get("/c/rivers/rate/").status_code == 200
    assert Assignment.objects.get().item.purpose == "live"
    assert not Rating.objects.exists()


def test_answers_of_another_member_are_not_there(training: Campaign, rater: Membership) -> None:
    client = signed_in(rater)
    address = next_item(client)
    submit(client, address, DIFFERENT)
    other = signed_in(make_member(training))
    assert other.get(address).status_code == 404
    next_item(other)
    # now there is an attempt 1 of the other member, in which the item is not answered
    assert SECRET not in other.get(address, follow=True).content.decode()


def test_no_calibration_without_items(rater: Membership) -> None:
    client = signed_in(rater)
    assert client.get(PAGE).status_code == 404
    assert client.post(f"{PAGE}start/").status_code == 404


def test_settings_require_calibration_only_with_items(
    campaign: Campaign, admin: Membership
) -> None:
    client = signed_in(admin)
    body = {"is_required": "on", "pass_percent": "75", "attempts": "1"}
    response = client.post("/c/rivers/settings/calibration/", body)
    assert response.status_code == 422
    assert "There are no calibration items yet. Import some first." in response.content.decode()
    campaign.refresh_from_db()
    assert not campaign.requires_calibration
    make_item(campaign, purpose="calibration", expected=GivenAnswer("equivalent"))
    assert client.post("/c/rivers/settings/calibration/", body).status_code == 302
    campaign.refresh_from_db()
    assert (
        campaign.requires_calibration,
        campaign.calibration_pass_percent,
        campaign.calibration_attempts,
    ) == (True, 75, 1)


def test_settings_of_the_calibration_are_checked(campaign: Campaign, admin: Membership) -> None:
    body = {"pass_percent": "0", "attempts": "1"}
    response = signed_in(admin).post("/c/rivers/settings/calibration/", body)
    assert response.status_code == 422
    campaign.refresh_from_db()
    assert (campaign.calibration_pass_percent, campaign.calibration_attempts) == (80, 3)


def test_admin_gives_another_attempt_or_a_pass(
    training: Campaign, rater: Membership, admin: Membership
) -> None:
    client, office = signed_in(rater), signed_in(admin)
    decide = f"/c/rivers/settings/calibration/{rater.pk}/"
    for _attempt in range(2):
        go_through(client, DIFFERENT)
    assert "no attempt left" in office.get("/c/rivers/settings/").content.decode()
    page = office.post(decide, {"decision": "grant", "reason": " "}, follow=True)
    assert "Nothing was changed: give a reason" in page.content.decode()
    page = office.post(decide, {"decision": "grant", "reason": "A bad day."}, follow=True)
    assert "Calibration: one more attempt. A bad day." in page.content.decode()
    html = client.get(PAGE).content.decode()
    assert "Start the calibration" in html
    assert "You have one attempt." in html
    page = office.post(decide, {"decision": "grant", "reason": "Again."}, follow=True)
    assert "pine has already passed, or has an attempt left." in page.content.decode()
    office.post(decide, {"decision": "pass", "reason": "We talked."})
    assert "have let you pass" in client.get(PAGE).content.decode()
    assert client.get("/c/rivers/rate/").status_code == 200
