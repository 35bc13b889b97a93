"""One's own account, and the ways back to a forgotten password."""

import re
from http import HTTPStatus

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from tasks.models import Membership, User
from tasks.web.outgoing import wait_until_sent
from tests.factories import PASSWORD
from tests.tasks.browsers import signed_in


@pytest.fixture
def _sending(settings: Settings) -> None:
    settings.SENDS_MAIL = True


def test_email_is_set_with_the_password(rater: Membership, user: User) -> None:
    client = signed_in(rater)
    refused = client.post("/account/", {"email": "pine@example.org", "password": "guess"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "The password is wrong." in refused.content.decode()
    user.refresh_from_db()
    assert user.email == ""
    client.post("/account/", {"email": "pine@example.org", "password": PASSWORD})
    user.refresh_from_db()
    assert user.email == "pine@example.org"


def test_login_offers_a_reset_only_if_the_site_sends_mail(db: None, settings: Settings) -> None:
    assert "/password/reset/" not in Client().get("/login/").content.decode()
    assert Client().get("/password/reset/").status_code == HTTPStatus.NOT_FOUND
    settings.SENDS_MAIL = True
    assert "/password/reset/" in Client().get("/login/").content.decode()
    assert Client().get("/password/reset/").status_code == HTTPStatus.OK


@pytest.mark.usefixtures("_sending")
def test_reset_by_mail_sets_a_new_password(user: User) -> None:
    User.objects.filter(pk=user.pk).update(email="pine@example.org")
    Client().post("/password/reset/", {"email": "PINE@example.org"})
    wait_until_sent()
    [message] = mail.outbox
    assert (message.subject, message.to) == ("A new password for Tomahto", ["pine@example.org"])
    [link] = [line for line in str(message.body).splitlines() if line.startswith("http")]
    client = Client()
    form = client.get(link.removeprefix("http://testserver"), follow=True).redirect_chain[-1][0]
    body = {"new_password1": "a river of words", "new_password2": "a river of words"}
    assert client.post(form, body)["Location"] == "/password/reset/done/"
    signed = Client().post("/login/", {"username": "pine", "password": "a river of words"})
    assert signed["Location"] == "/"


@pytest.mark.usefixtures("_sending")
@pytest.mark.parametrize(("chosen", "language"), [("", "de"), ("en", "en")])
def test_reset_by_mail_speaks_the_language_of_the_account_or_else_of_the_page(
    user: User, chosen: str, language: str
) -> None:
    User.objects.filter(pk=user.pk).update(email="pine@example.org", language=chosen)
    asked = {"email": "pine@example.org"}
    Client().post("/password/reset/", asked, headers={"Accept-Language": "de"})
    wait_until_sent()
    [message] = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    assert f'<html lang="{language}"' in str(message.alternatives[0][0])


@pytest.mark.usefixtures("_sending")
def test_reset_answers_alike_whether_there_is_an_account_or_not(
    user: User, admin: Membership
) -> None:
    User.objects.filter(pk=user.pk).update(email="pine@example.org")
    User.objects.filter(pk=admin.user_id or 0).update(email="oak@example.org", is_active=False)
    answers = []
    for address in ("pine@example.org", "oak@example.org", "nobody@example.org"):
        response = Client().post("/password/reset/", {"email": address}, follow=True)
        # the form token of the language switch is another one on every page
        page = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", response.content)
        answers.append((response.redirect_chain, page))
    wait_until_sent()
    assert answers[1:] == answers[:1] * 2
    assert [message.to for message in mail.outbox] == [["pine@example.org"]]


@pytest.mark.usefixtures("_sending")
@pytest.mark.parametrize(
    ("site", "start"),
    [
        ("", "http://testserver/"),
        ("https://tomahto.example.org", "https://tomahto.example.org/"),
        ("https://example.org:8443/tomahto", "https://example.org:8443/tomahto/"),
    ],
)
def test_reset_by_mail_leads_to_the_address_of_the_site(
    user: User, settings: Settings, site: str, start: str
) -> None:
    settings.SITE_URL = site
    User.objects.filter(pk=user.pk).update(email="pine@example.org")
    Client().post("/password/reset/", {"email": "pine@example.org"})
    wait_until_sent()
    body = str(mail.outbox[0].body)
    [link] = [line for line in body.splitlines() if line.startswith("http")]
    assert link.startswith(f"{start}password/reset/")
    host = start.split("/")[2]
    assert f"account pine at {host}." in body
