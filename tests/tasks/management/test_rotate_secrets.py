"""Another secret key, and what keys of before have sealed."""

from typing import Any

import pytest
from django.conf import settings as site
from pytest_django import Settings

from tasks.access.workflow.two_factor import begin
from tasks.agreement.workflow.alerts import set_channels
from tasks.events.workflow.webhooks import add_webhook
from tasks.models import AlertChannels, AuditEntry, AuthenticatorApp, Campaign, Webhook
from tasks.sealing.texts import opened, seal
from tasks.storing import resealing
from tests.factories import make_campaign, make_user
from tests.tasks.management.conftest import Manage

URL = "https://hooks.example/"


@pytest.fixture
def campaign(db: None) -> Campaign:
    """With five webhooks, channels of alerts and a person's app: thirteen secrets."""
    made = make_campaign("rivers")
    for number in range(5):
        add_webhook(campaign=made, url=f"{URL}{number}", events=["job.done"])
    set_channels(campaign=made, sends_mail=False, webhook_url=URL)
    begin(user=make_user("pine"))
    return made


@pytest.fixture
def other_key(campaign: Campaign, settings: Settings) -> dict[str, Any]:
    """What the secrets are, read before the site has another key."""
    before = clear()
    settings.SECRET_KEY_FALLBACKS = [site.SECRET_KEY]
    settings.SECRET_KEY = "the new one"
    return before


def clear() -> dict[str, Any]:
    return {
        "webhooks": [(each.url, each.secret) for each in Webhook.objects.order_by("pk")],
        "channels": [
            (each.webhook_url, each.webhook_secret) for each in AlertChannels.objects.all()
        ],
        "apps": [each.bin_key for each in AuthenticatorApp.objects.all()],
    }


def recorded() -> list[tuple[str, int]]:
    entries = AuditEntry.objects.filter(action="secrets.rotated").order_by("sequence")
    return [(entry.subject, entry.facts["secrets"]) for entry in entries]


def counts(result: dict[str, Any]) -> dict[str, int]:
    return {name: result[name] for name in ("rotated", "secrets", "present", "before")}


def test_all_is_sealed_anew_and_the_old_key_may_go(
    manage: Manage, other_key: dict[str, Any], settings: Settings
) -> None:
    checked = manage.json("rotate_secrets", "--check", code=1)
    assert counts(checked) == {"rotated": 0, "secrets": 13, "present": 0, "before": 13}
    done = manage.json("rotate_secrets")
    assert counts(done) == {"rotated": 13, "secrets": 13, "present": 13, "before": 0}
    assert done["by_column"] == dict(recorded())
    settings.SECRET_KEY_FALLBACKS = []
    assert clear() == other_key
    assert manage.json("rotate_secrets", "--check")["lost"] == []


def test_what_it_says_to_people(manage: Manage, other_key: dict[str, Any]) -> None:
    lines = manage("rotate_secrets").splitlines()
    assert "tasks_webhook.secret: 5 sealed anew" in lines
    assert lines[-2].startswith("13 secrets: 13 under the present key ")
    assert lines[-1].startswith("nothing needs a key of before")


def test_a_second_run_changes_and_records_nothing(
    manage: Manage, other_key: dict[str, Any]
) -> None:
    manage("rotate_secrets")
    sealed, entries = list(Webhook.objects.values_list("sealed_url")), recorded()
    assert manage.json("rotate_secrets")["rotated"] == 0
    assert (list(Webhook.objects.values_list("sealed_url")), recorded()) == (sealed, entries)


def test_a_run_that_breaks_off_is_gone_on_with(
    manage: Manage,
    other_key: dict[str, Any],
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In mid-batch, at every secret: what a batch has done is undone, what was recorded stays."""
    monkeypatch.setattr(resealing, "AT_ONCE", 2)
    left = [0]

    def breaks(text: str, place: str) -> str:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return seal(text, place)

    monkeypatch.setattr(resealing, "seal", breaks)
    runs = 0
    while resealing.sealed_now().before:
        left[0], runs = 3, runs + 1
        try:
            resealing.reseal_all()
        except KeyboardInterrupt:
            assert clear() == other_key
        now = resealing.sealed_now()
        assert (now.total, now.lost) == (13, [])
        assert sum(count for _name, count in recorded()) == now.present
    assert runs > 4
    settings.SECRET_KEY_FALLBACKS = []
    assert clear() == other_key


def test_what_is_changed_meanwhile_is_not_overwritten(
    manage: Manage, other_key: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed_meanwhile(text: str, place: str) -> str:
        found = opened(text, place)
        Webhook.objects.update(sealed_url="")  # as if it were deleted at this moment
        return found

    monkeypatch.setattr(resealing, "opened", changed_meanwhile)
    resealing.reseal_all()
    assert set(Webhook.objects.values_list("sealed_url", flat=True)) == {""}


def test_a_key_that_nobody_names_is_told_with_where_it_is_missed(
    manage: Manage, campaign: Campaign, settings: Settings
) -> None:
    settings.SECRET_KEY = "the new one"
    new = add_webhook(campaign=campaign, url=URL, events=["job.done"])
    Webhook.objects.filter(pk=new.pk).update(sealed_url="https://in-the-clear/")
    found = manage.json("rotate_secrets", code=1)
    assert counts(found) == {"rotated": 0, "secrets": 15, "present": 1, "before": 0}
    keys = {lost["place"]: lost["key"] for lost in found["lost"]}
    assert (len(keys), keys[f"tasks_webhook.url {new.pk}"]) == (14, None)
    assert len(set(keys.values())) == 2
    assert "in-the-clear" not in str(found)
    assert recorded() == []
    said = manage("rotate_secrets", code=1)
    assert "cannot be read: tasks_authenticatorapp.sealed_key" in said
    assert said.splitlines()[-1].startswith("name the key that sealed them in TOMAHTO_SECRET_KEY_")
