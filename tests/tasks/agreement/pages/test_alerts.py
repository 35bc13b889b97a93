"""The page of alerts, and the API's."""

import json
import re

import pytest
from django.test import Client

from tasks.agreement.findings.alert_rules import rules_of
from tasks.agreement.workflow.alerts import raise_after_look
from tasks.agreement.workflow.assessment import assess
from tasks.models import (
    Alert,
    AlertChannels,
    AlertKind,
    ApiToken,
    Campaign,
    Look,
    Membership,
)
from tests.factories import make_campaign, make_member
from tests.simulated_suggestions import simulate as simulate_suggestions
from tests.simulations import Faults, simulate, store
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/agreement/alerts/"
API = "/api/v1/campaigns/rivers/alerts"
FAULTS = Faults(drifter=2, rusher=4, careless=5, confused=(1, 2))
LOW = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}


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
        "Krippendorff’s α is 0.500 over 80 items; even the upper end of its interval, 0.600, lies"
        " below 0.667."
    ) in shown
    assert "The next look is at 240" in shown
    assert "Save rules" not in shown  # for admins only


def test_what_the_tests_of_a_look_find_is_told_in_sentences(db: None) -> None:
    campaign = store(simulate(7, raters=7, items=500, faults=FAULTS), "faulty")
    assert assess(campaign=campaign)
    kinds = set(Alert.objects.values_list("kind", flat=True))
    assert kinds >= {AlertKind.DRIFT, AlertKind.CONTROLS, AlertKind.SPEED, AlertKind.CONFUSION}
    page = signed_in(make_member(campaign, "admin")).get("/c/faulty/agreement/alerts/")
    shown = text(page.content.decode())
    assert re.search(r"rater-02 agrees less with the others than before: −\d+\.\d %", shown)
    assert re.search(r"rater-05 got \d+ % of 20 control items right, where the others get", shown)
    assert re.search(r"rater-04 takes 0\.1\d times as long as the others", shown)
    assert re.search(r"syntactic / semantic: raters differ here in \d+\.\d %", shown)
    assert assess(campaign=campaign)
    assert Alert.objects.count() == shown.count("look 1, 1,500 ratings")  # once each


def test_a_suggestion_that_steers_is_told_in_a_sentence(db: None) -> None:
    campaign = simulate_suggestions("steered", items=100, effect=0.3)
    assert assess(campaign=campaign)
    page = signed_in(make_member(campaign, "admin")).get("/c/steered/agreement/alerts/")
    assert "Raters who see the suggestion agree with it more often" in text(page.content.decode())


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


def test_alert_of_another_campaign_is_not_there(alert: Alert) -> None:
    stranger = make_member(make_campaign("lakes"), "admin")
    assert signed_in(stranger).post(f"/c/lakes/agreement/alerts/{alert.pk}/").status_code == 404
    alert.refresh_from_db()
    assert alert.acknowledged_at is None


def test_admin_changes_rules(admin: Membership, campaign: Campaign) -> None:
    browser = signed_in(admin)
    answer = browser.post(f"{PAGE}rules/", {"alpha": "on", "threshold": "0.8", "hours": "24"})
    assert answer.status_code == 302
    in_force = {rule.kind: rule for rule in rules_of(campaign)}
    assert [kind for kind, rule in in_force.items() if rule.is_active] == [AlertKind.ALPHA]
    assert (in_force[AlertKind.ALPHA].threshold, in_force[AlertKind.STALLED].hours) == (0.8, 24)


@pytest.mark.parametrize("wrong", [{"threshold": "2"}, {"hours": "0"}, {"threshold": ""}])
def test_wrong_rule_is_shown_beside_its_field(
    admin: Membership, campaign: Campaign, wrong: dict[str, str]
) -> None:
    filled = {"alpha": "on", "threshold": "0.8", "hours": "24", **wrong}
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


def test_api_is_not_for_raters(rater: Membership, alert: Alert) -> None:
    client = program(rater)
    assert client.get(API).status_code == 403
    answer = client.post(f"{API}/{alert.pk}/acknowledge", {}, "application/json")
    assert answer.status_code == 403
