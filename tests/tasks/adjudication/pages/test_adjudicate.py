"""Adjudicating through the pages, as a browser without JavaScript sees them."""

import re
from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.models import Adjudication, Campaign, FirstLook, Flag, LeftItem, Membership, Suggestion
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.adjudication.acts import decide, item_of, vote
from tests.tasks.adjudication.forms import key_of, page, post
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import EQUIVALENT, LOSES, YES_DIFFERENT

pytestmark = pytest.mark.slow


QUEUE = "/c/rivers/adjudicate/"
SENTINELS = {
    "comment": "SENTINEL-COMMENT",
    "flag": "SENTINEL-FLAG",
    "suggestion": "sentinel-matcher",
    "explanation": "SENTINEL-EXPLANATION",
    "reason": "SENTINEL-REASON",
}


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Item 1 with a tie, a comment, a flag, a suggestion and fern's decision; item 2 agrees."""
    campaign = make_campaign("rivers", title="Rivers")
    for number in (1, 2):
        make_item(campaign, id=f"item-{number}")
    vote(campaign, 1, "en", comment=SENTINELS["comment"])
    vote(campaign, 2, "ee")
    rater = make_member(campaign, "rater", "pine")
    item = item_of(campaign, 1)
    Flag.objects.create(item=item, rater=rater, reason=SENTINELS["flag"])
    Suggestion.objects.create(
        item=item,
        matcher=SENTINELS["suggestion"],
        version="1",
        score=0.25,
        is_correct=False,
        explanation={"statement": SENTINELS["explanation"]},
    )
    campaign.suggestion_matcher = SENTINELS["suggestion"]
    campaign.save()
    return campaign


@pytest.fixture
def fern(campaign: Campaign) -> Membership:
    """Another adjudicator, who has decided item 1."""
    fern = make_member(campaign, "admin", "fern")
    decide(fern, 1, LOSES, look=LOSES, reason=SENTINELS["reason"])
    return fern


@pytest.fixture
def oak(campaign: Campaign) -> Membership:
    return make_member(campaign, "researcher", "oak")


@pytest.fixture
def browser(oak: Membership) -> Client:
    return signed_in(oak)


def address(campaign: Campaign, number: int = 1) -> str:
    return f"{QUEUE}{item_of(campaign, number).pk}/"


def look(browser: Client, path: str) -> None:
    assert post(browser, path, q1="yes").status_code == 303


def secrets_in(html: str, campaign: Campaign) -> set[str]:
    """The opinions of others that a page gives away."""
    people = {each.pseudonym for each in campaign.memberships.filter(role="rater")}
    signs = {*SENTINELS.values(), *people, "fern", "0.25", "Loses", '<dl class="tally">'}
    return {sign for sign in signs if sign in html}


def test_blind_page_gives_nothing_away(
    campaign: Campaign, fern: Membership, browser: Client
) -> None:
    path = address(campaign)
    for html in (
        page(browser, QUEUE),
        page(browser, f"{QUEUE}?show=second"),
        page(browser, f"{QUEUE}decided/"),
        page(browser, path),
        post(browser, path, action="next", q1="no").content.decode(),
        post(browser, path, action="submit").content.decode(),
        post(browser, path, action="previous", q1="no", asked="q2").content.decode(),
    ):
        assert secrets_in(html, campaign) == set()
    assert "1 more decision appears once you have judged its item yourself." in page(
        browser, f"{QUEUE}decided/"
    )


def test_blind_page_reads_no_votes_from_the_database(
    campaign: Campaign, browser: Client, django_assert_max_num_queries: Any
) -> None:
    path = address(campaign)
    with django_assert_max_num_queries(20) as captured:
        page(browser, path)
    read = [query["sql"] for query in captured.captured_queries]
    for table in ("tasks_suggestion", "tasks_flag"):
        assert not any(f'FROM "{table}"' in sql for sql in read)
    # whether oneself has rated the item is all that is asked of the ratings
    assert [sql for sql in read if "tasks_rating" in sql and 'SELECT 1 AS "a"' not in sql] == []


def test_blind_page_asks_for_no_reason_and_leads_to_the_votes(
    campaign: Campaign, fern: Membership, browser: Client, oak: Membership
) -> None:
    path = address(campaign)
    html = page(browser, path)
    assert "Your first look" in html
    assert 'name="reason"' not in html
    response = post(browser, path, q1="no", q2="yes")
    assert (response.status_code, response["Location"]) == (303, path)
    assert FirstLook.objects.get(adjudicator=oak).outcome_id == "ae:q1=no,q2=yes"
    assert not Adjudication.objects.filter(adjudicator=oak).exists()
    html = page(browser, path)
    shown = secrets_in(html, campaign)
    assert set(SENTINELS.values()) <= shown
    assert {"fern", "0.25", '<dl class="tally">'} <= shown
    voters = campaign.memberships.filter(ratings__item=item_of(campaign, 1))
    assert {voter.pseudonym for voter in voters} <= shown
    # the first look is filled in
    assert re.search(r'name="q2" value="yes"[^>]* checked', html)


def test_votes_are_shown_with_the_answers_behind_them(make_tie: Campaign, browser: Client) -> None:
    html = page(browser, address(make_tie, 3))
    assert '<b lang="en">Not equivalent</b> <span class="hint" lang="en">1 Yes</span>' in html
    assert '<b lang="en">Equivalent</b> <span class="hint" lang="en">1 No · 2 Yes</span>' in html


@pytest.fixture
def make_tie(campaign: Campaign) -> Campaign:
    """Item 3 with answers to every question, in a campaign without blind looks."""
    make_item(campaign, id="item-3")
    vote(campaign, 3, "--", answers=[{"q1": "yes"}, {"q1": "no", "q2": "yes"}])
    campaign.adjudicates_blind = False
    campaign.save()
    return campaign


def test_stale_form_of_the_first_look_never_becomes_a_decision(
    campaign: Campaign, browser: Client, oak: Membership
) -> None:
    path = address(campaign)
    stale = {"idempotency_key": key_of(page(browser, path)), "action": "submit", "q1": "yes"}
    for _time in range(2):
        assert browser.post(path, stale)["Location"] == path
    assert browser.post(path, {**stale, "q1": "no", "q2": "yes"})["Location"] == path
    assert FirstLook.objects.get(adjudicator=oak).outcome_id == "ae:q1=yes"
    assert not Adjudication.objects.exists()


def test_deciding_leads_to_the_next_item_at_once(
    campaign: Campaign, browser: Client, oak: Membership
) -> None:
    make_item(campaign, id="item-3")
    vote(campaign, 3, "en")
    path = address(campaign)
    assert browser.get(f"{QUEUE}next/")["Location"] == path
    look(browser, path)
    response = post(browser, path, q1="no", q2="yes", reason="It says so.", settles_flags="on")
    assert (response.status_code, response["Location"]) == (303, f"{QUEUE}next/")
    stored = Adjudication.objects.get()
    assert (stored.adjudicator, stored.outcome_id, stored.first_outcome_id, stored.reason) == (
        oak,
        "ae:q1=no,q2=yes",
        "ae:q1=yes",
        "It says so.",
    )
    assert Flag.objects.get().settlement == "It says so."
    following = browser.get(f"{QUEUE}next/", follow=True)
    assert following.redirect_chain == [(address(campaign, 3), 302)]
    assert "Decided: Equivalent" in following.content.decode()
    look(browser, address(campaign, 3))
    post(browser, address(campaign, 3), q1="yes", reason="It does not.")
    html = browser.get(f"{QUEUE}next/", follow=True).content.decode()
    assert "Nothing left for you to decide." in html


def test_decision_without_a_reason_comes_back_with_its_answers(
    campaign: Campaign, browser: Client
) -> None:
    path = address(campaign)
    look(browser, path)
    response = post(browser, path, q1="no", q2="yes", reason="   ", settles_flags="on")
    html = response.content.decode()
    assert response.status_code == 422
    assert "Give a short reason." in html
    assert re.search(r'name="q2" value="yes"[^>]* checked', html)
    assert 'name="settles_flags" checked' in html
    assert not Adjudication.objects.exists()


def test_reason_survives_the_steps_without_javascript(campaign: Campaign, browser: Client) -> None:
    path = address(campaign)
    look(browser, path)
    html = post(browser, path, action="next", asked="q1", q1="no", reason="So far.").content
    assert "So far.</textarea>" in html.decode()
    html = post(browser, path, action="previous", asked="q2", q1="no", reason="So far.").content
    assert "So far.</textarea>" in html.decode()
    assert not Adjudication.objects.exists()


def test_unanswered_question_is_asked_for(campaign: Campaign, browser: Client) -> None:
    response = post(browser, address(campaign), action="next", asked="q1")
    assert response.status_code == 422
    assert "Choose an answer to this question first." in response.content.decode()


def test_same_form_sent_twice_decides_once(campaign: Campaign, browser: Client) -> None:
    path = address(campaign)
    look(browser, path)
    form = {
        "idempotency_key": key_of(page(browser, path)),
        "action": "submit",
        "q1": "yes",
        "reason": "It is another river.",
    }
    statuses = [browser.post(path, form).status_code for _time in range(2)]
    assert (statuses, Adjudication.objects.count()) == ([303, 303], 1)
    response = browser.post(path, {**form, "reason": "Changed."})
    assert response.status_code == 409
    html = response.content.decode()
    assert "that decision counts" in html
    assert key_of(html) != form["idempotency_key"]
    assert Adjudication.objects.count() == 1


def test_new_guidelines_are_to_be_looked_at_first(campaign: Campaign, browser: Client) -> None:
    path = address(campaign)
    look(browser, path)
    publish_guideline(campaign=campaign, text="New rules.")
    response = post(browser, path, q1="yes", reason="It is another river.")
    assert response.status_code == 409
    assert "The guidelines changed while this form was open." in response.content.decode()
    assert not Adjudication.objects.exists()


def test_own_decision_is_revised_from_the_list(
    campaign: Campaign, browser: Client, oak: Membership
) -> None:
    decide(oak, 1, EQUIVALENT, look=EQUIVALENT, reason="First thought.")
    path = address(campaign)
    html = page(browser, f"{QUEUE}decided/")
    assert f'href="{path}"' in html
    assert "First thought." in html
    html = page(browser, path)
    assert "You have decided this item." in html
    assert "First thought.</textarea>" in html
    post(browser, path, q1="yes", reason="Second thought.")
    html = page(browser, f"{QUEUE}decided/")
    assert "Second thought." in html
    assert "First thought." not in html
    assert Adjudication.objects.count() == 2


def test_left_item_is_offered_no_more_and_found_again(
    campaign: Campaign, browser: Client, oak: Membership
) -> None:
    path = address(campaign)
    response = post(browser, path, action="leave")
    assert (response.status_code, response["Location"]) == (303, f"{QUEUE}next/")
    assert LeftItem.objects.get().adjudicator == oak
    assert path not in page(browser, QUEUE)
    assert path in page(browser, f"{QUEUE}?show=left")


def test_own_item_is_refused_with_a_sentence(campaign: Campaign) -> None:
    ann = campaign.memberships.get(name="ann")
    ann.role, ann.user = "admin", make_member(make_campaign(), "rater", "ann-herself").user
    ann.save()
    browser = signed_in(ann)
    html = browser.get(address(campaign), follow=True).content.decode()
    assert "You have rated this item or are rating it, so somebody else has to decide." in html
    assert "1 more item is waiting that you have rated or are rating" in html
    refused = browser.post(
        address(campaign), {"idempotency_key": "k", "action": "submit", "q1": "yes", "reason": "x"}
    )
    assert refused["Location"] == QUEUE
    assert not FirstLook.objects.exists()


def test_overview_counts_reasons_and_filters_by_them(campaign: Campaign, browser: Client) -> None:
    make_item(campaign, id="item-3")
    vote(campaign, 3, "een")
    html = page(browser, QUEUE)
    assert re.search(r'\?show=waiting" aria-current="page">Waiting for you <b>2</b>', html)
    for reason, number in [("tie", 1), ("flag", 1), ("low_confidence", 1)]:
        assert re.search(rf'reason={reason}">[^<]+<b>{number}</b>', html), reason
    assert "reason=surplus" not in html
    only = page(browser, f"{QUEUE}?show=waiting&reason=low_confidence")
    assert address(campaign, 3) in only
    assert address(campaign) not in only


@pytest.mark.parametrize("query", ["?show=own", "?show=x&reason=y&page=z", "?page=99"])
def test_strange_filters_show_the_queue(campaign: Campaign, browser: Client, query: str) -> None:
    assert address(campaign) in page(browser, f"{QUEUE}{query}")


def test_agreement_of_adjudicators_is_on_the_page(
    campaign: Campaign, fern: Membership, oak: Membership, browser: Client
) -> None:
    for number, answers in ((1, LOSES), (2, YES_DIFFERENT)):
        decide(oak, number, answers, look=EQUIVALENT)
    decide(fern, 2, EQUIVALENT, look=EQUIVALENT)
    html = page(browser, QUEUE)
    for name in sorted([oak.pseudonym, fern.pseudonym]):
        assert name in html
    # fern kept both labels, oak neither
    assert "n = 4 decisions after a blind first look" in html
    assert '<p class="big">50 %</p>' in html


def test_training_items_are_not_there(campaign: Campaign, browser: Client) -> None:
    item = item_of(campaign, 1)
    item.purpose = "calibration"
    item.save()
    assert browser.get(address(campaign)).status_code == 404


@pytest.mark.parametrize(
    "form",
    [
        {"action": "publish"},
        {"action": "submit", "q1": "maybe"},
        {"action": "submit", "idempotency_key": ""},
        {"action": "submit", "reason": "x" * 5001},
    ],
)
def test_forms_that_no_page_sends_are_refused(
    campaign: Campaign, browser: Client, form: dict[str, str]
) -> None:
    response = browser.post(address(campaign), {"idempotency_key": "k", "q1": "yes", **form})
    assert response.status_code == 400


def test_sighted_campaign_shows_the_votes_at_once(
    campaign: Campaign, fern: Membership, browser: Client
) -> None:
    change_settings(campaign=campaign, changes={"adjudicates_blind": False})
    html = page(browser, address(campaign))
    assert set(SENTINELS.values()) <= secrets_in(html, campaign)
    assert 'name="reason"' in html
    assert SENTINELS["reason"] in page(browser, f"{QUEUE}decided/")


def test_flag_leads_to_the_decision_on_its_item(campaign: Campaign) -> None:
    admin = make_member(campaign, "admin", "yew")
    assert f'href="{address(campaign)}"' in page(signed_in(admin), "/c/rivers/flags/")
