"""Alerts are raised once for the same evidence, and told at least once."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django import Settings

from tasks.agreement.findings import (
    LOWEST_ALPHA,
    STALLED_HOURS,
    USUAL_RULES,
    Rule,
    alarms,
    rules_of,
)
from tasks.agreement.workflow.alerts import (
    acknowledge,
    raise_after_look,
    raise_stalled,
    raise_trial,
    set_channels,
    set_rules,
)
from tasks.events.workflow.sending import MAX_ATTEMPTS, note_failure, note_sent, take_due_deliveries
from tasks.models import (
    Alert,
    AlertKind,
    Campaign,
    CampaignState,
    Channel,
    Delivery,
    Look,
    Slot,
)
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

DRIFTING = {
    "drift": {
        "raters": [
            {"rater": "r-ann", "verdict": "declines", "change": -0.25, "p_value": 0.001},
            {"rater": "r-ben", "verdict": "steady", "change": 0.01, "p_value": 0.7},
        ]
    }
}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3)


@pytest.fixture(autouse=True)
def _with_mail(settings: Settings) -> None:
    settings.SENDS_MAIL = True


def look_at(campaign: Campaign, findings: dict[str, Any], number: int = 1) -> Look:
    return Look.objects.create(
        campaign=campaign,
        number=number,
        ratings=100 * number,
        level=0.025,
        findings=json.dumps(findings),
    )


def rule_of(kind: AlertKind) -> Rule:
    return next(rule for rule in USUAL_RULES if rule.kind == kind)


def raters(**verdicts: str) -> dict[str, Any]:
    """As the tests of raters find them; each alert shows some of it."""
    shown = {"change": -0.1, "pace": 0.1, "accuracy": {"value": 0.5, "n": 20}, "others": 0.9}
    return {
        "raters": [
            {"rater": rater, "verdict": verdict, "p_value": 0.001, **shown}
            for rater, verdict in verdicts.items()
        ]
    }


def confusion(*labels: str, is_confused: bool) -> dict[str, Any]:
    numbers = {"observed": 0.4, "expected": 0.1, "p_value": 0.001}
    return {"labels": list(labels), "is_confused": is_confused, **numbers}


def alpha(high: float | None) -> dict[str, Any]:
    return {"value": 0.5, "low": 0.4, "high": high, "n": 9}


@pytest.mark.parametrize(
    ("kind", "findings", "subjects"),
    [
        (AlertKind.ALPHA, {"alpha": alpha(0.66)}, [""]),
        (AlertKind.ALPHA, {"alpha": alpha(0.67)}, []),
        (AlertKind.ALPHA, {"alpha": alpha(None)}, []),
        (AlertKind.DRIFT, {"drift": raters(a="declines", b="steady", c="improves")}, ["a", "c"]),
        (AlertKind.CONTROLS, {"controls": raters(a="low", b="usual", c="too-few")}, ["a"]),
        (AlertKind.SPEED, {"speed": raters(a="fast", b="usual", c="slow")}, ["a", "c"]),
        (
            AlertKind.CONFUSION,
            {
                "confusions": {
                    "labels": [confusion("partial", is_confused=True)],
                    "pairs": [
                        confusion("partial", "invalid", is_confused=True),
                        confusion("partial", "exact", is_confused=False),
                    ],
                }
            },
            ["partial", "partial / invalid"],
        ),
        (AlertKind.STEERING, {"steering": {"verdict": "steers", "bound": 0.1}}, [""]),
        (AlertKind.STEERING, {"steering": {"verdict": "steers-away", "bound": -0.1}}, [""]),
        (AlertKind.STEERING, {"steering": {"verdict": "cannot-tell", "bound": 0.1}}, []),
        (AlertKind.STEERING, DRIFTING, []),  # a look of before that test
        (AlertKind.STALLED, DRIFTING, []),
    ],
)
def test_alarms_name_whom_a_finding_is_about(
    kind: AlertKind, findings: dict[str, Any], subjects: list[str]
) -> None:
    assert [alarm.subject for alarm in alarms(rule_of(kind), findings)] == subjects


def test_rules_are_the_usual_ones_until_they_are_changed(campaign: Campaign) -> None:
    assert rules_of(campaign) == list(USUAL_RULES)
    assert (rule_of(AlertKind.ALPHA).threshold, rule_of(AlertKind.STALLED).hours) == (
        LOWEST_ALPHA,
        STALLED_HOURS,
    )
    changed = [replace(rule, is_active=False) for rule in USUAL_RULES]
    set_rules(campaign=campaign, rules=changed)
    assert rules_of(campaign) == changed
    set_rules(campaign=campaign, rules=list(USUAL_RULES))
    assert rules_of(campaign) == list(USUAL_RULES)


def test_alert_is_raised_once_for_the_same_look(campaign: Campaign) -> None:
    look = look_at(campaign, DRIFTING)
    [alert] = raise_after_look(look=look)
    assert raise_after_look(look=look) == []
    assert (alert.kind, alert.subject, alert.look) == (AlertKind.DRIFT, "r-ann", look)
    assert alert.evidence == {"verdict": "declines", "change": -0.25, "p_value": 0.001}


def test_open_alert_keeps_later_looks_quiet_until_it_is_acknowledged(
    campaign: Campaign, make_member: MakeMember
) -> None:
    [first] = raise_after_look(look=look_at(campaign, DRIFTING))
    assert raise_after_look(look=look_at(campaign, DRIFTING, number=2)) == []
    by = make_member(campaign, "admin")
    assert acknowledge(alert=first, by=by, note="spoke to them")
    assert not acknowledge(alert=first, by=by, note="again")
    # what was seen to does not come back by the look it rested on, but by a new one
    assert raise_after_look(look=Look.objects.get(number=1)) == []
    [again] = raise_after_look(look=look_at(campaign, DRIFTING, number=3))
    first.refresh_from_db()
    assert (first.note, first.acknowledged_by, again.acknowledged_at) == ("spoke to them", by, None)


def test_rule_that_is_off_raises_nothing(campaign: Campaign) -> None:
    set_rules(campaign=campaign, rules=[replace(rule_of(AlertKind.DRIFT), is_active=False)])
    assert raise_after_look(look=look_at(campaign, DRIFTING)) == []


def stalls_at_once(campaign: Campaign) -> None:
    """Ratings cannot be made older than they are, but the rule may ask for no hours at all."""
    stalled = replace(rule_of(AlertKind.STALLED), hours=0)
    set_rules(campaign=campaign, rules=[stalled])


def test_stall_is_raised_once_per_stall_while_ratings_are_wanted(
    campaign: Campaign, make_member: MakeMember
) -> None:
    rater, admin = make_member(campaign), make_member(campaign, "admin")
    assert raise_stalled() == []  # nobody has begun
    rate_next(rater)
    assert raise_stalled() == []  # not long ago
    stalls_at_once(campaign)
    [alert] = raise_stalled()
    assert (alert.kind, alert.evidence["hours"]) == (AlertKind.STALLED, 0)
    acknowledge(alert=alert, by=admin)
    assert raise_stalled() == []  # the same stall
    rate_next(rater)
    assert [each.kind for each in raise_stalled()] == [AlertKind.STALLED]


@pytest.mark.parametrize("change", ["paused", "complete", "off"])
def test_campaign_that_wants_no_ratings_does_not_stall(
    campaign: Campaign, make_member: MakeMember, change: str
) -> None:
    rate_next(make_member(campaign))
    stalls_at_once(campaign)
    if change == "paused":
        Campaign.objects.update(state=CampaignState.PAUSED)
    elif change == "complete":
        Slot.objects.update(is_filled=True)
    else:
        off = replace(rule_of(AlertKind.STALLED), is_active=False, hours=0)
        set_rules(campaign=campaign, rules=[off])
    assert raise_stalled() == []


def test_alert_goes_to_the_channels_there_are(campaign: Campaign, settings: Settings) -> None:
    def channels(number: int) -> list[str]:
        [alert] = raise_after_look(look=look_at(campaign, DRIFTING, number))
        Alert.objects.filter(pk=alert.pk).update(acknowledged_at=Now())
        return sorted(delivery.channel for delivery in alert.deliveries.all())

    assert channels(1) == [Channel.MAIL]
    secret = set_channels(campaign=campaign, sends_mail=True, webhook_url="https://a.example/")
    assert len(secret) > 40
    assert channels(2) == [Channel.MAIL, Channel.WEBHOOK]
    # the same address keeps its secret, which nobody is shown again
    same = set_channels(campaign=campaign, sends_mail=False, webhook_url="https://a.example/")
    assert same == ""
    assert channels(3) == [Channel.WEBHOOK]
    set_channels(campaign=campaign, sends_mail=True, webhook_url="")
    settings.SENDS_MAIL = False
    assert channels(4) == []


def test_delivery_is_handed_out_once_and_put_off_until_it_is_sent(
    campaign: Campaign, make_member: MakeMember
) -> None:
    raise_trial(campaign=campaign, by=make_member(campaign, "admin"))
    [delivery] = take_due_deliveries()
    assert list(take_due_deliveries()) == []  # taken: due again in a minute
    delays = []
    for _attempt in range(MAX_ATTEMPTS - 1):
        note_failure(delivery=delivery, error="connection refused\0")
        delivery.refresh_from_db()
        now = Delivery.objects.annotate(now=Now()).get().now
        delays.append(round((delivery.not_before - now) / timedelta(minutes=1)))
        Delivery.objects.update(not_before=Now())
        [delivery] = take_due_deliveries()
    assert delays == [1, 4, 16, 64, 256]
    Delivery.objects.update(not_before=Now())
    assert list(take_due_deliveries()) == []  # given up
    delivery.refresh_from_db()
    assert (delivery.attempts, delivery.error) == (MAX_ATTEMPTS, "connection refused␀")
    note_sent(delivery=delivery)
    delivery.refresh_from_db()
    assert (delivery.sent_at is not None, delivery.error) == (True, "")
