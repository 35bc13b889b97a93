"""The pages of webhooks, without JavaScript."""

import pytest
from django.test import Client

from tasks.events.workflow.events import NewEvent, add_webhook, note_events
from tasks.models import Campaign, Delivery, Event, EventKind, Membership, Webhook
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/settings/webhooks/"
ADDRESS = "https://receiver.example.org/hook?a=<b>"
CHOSEN = {"url": ADDRESS, "events": ["job.done", "rating.stored"], "secret": ""}


@pytest.fixture
def browser(admin: Membership) -> Client:
    return signed_in(admin)


@pytest.fixture
def webhook(campaign: Campaign) -> Webhook:
    return add_webhook(campaign=campaign, url=ADDRESS, events=[EventKind.JOB_DONE])


def happened(campaign: Campaign) -> Delivery:
    note_events(campaign.pk, NewEvent(EventKind.JOB_DONE, {"job": 1, "kind": "suggest"}))
    return Delivery.objects.get()


def test_admin_adds_a_webhook_and_sees_its_secret_once(browser: Client) -> None:
    answer = browser.post(PAGE, CHOSEN)
    made = Webhook.objects.get()
    assert (made.url, made.events) == (ADDRESS, ["rating.stored", "job.done"])
    assert len(made.secret) > 40
    assert made.secret in answer.content.decode()
    for page in (PAGE, f"{PAGE}{made.pk}/"):
        shown = browser.get(page).content.decode()
        assert made.secret not in shown
        assert "https://receiver.example.org/hook?a=&lt;b&gt;" in shown


def test_wrong_webhook_is_refused_beside_its_field(browser: Client) -> None:
    answer = browser.post(PAGE, {**CHOSEN, "secret": "too short"})
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not Webhook.objects.exists()


def test_admin_changes_a_webhook_which_keeps_its_secret(browser: Client, webhook: Webhook) -> None:
    browser.post(f"{PAGE}{webhook.pk}/", {**CHOSEN, "url": "https://other.example.org/"})
    changed = Webhook.objects.get()
    assert (changed.url, changed.secret) == ("https://other.example.org/", webhook.secret)
    assert changed.events == ["rating.stored", "job.done"]
    browser.post(f"{PAGE}{webhook.pk}/", {**CHOSEN, "secret": "x" * 16})
    assert Webhook.objects.get().secret == "x" * 16


def test_deliveries_are_shown_with_what_became_of_them(
    browser: Client, webhook: Webhook, campaign: Campaign
) -> None:
    delivery = happened(campaign)
    Delivery.objects.update(attempts=6, error="<b>no</b>")
    shown = browser.get(f"{PAGE}{webhook.pk}/").content.decode()
    assert "failed" in shown
    assert "&lt;b&gt;no&lt;/b&gt;" in shown
    retry = f"{PAGE}{webhook.pk}/deliveries/{delivery.pk}/retry/"
    assert "The message is being sent again." in browser.post(retry, follow=True).content.decode()
    delivery.refresh_from_db()
    assert delivery.attempts == 0


def test_admin_tries_switches_and_deletes(browser: Client, webhook: Webhook) -> None:
    page = f"{PAGE}{webhook.pk}/"
    browser.post(f"{page}trial/")
    assert Event.objects.get().kind == "webhook.tried"
    Webhook.objects.update(switched_off_because="connection refused")
    browser.post(f"{page}switch/", {"to": "off"})
    assert not Webhook.objects.get().is_active
    browser.post(f"{page}switch/", {"to": "on"})
    assert Webhook.objects.get().is_active
    browser.post(f"{page}delete/")
    assert browser.get(page).status_code == 404
    assert "No webhooks yet. Add one below." in browser.get(PAGE).content.decode()


def test_webhook_that_was_switched_off_says_why(browser: Client, webhook: Webhook) -> None:
    Webhook.objects.update(is_active=False, switched_off_because="connection refused")
    assert "connection refused" in browser.get(f"{PAGE}{webhook.pk}/").content.decode()
    assert "switched off after failing for a day" in browser.get(PAGE).content.decode()
