"""A session belongs to one login: its number is new, and it ends with it."""

from http import HTTPStatus

import pytest
from django.test import Client
from pytest_django import Settings

from tasks.models import User
from tests.factories import PASSWORD, make_campaign, make_member

NEW = "quite another horse"


@pytest.fixture
def user(db: None) -> User:
    member = make_member(make_campaign("lakes"), "rater", "pine")
    assert member.user is not None
    return member.user


def log_in(client: Client, password: str = PASSWORD) -> str:
    client.post("/login/", {"username": "pine", "password": password})
    return client.cookies["sessionid"].value


def replayed(session: str) -> int:
    """The page that a stolen cookie opens, or the way to the login page."""
    return Client(headers={"cookie": f"sessionid={session}"}).get("/").status_code


def test_login_gives_a_session_that_nobody_knew_before(user: User) -> None:
    client = Client()
    client.cookies["sessionid"] = "planted-by-somebody-else-0000000"
    first = log_in(client)
    assert first != "planted-by-somebody-else-0000000"
    assert replayed("planted-by-somebody-else-0000000") == HTTPStatus.FOUND
    assert replayed(first) == HTTPStatus.OK


def test_an_anonymous_session_is_exchanged_at_login(user: User) -> None:
    client = Client()
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = session.session_key or ""
    assert log_in(client) != session.session_key
    assert replayed(session.session_key or "") == HTTPStatus.FOUND


def test_a_session_is_worth_nothing_after_logout(user: User) -> None:
    client = Client()
    stolen = log_in(client)
    client.post("/logout/")
    assert replayed(stolen) == HTTPStatus.FOUND


def test_a_new_password_ends_every_other_session(user: User) -> None:
    client, elsewhere = Client(), Client()
    stolen, own = log_in(elsewhere), log_in(client)
    body = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post("/password/", body).status_code == HTTPStatus.FOUND
    assert (replayed(stolen), replayed(own)) == (HTTPStatus.FOUND, HTTPStatus.FOUND)
    assert client.get("/").status_code == HTTPStatus.OK


def test_a_deactivated_account_has_no_session_left(user: User) -> None:
    stolen = log_in(Client())
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert replayed(stolen) == HTTPStatus.FOUND


@pytest.fixture
def secure(settings: Settings) -> Client:
    """The site behind a proxy with TLS, as in production."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    return Client(
        enforce_csrf_checks=True, headers={"x-forwarded-proto": "https", "host": "testserver"}
    )


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://testserver"}, HTTPStatus.FOUND),
        ({"referer": "https://testserver/login/"}, HTTPStatus.FOUND),
        ({"origin": "https://evil.example"}, HTTPStatus.FORBIDDEN),
        ({"origin": "null"}, HTTPStatus.FORBIDDEN),
        ({"referer": "https://evil.example/testserver"}, HTTPStatus.FORBIDDEN),
        ({}, HTTPStatus.FORBIDDEN),
    ],
)
def test_a_request_from_another_site_is_refused_even_with_a_token(
    user: User, secure: Client, headers: dict[str, str], status: int
) -> None:
    secure.get("/login/")
    body = {
        "username": "pine",
        "password": PASSWORD,
        "csrfmiddlewaretoken": secure.cookies["csrftoken"].value,
    }
    assert secure.post("/login/", body, headers=headers).status_code == status
