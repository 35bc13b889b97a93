"""Events delivered to a real HTTP server: once if all goes well, at least once whatever happens."""

import hashlib
import hmac
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as site
from django.db.models.functions import Now

from tasks.events.work import deliver, tidy_webhooks
from tasks.events.workflow import sending
from tasks.events.workflow.events import (
    NewEvent,
    add_webhook,
    note_events,
    retry_delivery,
    switch_off,
    switch_on,
    try_webhook,
)
from tasks.events.workflow.sending import MAX_ATTEMPTS, deliver_soon
from tasks.models import Campaign, Delivery, Event, EventKind, Webhook
from tests.factories import make_campaign
from tests.http_server import LocalServer, answers, resets
from tomahto.outgoing.messages import Limits

SECRET = "a secret of sixteen characters"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


@pytest.fixture
def webhook(campaign: Campaign, server: LocalServer) -> Webhook:
    return add_webhook(
        campaign=campaign, url=f"{server.url}/hook", events=[EventKind.JOB_DONE], secret=SECRET
    )


def happen(campaign: Campaign, *numbers: int) -> None:
    for number in numbers:
        note_events(campaign.pk, NewEvent(EventKind.JOB_DONE, {"job": number, "kind": "suggest"}))


def due_again() -> None:
    """As if every delay and lease had passed."""
    Webhook.objects.update(rests_until=Now())
    Delivery.objects.update(not_before=Now())


def jobs_told(server: LocalServer) -> list[int]:
    return [request.json["data"]["job"] for request in server.received]


def test_event_is_posted_signed_and_noted(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    happen(campaign, 7)
    server.script.append(answers("", status=204))
    deliver()
    deliver()
    [request] = server.received
    event = Event.objects.get()
    assert (request.method, request.path) == ("POST", "/hook")
    assert request.json == {
        "id": str(event.uid),
        "event": "job.done",
        "campaign": "rivers",
        "created_at": event.created_at.isoformat(),
        "data": {"job": 7, "kind": "suggest"},
    }
    seconds, signature = request.headers["tomahto-signature"].split(",v1=")
    signed = f"{seconds.removeprefix('t=')}.".encode() + request.body
    assert signature == hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert Delivery.objects.get().sent_at is not None


def test_two_webhooks_get_the_same_event_under_the_same_id(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    add_webhook(campaign=campaign, url=f"{server.url}/two", events=[EventKind.JOB_DONE])
    happen(campaign, 1)
    server.script.extend([answers("ok"), answers("ok")])
    deliver()
    assert sorted(request.path for request in server.received) == ["/hook", "/two"]
    assert len({request.json["id"] for request in server.received}) == 1


def test_failing_webhook_is_left_alone_for_longer_each_time_and_keeps_the_order(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    happen(campaign, 1, 2)
    server.script.append(answers("no", status=500))
    server.script.append(resets)
    server.script.append(answers("", status=302, headers={"Location": "http://127.0.0.1:1/"}))
    rests, errors = [], []
    for _attempt in range(3):
        deliver()
        deliver()  # it rests: nobody asks it again
        found = Webhook.objects.annotate(now=Now()).get()
        rests.append(round((found.rests_until - found.now) / timedelta(minutes=1)))
        errors.append(Delivery.objects.order_by("id")[0].error)
        due_again()
    assert rests == [1, 4, 16]
    assert errors[0] == "the webhook answered with status 500"
    assert errors[1] != errors[0]  # as the operating system says it
    assert errors[2] == "the webhook answered with status 302"
    server.script.extend([answers("ok"), answers("ok")])
    deliver()
    webhook.refresh_from_db()
    assert jobs_told(server) == [1, 1, 1, 1, 2]  # a redirect is not followed
    assert (webhook.failures, webhook.failing_since) == (0, None)


def test_slow_receiver_is_given_up_and_holds_up_nobody_else(
    campaign: Campaign, webhook: Webhook, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "_LIMITS", Limits(1, 0.1, 0.2, 1000))
    other = add_webhook(campaign=campaign, url=f"{server.url}/two", events=[EventKind.JOB_DONE])
    happen(campaign, 1, 2)
    server.script.append(server.never_answers())
    server.script.extend([answers("ok"), answers("ok")])
    deliver()
    assert [request.path for request in server.received] == ["/hook", "/two", "/two"]
    assert Delivery.objects.filter(webhook=other, sent_at=None).count() == 0
    assert Delivery.objects.filter(webhook=webhook, sent_at=None).count() == 2


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/", "http://[::ffff:127.0.0.1]:9/"])
def test_address_inside_the_network_is_refused(campaign: Campaign, address: str) -> None:
    add_webhook(campaign=campaign, url=address, events=[EventKind.JOB_DONE])
    happen(campaign, 1)
    deliver()
    assert "TOMAHTO_OUTGOING_ALLOWED" in Delivery.objects.get().error


Send = Callable[..., None]


def sending_while(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], None]) -> list[Any]:
    """The messages that are sent; during one, `meanwhile` happens once."""
    sent: list[Any] = []

    def send(message: Any, **_: Any) -> None:
        sent.append(message)
        if len(sent) == 1:
            meanwhile()

    monkeypatch.setattr(sending, "send_to_webhook", send)
    return sent


def test_two_workers_at_once_send_each_event_once(
    campaign: Campaign, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = sending_while(monkeypatch, deliver)
    happen(campaign, 1, 2, 3)
    deliver()
    assert [message["data"]["job"] for message in sent] == [1, 2, 3]


def test_without_taking_two_workers_send_the_same(
    campaign: Campaign, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guards removed: the test above would notice."""
    monkeypatch.setattr(sending, "LEASE", timedelta(0))
    monkeypatch.setattr(sending, "take", lambda **_: True)
    sent = sending_while(monkeypatch, deliver)
    happen(campaign, 1, 2, 3)
    deliver()
    assert len(sent) > 3


def test_worker_killed_after_sending_has_it_sent_again_under_the_same_id(
    campaign: Campaign, webhook: Webhook, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(**_: object) -> None:
        raise Killed

    happen(campaign, 1)
    server.script.extend([answers("ok"), answers("ok")])
    with monkeypatch.context() as patch:
        patch.setattr(sending, "note_sent", die)
        with pytest.raises(Killed):
            deliver()
    deliver()  # the lease of the dead one is not over
    assert len(server.received) == 1
    due_again()
    deliver()
    first, second = server.received
    assert first.body == second.body
    assert Delivery.objects.get().sent_at is not None


def test_webhook_that_fails_for_a_day_is_switched_off_and_loses_nothing(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    happen(campaign, 1, 2)
    server.script.append(answers("no", status=503))
    deliver()
    Webhook.objects.update(failing_since=Now() - timedelta(days=1, seconds=1))
    due_again()
    server.script.append(answers("no", status=503))
    deliver()
    webhook.refresh_from_db()
    campaign.refresh_from_db()
    reason = "the webhook answered with status 503"
    assert (webhook.is_active, webhook.switched_off_because) == (False, reason)
    assert campaign.webhook_events == ""
    due_again()
    deliver()
    happen(campaign, 3)  # nobody wants to know
    switch_on(webhook=webhook)
    server.script.extend([answers("ok"), answers("ok")])
    deliver()
    assert jobs_told(server) == [1, 1, 1, 2]
    webhook.refresh_from_db()
    assert webhook.switched_off_because == ""


def test_event_that_is_refused_for_good_is_given_up_until_somebody_retries(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    happen(campaign, 1)
    server.otherwise = lambda _: answers("no", status=400)
    for _attempt in range(MAX_ATTEMPTS + 1):
        deliver()
        due_again()
    assert len(server.received) == MAX_ATTEMPTS
    server.otherwise = lambda _: answers("ok")
    found = Delivery.objects.get()
    assert retry_delivery(delivery=found)
    deliver()
    assert len(server.received) == MAX_ATTEMPTS + 1
    assert not retry_delivery(delivery=found)


def test_trial_reaches_a_webhook_that_is_off(
    campaign: Campaign, webhook: Webhook, server: LocalServer
) -> None:
    happen(campaign, 1)
    switch_off(webhook=webhook)
    try_webhook(webhook=webhook)
    server.script.append(answers("ok"))
    deliver()
    [request] = server.received
    assert (request.json["event"], request.json["data"]) == ("webhook.tried", {})


def test_what_was_delivered_long_ago_is_forgotten_and_the_rest_kept(
    campaign: Campaign, webhook: Webhook
) -> None:
    happen(campaign, 1, 2, 3)
    old = Now() - timedelta(days=31)
    Event.objects.update(created_at=old)
    first, second, third = Delivery.objects.order_by("id")
    Delivery.objects.filter(pk=first.pk).update(sent_at=old)
    Delivery.objects.filter(pk=second.pk).update(sent_at=Now())
    tidy_webhooks()
    assert set(Delivery.objects.all()) == {second, third}
    assert Event.objects.count() == 2


def test_lost_message_does_not_matter(
    campaign: Campaign, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr("annotation_site.celery.app.send_task", refuse)
    deliver_soon()
    assert {entry["task"] for entry in site.CELERY_BEAT_SCHEDULE.values()} >= {
        deliver.name,
        tidy_webhooks.name,
    }
