"""The site's secret key is another one, and nobody kept that of before: webhooks and alerts."""

import pytest
from django.conf import settings as site
from pytest_django import Settings

from tasks.agreement.work import tell_alerts
from tasks.agreement.workflow.alerts import raise_trial, set_channels
from tasks.events.work import deliver
from tasks.events.workflow.webhooks import add_webhook, try_webhook
from tasks.models import AlertChannels, Campaign, Delivery, Membership, Webhook
from tests.factories import make_campaign, make_member
from tests.http_server import answers, local_server
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in
from tomahto.outgoing.configuration import configure_outgoing

pytestmark = pytest.mark.slow

LOST = "its address and secret cannot be read with this site's secret key: set both anew"
SAID = "can no longer be"
"""Of a sentence that goes on in the next line of the template."""
ANEW = {"url": "https://new.example/", "events": ["job.done"]}
SECRET = "a secret of sixteen characters"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    return make_member(campaign, role="admin", username="lead")


@pytest.fixture
def webhook(campaign: Campaign, admin: Membership, settings: Settings) -> Webhook:
    """One of before the key was lost, as alerts have one too."""
    made = add_webhook(campaign=campaign, url="https://old.example/", events=["job.done"])
    set_channels(campaign=campaign, sends_mail=False, webhook_url="https://old.example/")
    settings.SECRET_KEY = "another one, since the old one is lost"
    return Webhook.objects.get(pk=made.pk)


def test_its_page_says_so_and_takes_both_anew(admin: Membership, webhook: Webhook) -> None:
    browser = signed_in(admin)
    page = f"/c/rivers/settings/webhooks/{webhook.pk}/"
    assert SAID in browser.get(page).content.decode()
    assert "To be set anew" in browser.get("/c/rivers/settings/webhooks/").content.decode()
    refused = browser.post(page, ANEW)
    assert (refused.status_code, list(refused.context["form"].errors)) == (422, ["secret"])
    browser.post(page, {**ANEW, "secret": SECRET})
    webhook.refresh_from_db()
    assert (webhook.url, webhook.secret, webhook.is_readable) == (ANEW["url"], SECRET, True)
    assert SAID not in browser.get(page).content.decode()


def test_the_api_says_so_and_takes_both_anew(campaign: Campaign, webhook: Webhook) -> None:
    client = ApiClient(Membership.objects.get(campaign=campaign, role="admin"))
    place = f"rivers/webhooks/{webhook.pk}"
    found = client.get(place).json()
    assert (found["url"], found["is_readable"]) == ("", False)
    half = client.send("PATCH", place, {"url": "https://new.example/"}).json()
    assert (half["url"], half["is_readable"]) == ("https://new.example/", False)
    assert client.send("PATCH", place, {"secret": SECRET}).json()["is_readable"]


def test_nothing_is_sent_and_the_delivery_says_why(webhook: Webhook) -> None:
    try_webhook(webhook=webhook)
    deliver()
    assert [delivery.error for delivery in Delivery.objects.all()] == [LOST]


def test_switching_off_and_deleting_need_no_key(admin: Membership, webhook: Webhook) -> None:
    browser, page = signed_in(admin), f"/c/rivers/settings/webhooks/{webhook.pk}/"
    for action, body in (("switch", {"to": "off"}), ("switch", {"to": "on"}), ("delete", {})):
        assert browser.post(f"{page}{action}/", body).status_code == 302
    assert Webhook.objects.get().deleted_at is not None


def test_alerts_say_so_and_take_an_address_anew(
    campaign: Campaign, admin: Membership, webhook: Webhook
) -> None:
    raise_trial(campaign=campaign, by=admin)
    tell_alerts()
    assert Delivery.objects.get(alert__isnull=False).error == LOST
    browser = signed_in(admin)
    page = "/c/rivers/agreement/alerts/"
    assert SAID in browser.get(page).content.decode()
    browser.post(f"{page}channels/", {"webhook_url": "https://old.example/"})
    channels = AlertChannels.objects.get()
    assert (channels.webhook_url, channels.is_readable) == ("https://old.example/", True)
    assert len(channels.webhook_secret) > 40
    assert SAID not in browser.get(page).content.decode()


def test_a_key_of_before_is_enough(campaign: Campaign, settings: Settings) -> None:
    with local_server() as server:
        configure_outgoing([server.allowed])
        made = add_webhook(campaign=campaign, url=f"{server.url}/", events=[], secret=SECRET)
        settings.SECRET_KEY_FALLBACKS = [site.SECRET_KEY]
        settings.SECRET_KEY = "another one"
        server.script.append(answers("", status=204))
        try_webhook(webhook=Webhook.objects.get(pk=made.pk))
        deliver()
        configure_outgoing(site.OUTGOING_ALLOWED)
    assert Delivery.objects.get().sent_at is not None
