"""Alerts told by real mail and a real HTTP server; a fake broker notes what is sent."""

import hashlib
import hmac
import json
import re

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from tasks.agreement.work import tell_alerts, watch_progress
from tasks.agreement.workflow.alerts import (
    raise_after_look,
    raise_trial,
    send_alerts_soon,
    set_channels,
)
from tasks.campaigns.workflow.lives import delete_campaign, restore
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Alert, AlertChannels, Campaign, Delivery, Look, Membership
from tasks.rating.workflow.assignment import claim_item
from tests.factories import make_campaign, make_item, make_member
from tests.http_server import LocalServer, answers
from tests.tasks.conftest import rating_row


@pytest.fixture
def campaign(db: None, settings: Settings) -> Campaign:
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://tomahto.example.org"
    return make_campaign("rivers", title="Rivers\nand lakes")


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    admin = make_member(campaign, "admin", "oak")
    assert admin.user is not None
    admin.user.email = "oak@example.org"
    admin.user.save()
    return admin


def only_webhook(campaign: Campaign, url: str) -> str:
    set_channels(campaign=campaign, sends_mail=False, webhook_url=url)
    return AlertChannels.objects.get().webhook_secret


def test_mail_tells_the_admins_with_an_address(campaign: Campaign, admin: Membership) -> None:
    make_member(campaign, "admin", "elm")  # has given no address
    other = make_member(campaign, "researcher", "fern")
    assert other.user is not None
    other.user.email = "fern@example.org"
    other.user.save()
    raise_trial(campaign=campaign, by=admin)
    tell_alerts()
    tell_alerts()
    [message] = mail.outbox
    assert message.recipients() == ["oak@example.org"]
    assert message.subject == "Rivers and lakes: Test message"
    assert "oak sent a test alert." in message.body
    assert "https://tomahto.example.org/c/rivers/agreement/alerts/\n" in message.body
    assert Delivery.objects.get().sent_at is not None


def test_alerts_of_a_deleted_campaign_wait_until_it_is_restored(
    campaign: Campaign, admin: Membership
) -> None:
    raise_trial(campaign=campaign, by=admin)
    delete_campaign(campaign=campaign, typed="rivers")
    tell_alerts()
    assert mail.outbox == []
    restore(campaign=campaign)
    tell_alerts()
    assert len(mail.outbox) == 1


def test_mail_tells_who_rates_that_there_is_an_alert_and_no_more(
    campaign: Campaign, admin: Membership
) -> None:
    make_item(campaign, id="item-1")
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    holder = make_member(campaign, "admin", "elm")
    assert holder.user is not None
    holder.user.email = "elm@example.org"
    holder.user.save()
    assert claim_item(membership=holder) is not None
    found = json.dumps({"alpha": {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}})
    look = Look.objects.create(
        campaign=campaign, number=1, ratings=160, level=0.025, findings=found
    )
    raise_after_look(look=look)
    tell_alerts()
    told = {message.recipients()[0]: message for message in mail.outbox}
    assert "0.5" in told["oak@example.org"].body
    withheld = told["elm@example.org"]
    assert "An alert was raised." in withheld.body
    assert "0.5" not in withheld.body
    assert withheld.subject == "Rivers and lakes: Alert"


def test_mail_speaks_the_language_of_each_admin(campaign: Campaign, admin: Membership) -> None:
    for name, language in (("elm", "de"), ("fir", "de"), ("yew", "")):
        user = make_member(campaign, "admin", name).user
        assert user is not None
        user.email, user.language = f"{name}@example.org", language
        user.save()
    raise_trial(campaign=campaign, by=admin)
    tell_alerts()
    languages = {}
    for message in mail.outbox:
        assert isinstance(message, EmailMultiAlternatives)
        found = re.search(r'<html lang="(\w+)"', str(message.alternatives[0][0]))
        assert found is not None
        languages[tuple(message.bcc)] = found[1]
    assert languages == {
        ("elm@example.org", "fir@example.org"): "de",
        ("oak@example.org", "yew@example.org"): "en",
    }


def test_mail_without_anybody_to_tell_says_so(campaign: Campaign) -> None:
    raise_trial(campaign=campaign, by=make_member(campaign, "admin", "elm"))
    tell_alerts()
    assert Delivery.objects.get().error == "no admin of the campaign has an e-mail address"


def test_webhook_gets_the_numbers_signed(
    campaign: Campaign, admin: Membership, server: LocalServer
) -> None:
    secret = only_webhook(campaign, f"{server.url}/hook?of=rivers")
    alert = raise_trial(campaign=campaign, by=admin)
    server.script.append(answers("", status=204))
    tell_alerts()
    [request] = server.received
    seconds, signature = (part[2:] for part in request.headers["tomahto-signature"].split(","))
    # as a receiver works it out; "v1=" is one letter longer than "t="
    expected = hmac.new(secret.encode(), f"{seconds}.".encode() + request.body, hashlib.sha256)
    assert signature.removeprefix("=") == expected.hexdigest()
    assert (request.method, request.path) == ("POST", "/hook?of=rivers")
    told = request.json
    assert told | {"raised_at": "", "acknowledged_at": ""} == {
        "id": alert.pk,
        "campaign": "rivers",
        "kind": "trial",
        "subject": "oak",
        "evidence": {},
        "look": None,
        "raised_at": "",
        "acknowledged_at": "",
        "note": "",
        "url": "https://tomahto.example.org/c/rivers/agreement/alerts/",
    }
    assert Delivery.objects.get().sent_at is not None


def test_webhook_inside_the_network_is_refused_unless_allowed(
    campaign: Campaign, admin: Membership
) -> None:
    only_webhook(campaign, "http://127.0.0.1:9/")
    raise_trial(campaign=campaign, by=admin)
    tell_alerts()
    assert "TOMAHTO_OUTGOING_ALLOWED" in Delivery.objects.get().error


def test_webhook_taken_away_is_told_nothing(campaign: Campaign, admin: Membership) -> None:
    only_webhook(campaign, "http://127.0.0.1:9/")
    raise_trial(campaign=campaign, by=admin)
    set_channels(campaign=campaign, sends_mail=False, webhook_url="")
    tell_alerts()
    assert Delivery.objects.get().error == "the campaign no longer has a webhook"


def test_round_finds_alerts_whose_message_was_lost(
    campaign: Campaign, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr("annotation_site.celery.app.send_task", refuse)
    raise_trial(campaign=campaign, by=admin)
    send_alerts_soon()
    assert mail.outbox == []
    watch_progress()
    assert len(mail.outbox) == 1
    assert Alert.objects.count() == 1
