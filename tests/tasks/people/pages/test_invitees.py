"""The page that invites people by e-mail: a preview first, then the mails and their states."""

import re
from html import unescape

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from tasks.models import Campaign, Invitation, Membership
from tasks.people.work import send_invitations
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/settings/invitations/mail/"
FORM = {"addresses": "", "role": "rater", "language": "de", "message": "See you <soon>."}
TABLE = b"e-mail,name,role\nann@example.org,Ann,researcher\nbo@example.org,,\n"


@pytest.fixture(autouse=True)
def sending(settings: Settings) -> None:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://site.example"


@pytest.fixture
def browser(admin: Membership) -> Client:
    return signed_in(admin)


def kept(html: str) -> dict[str, str]:
    """The hidden fields of the preview."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    return {
        name: unescape(fields[name])
        for name in ("addresses", "table", "role", "language", "message")
    }


def test_people_of_a_file_are_shown_first_and_invited_then(
    browser: Client, campaign: Campaign
) -> None:
    file = SimpleUploadedFile("people.csv", TABLE)
    html = browser.post(PAGE, {**FORM, "file": file}).content.decode()
    assert "2 people to invite" in html
    assert "See you &lt;soon&gt;." in html
    assert not Invitation.objects.exists()
    fields = kept(html)
    assert fields["table"] == TABLE.decode()
    edited = browser.post(PAGE, {**fields, "action": "edit"}).content.decode()
    assert "The people in your CSV file are included." in edited
    sent = browser.post(PAGE, {**fields, "action": "send"}, follow=True).content.decode()
    assert "2 invitations are on their way." in sent
    assert sent.count("being sent") == 2
    send_invitations()
    assert [message.to for message in mail.outbox] == [
        ["Ann <ann@example.org>"],
        ["bo@example.org"],
    ]
    rows = Invitation.objects.order_by("pk")
    assert list(rows.values_list("role", "language", "message")) == [
        ("researcher", "de", "See you <soon>."),
        ("rater", "de", "See you <soon>."),
    ]
    again = browser.post(PAGE, {**FORM, "addresses": "bo@example.org"}).content.decode()
    assert "Already invited, will not get another e-mail" in again
    assert "Send invitations" not in again


def test_a_wrong_file_invites_nobody(browser: Client, campaign: Campaign) -> None:
    file = SimpleUploadedFile("people.csv", TABLE + b"cleo,,\n")
    response = browser.post(PAGE, {**FORM, "file": file, "action": "send"})
    assert response.status_code == 422
    assert "Line 4, e-mail: “cleo” is not an e-mail address." in response.content.decode()
    assert not Invitation.objects.exists()


def test_an_invitation_is_sent_again_and_withdrawn(browser: Client, campaign: Campaign) -> None:
    browser.post(PAGE, {**FORM, "addresses": "ann@example.org", "action": "send"})
    send_invitations()
    invitation = Invitation.objects.get()
    address = f"/c/rivers/settings/invitations/{invitation.pk}/"
    again = browser.post(f"{address}again/", follow=True).content.decode()
    assert "A new e-mail is on its way to ann@example.org." in again
    refused = browser.post(f"{address}again/", follow=True).content.decode()
    assert "Nothing was sent: the invitation is being sent" in refused
    withdrawn = browser.post(f"{address}revoke/", follow=True)
    assert withdrawn.redirect_chain == [(PAGE, 302)]
    assert "withdrawn" in withdrawn.content.decode()
    send_invitations()
    assert len(mail.outbox) == 1


def test_whoever_comes_by_a_mail_finds_their_address_in_the_form(
    browser: Client, campaign: Campaign
) -> None:
    browser.post(PAGE, {**FORM, "addresses": "ann@example.org", "action": "send"})
    send_invitations()
    found = re.search(r"https://site.example(/join/[\w-]+/)", str(mail.outbox[0].body))
    assert found is not None
    html = Client().get(found[1], follow=True).content.decode()
    assert 'value="ann@example.org"' in html


def test_a_site_that_sends_no_mail_says_so_and_offers_a_link(
    browser: Client, campaign: Campaign, settings: Settings
) -> None:
    settings.SITE_URL = ""
    posted = {**FORM, "addresses": "ann@example.org", "action": "send"}
    for response in (browser.get(PAGE), browser.post(PAGE, posted)):
        assert "This site sends no e-mail." in response.content.decode()
    assert not Invitation.objects.exists()
