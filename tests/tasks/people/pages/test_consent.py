"""The consent page: asked once, refused for an old version, bound to the campaign."""

import pytest

from tasks.models import Assignment, Campaign, Consent, Membership
from tasks.people.workflow.members import publish_consent_text
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


HTMX = {"HX-Request": "true"}
PAGE = "/c/rivers/consent/"


@pytest.fixture(autouse=True)
def text(campaign: Campaign) -> None:
    publish_consent_text(campaign=campaign, text="Do you *wish* to take part?")


def test_rate_leads_to_the_consent_page(rater: Membership) -> None:
    client = signed_in(rater)
    assert client.get("/c/rivers/rate/")["Location"] == PAGE
    assert client.get("/c/rivers/rate/", headers=HTMX)["HX-Redirect"] == PAGE
    assert not Assignment.objects.exists()


def test_consent_is_asked_with_text_version_and_box_and_is_remembered(rater: Membership) -> None:
    client = signed_in(rater)
    html = client.get(PAGE).content.decode()
    assert "Do you <em>wish</em> to take part?" in html
    assert "Version 1," in html
    assert '<input type="checkbox" name="agrees" required>' in html
    response = client.post(PAGE, {"version": "1"})
    assert response.status_code == 422
    assert "Tick the box if you agree." in response.content.decode()
    assert not Consent.objects.exists()
    body = {"version": "1", "agrees": "on"}
    assert client.post(PAGE, body)["Location"] == "/c/rivers/rate/"
    assert client.post(PAGE, body).status_code == 302
    assert client.get("/c/rivers/rate/").status_code == 200
    assert "You agreed to this version on" in client.get(PAGE).content.decode()
    assert list(Consent.objects.values_list("membership", "text__version")) == [(rater.pk, 1)]


def test_consent_to_an_old_version_is_refused_and_shows_the_new(
    rater: Membership, campaign: Campaign
) -> None:
    client = signed_in(rater)
    publish_consent_text(campaign=campaign, text="Another text.")
    response = client.post(PAGE, {"version": "1", "agrees": "on"})
    html = response.content.decode()
    assert response.status_code == 409
    assert "The text has changed while you were reading." in html
    assert "Another text." in html
    assert 'name="version" value="2"' in html
    assert not Consent.objects.exists()


def test_an_item_that_is_held_can_be_finished_before_consent_is_asked_anew(
    rater: Membership, campaign: Campaign
) -> None:
    publish_consent_text(campaign=campaign, text="")
    client = signed_in(rater)
    assert client.get(PAGE)["Location"] == "/c/rivers/rate/"
    client.get("/c/rivers/rate/")
    address = f"/c/rivers/rate/{Assignment.objects.get().pk}/"
    publish_consent_text(campaign=campaign, text="Now we ask.")
    body = {"action": "submit", "q1": "yes", "idempotency_key": "a", "asked": "q1"}
    response = client.post(address, body, headers=HTMX)
    assert response["HX-Redirect"] == PAGE
    assert rater.ratings.count() == 1


def test_admins_edit_the_text_on_the_settings_page(admin: Membership, campaign: Campaign) -> None:
    client = signed_in(admin)
    assert "Do you *wish* to take part?" in client.get("/c/rivers/settings/").content.decode()
    page = client.post("/c/rivers/settings/consent/", {"text": "Well?"}, follow=True)
    assert "asked to accept version 2 of the consent text." in page.content.decode()
    page = client.post("/c/rivers/settings/consent/", {"text": ""}, follow=True)
    assert "Nobody is asked for consent." in page.content.decode()
    campaign.refresh_from_db()
    assert campaign.consent_text is None


def test_consent_text_that_is_too_long_is_refused(admin: Membership, campaign: Campaign) -> None:
    body = {"text": "x" * 50_001}
    assert signed_in(admin).post("/c/rivers/settings/consent/", body).status_code == 422
    campaign.refresh_from_db()
    assert campaign.consent_text is not None
    assert campaign.consent_text.version == 1
