"""One's own account, and the ways back to a forgotten password."""

import re
from http import HTTPStatus

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tasks.access.pages import passwords
from tasks.models import Membership, User
from tasks.web.mail import wait_until_sent
from tests.factories import PASSWORD
from tests.tasks.browsers import signed_in


@pytest.fixture
def user(rater: Membership) -> User:
    assert rater.user is not None
    return rater.user


@pytest.fixture
def _sending(settings: Settings) -> None:
    settings.SENDS_MAIL = True


def test_email_is_set_with_the_password(rater: Membership, user: User) -> None:
    client = signed_in(rater)
    refused = client.post("/account/", {"email": "pine@example.org", "password": "guess"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This is not your password." in refused.content.decode()
    user.refresh_from_db()
    assert user.email == ""
    client.post("/account/", {"email": "pine@example.org", "password": PASSWORD})
    user.refresh_from_db()
    assert user.email == "pine@example.org"


def test_wrong_passwords_lock_the_account(rater: Membership, settings: Settings) -> None:
    settings.LOGIN_TRIES = 2
    client, body = signed_in(rater), {"email": "pine@example.org", "password": "guess"}
    statuses = [client.post("/account/", body).status_code for _ in range(3)]
    assert statuses == [422, 422, 429]


def test_login_offers_a_reset_only_if_the_site_sends_mail(db: None, settings: Settings) -> None:
    assert "/password/reset/" not in Client().get("/login/").content.decode()
    assert Client().get("/password/reset/").status_code == HTTPStatus.NOT_FOUND
    settings.SENDS_MAIL = True
    assert "/password/reset/" in Client().get("/login/").content.decode()
    page = Client().get("/password/reset/")
    assert page.status_code == HTTPStatus.OK
    assert '<label for="id_email">E-mail</label>' in " ".join(page.content.decode().split())


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


def ask(address: str, number: int = 1) -> list[int]:
    return [
        Client().post("/password/reset/", {"email": address}).status_code for _ in range(number)
    ]


@pytest.mark.usefixtures("_sending")
def test_three_reset_mails_go_to_one_address_whether_it_has_an_account_or_not(user: User) -> None:
    User.objects.filter(pk=user.pk).update(email="pine@example.org")
    found = ask("pine@example.org", 2) + ask("PINE@example.org") + ask("pine@example.org", 57)
    assert found == [302] * 3 + [429] * 57
    assert ask("nobody@example.org", 60) == [302] * 3 + [429] * 57
    refused = Client().post("/password/reset/", {"email": "pine@example.org"})
    assert 0 < int(refused["Retry-After"]) <= 15 * 60
    wait_until_sent()
    assert len(mail.outbox) == 3


@pytest.mark.django_db
@pytest.mark.usefixtures("_sending")
def test_one_network_address_asks_for_so_many_resets(settings: Settings) -> None:
    settings.RESET_MAILS_PER_ADDRESS = 2
    assert [ask(f"{name}@example.org")[0] for name in "abc"] == [302, 302, 429]


@pytest.mark.usefixtures("_sending")
def test_every_reset_mail_goes_out_without_the_guard(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(pk=user.pk).update(email="pine@example.org")
    monkeypatch.setattr(passwords, "count_reset", lambda *_: None)
    assert ask("pine@example.org", 60) == [302] * 60
    wait_until_sent()
    assert len(mail.outbox) == 60
