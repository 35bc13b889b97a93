"""Rules and channels of alerts over HTTP: for admins, changed by name, each number checked."""

from typing import Any

import pytest

from tasks.agreement.findings import USUAL_RULES
from tasks.models import Alert, AlertChannels, Campaign
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeCampaign, MakeMember

USUAL = [
    {
        "kind": rule.kind.value,
        "is_active": True,
        "threshold": rule.threshold,
        "hours": rule.hours,
    }
    for rule in USUAL_RULES
]
HOOK = {"sends_mail": False, "webhook_url": "https://a.example/hook"}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="admin"))


def change(caller: ApiClient, campaign: Campaign, *rules: object) -> Any:
    return caller.send("PATCH", f"{campaign.slug}/alerts/rules", {"rules": rules})


def test_rules_that_are_not_named_stay(campaign: Campaign, admin: ApiClient) -> None:
    assert admin.get(f"{campaign.slug}/alerts/rules").json() == {"rules": USUAL}
    change(admin, campaign, {"kind": "alpha", "threshold": 0.5})
    changed = change(admin, campaign, {"kind": "alpha", "is_active": False})
    expected = [{**USUAL[0], "threshold": 0.5, "is_active": False}, *USUAL[1:]]
    assert (changed.status_code, changed.json()) == (200, {"rules": expected})
    assert admin.get(f"{campaign.slug}/alerts/rules").json() == {"rules": expected}


NO_RULES: list[tuple[object, str | None]] = [
    ({"kind": "weather"}, "rules.kind"),
    ({"kind": "trial"}, "rules.kind"),
    ({"kind": "alpha", "threshold": "nan"}, "rules.threshold"),
    ({"kind": "alpha", "threshold": 1.5}, "rules.threshold"),
    ({"kind": "alpha", "hours": 3}, "hours"),
    ({"kind": "stalled", "hours": 2**70}, "rules.hours"),
    ({"kind": "alpha", "campaign": 2}, "rules.campaign"),
    ([], "rules"),
]


def test_rule_that_is_none_is_refused_by_field(campaign: Campaign, admin: ApiClient) -> None:
    for rule, field in NO_RULES:
        refused = change(admin, campaign, {"kind": "drift", "is_active": False}, rule)
        assert (refused.status_code, refused.json()["field"]) == (400, field), rule
    assert admin.get(f"{campaign.slug}/alerts/rules").json() == {"rules": USUAL}


def test_secret_of_a_new_webhook_is_told_once(campaign: Campaign, admin: ApiClient) -> None:
    place = f"{campaign.slug}/alerts/channels"
    assert admin.get(place).json() == {"sends_mail": True, "webhook_url": ""}
    first, again = (admin.send("PUT", place, HOOK) for _ in range(2))
    secret = AlertChannels.objects.get().webhook_secret
    assert first.json() == {**HOOK, "webhook_secret": secret}
    assert (again.json(), admin.get(place).json()) == (HOOK, HOOK)
    assert AlertChannels.objects.get().webhook_secret == secret


NO_CHANNELS: list[tuple[dict[str, object], str]] = [
    ({"webhook_url": "nowhere at all"}, "webhook_url"),
    ({"webhook_url": "https://a.example/\0"}, "webhook_url"),
    ({"webhook_url": None}, "webhook_url"),
    ({"webhook_secret": "mine"}, "webhook_secret"),
    ({"sends_mail": "perhaps"}, "sends_mail"),
]


def test_channels_that_are_none_are_refused_by_field(campaign: Campaign, admin: ApiClient) -> None:
    for changes, field in NO_CHANNELS:
        refused = admin.send("PUT", f"{campaign.slug}/alerts/channels", {**HOOK, **changes})
        assert (refused.status_code, refused.json()["field"]) == (400, field), changes
    assert not AlertChannels.objects.exists()


def test_trial_says_through_which_channels_it_goes(
    campaign: Campaign, admin: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken = []
    monkeypatch.setattr("tasks.agreement.api.alerts.send_alerts_soon", lambda: woken.append(1))
    nowhere = admin.send("POST", f"{campaign.slug}/alerts/trial").json()
    assert (nowhere["kind"], nowhere["deliveries"], woken) == ("trial", [], [])
    admin.send("PUT", f"{campaign.slug}/alerts/channels", HOOK)
    tried = admin.send("POST", f"{campaign.slug}/alerts/trial")
    assert (tried.status_code, woken) == (201, [1])
    assert tried.json()["deliveries"] == [
        {"channel": "webhook", "attempts": 0, "sent_at": None, "error": ""}
    ]
    assert Alert.objects.count() == 2
