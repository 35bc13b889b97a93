"""The page of alerts, and the API's."""

import json
import re

import pytest
from django.test import Client

from tasks.agreement.findings import rules_of
from tasks.agreement.workflow.alerts import raise_after_look
from tasks.models import (
    Alert,
    AlertChannels,
    AlertKind,
    ApiToken,
    Campaign,
    Look,
    Membership,
)
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/agreement/alerts/"
API = "/api/v1/campaigns/rivers/alerts"
LOW = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}
RARE = {"p_value": 0.001}
CONFUSED = {"labels": ["syntactic", "semantic"], "is_confused": True}
FOUND = {
    "drift": {"raters": [{"rater": "rater-02", "verdict": "declines", "change": -0.25, **RARE}]},
    "speed": {"raters": [{"rater": "rater-04", "verdict": "fast", "pace": 0.1, **RARE}]},
    "controls": {
        "raters": [
            {
                "rater": "rater-05",
                "verdict": "low",
                "accuracy": {"value": 0.4, "n": 20},
                "others": 0.9,
                **RARE,
            }
        ]
    },
    "confusions": {"labels": [], "pairs": [CONFUSED | {"observed": 0.4, "expected": 0.1} | RARE]},
    "steering": {"verdict": "steers", "bound": 0.1},
}


@pytest.fixture
def alert(campaign: Campaign) -> Alert:
    look = Look.objects.create(
        campaign=campaign, number=1, ratings=160, level=0.025, findings=json.dumps({"alpha": LOW})
    )
    [alert] = raise_after_look(look=look)
    return alert


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_page_says_in_a_sentence_what_was_found(researcher: Membership, alert: Alert) -> None:
    shown = text(signed_in(researcher).get(PAGE).content.decode())
    assert (
        "Krippendorff’s α is 0.500 over 80 items; even the upper end of its interval, 0.600, is"
        " below 0.667."
    ) in shown
    assert "Next look: at 240 ratings." in shown
    assert "Save rules" not in shown  # for admins only


def test_what_the_tests_of_a_look_find_is_told_in_sentences(
    researcher: Membership, campaign: Campaign
) -> None:
    look = Look.objects.create(
        campaign=campaign, number=1, ratings=1500, level=0.025, findings=json.dumps(FOUND)
    )
    assert len(raise_after_look(look=look)) == 5
    shown = text(signed_in(researcher).get(PAGE).content.decode())
    assert "rater-02 agrees with the others less than before: −25.0 %" in shown
    assert "rater-05 got 40 % of 20 control items right; the others get" in shown
    assert "rater-04 takes 0.10 times as long as the others" in shown
    assert "syntactic / semantic: raters differ here in 40.0 %" in shown
    assert "Raters who see the suggestion agree with it more often" in shown
    assert shown.count("look 1, 1,500 ratings") == 5


def test_navigation_counts_open_alerts(researcher: Membership, alert: Alert) -> None:
    browser = signed_in(researcher)
    badge = "Alerts 1 open"
    assert badge in text(browser.get("/c/rivers/agreement/").content.decode())
    browser.post(f"{PAGE}{alert.pk}/", {"note": "new guidelines"})
    assert badge not in text(browser.get("/c/rivers/agreement/").content.decode())


def test_acknowledging_keeps_who_and_what(researcher: Membership, alert: Alert) -> None:
    browser = signed_in(researcher)
    answer = browser.post(f"{PAGE}{alert.pk}/", {"note": "new guidelines"}, follow=True)
    assert "The alert has been acknowledged." in answer.content.decode()
    again = browser.post(f"{PAGE}{alert.pk}/", {"note": "second"}, follow=True)
    assert "had already been acknowledged" in again.content.decode()
    too_long = browser.post(f"{PAGE}{alert.pk}/", {"note": "x" * 501}, follow=True)
    assert "The note is too long." in too_long.content.decode()
    alert.refresh_from_db()
    assert (alert.acknowledged_by, alert.note) == (researcher, "new guidelines")


def test_admin_changes_rules(admin: Membership, campaign: Campaign) -> None:
    browser = signed_in(admin)
    answer = browser.post(f"{PAGE}rules/", {"alpha": "on", "threshold": "0.8", "hours": "24"})
    assert answer.status_code == 302
    in_force = {rule.kind: rule for rule in rules_of(campaign)}
    assert [kind for kind, rule in in_force.items() if rule.is_active] == [AlertKind.ALPHA]
    assert (in_force[AlertKind.ALPHA].threshold, in_force[AlertKind.STALLED].hours) == (0.8, 24)


def test_wrong_rule_is_shown_beside_its_field(admin: Membership, campaign: Campaign) -> None:
    filled = {"alpha": "on", "threshold": "0.8", "hours": "0"}
    answer = signed_in(admin).post(f"{PAGE}rules/", filled)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert all(rule.is_active for rule in rules_of(campaign))


def test_secret_of_a_webhook_is_shown_once(admin: Membership, campaign: Campaign) -> None:
    browser = signed_in(admin)
    saved = browser.post(f"{PAGE}channels/", {"webhook_url": "https://a.example/hook"})
    secret = AlertChannels.objects.get().webhook_secret
    assert secret in saved.content.decode()
    assert saved.headers["Cache-Control"] == "private, no-store"
    assert secret not in browser.get(PAGE).content.decode()
    assert "https://a.example/hook" in browser.get(PAGE).content.decode()


def test_trial_without_a_channel_says_so(admin: Membership, campaign: Campaign) -> None:
    answer = signed_in(admin).post(f"{PAGE}trial/", follow=True)
    assert "No alert channel is set up" in answer.content.decode()


def program(membership: Membership) -> Client:
    assert membership.user is not None
    return Client(headers={"Authorization": f"Token {ApiToken.issue(membership.user)}"})


def test_api_lists_and_acknowledges(researcher: Membership, alert: Alert) -> None:
    client = program(researcher)
    [listed] = client.get(API).json()["results"]
    assert (listed["kind"], listed["look"], listed["evidence"]["high"]) == ("alpha", 1, 0.6)
    body = {"note": "seen"}
    address = f"{API}/{alert.pk}/acknowledge"
    answer = client.post(address, body, content_type="application/json")
    told = answer.json()
    assert (answer.status_code, told["note"], told["acknowledged_by"], told["deliveries"]) == (
        *(200, "seen", researcher.pseudonym),
        [],
    )
    by_state = [client.get(f"{API}?state={state}").json() for state in ("open", "acknowledged")]
    assert [page["results"] for page in by_state] == [[], [told]]
    assert client.get(f"{API}?kind=drift").json()["results"] == []
    assert client.get(f"{API}?kind=alpha&limit=1").json()["results"] == [told]
    assert client.post(address, body, content_type="application/json").status_code == 409
    assert client.post(f"{API}/0/acknowledge", {}, "application/json").status_code == 404
