"""Guesses of passwords and codes: how many are tried, whom they shut out, and for how long."""

import re
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.tokens import default_token_generator
from django.db.models import F
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from pytest_django import Settings

from tasks.access.guards.logins import client_network
from tasks.models import ApiToken, LoginAttempts, Membership, User
from tests.factories import PASSWORD, make_user
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


NEW = "a river of words"
CHANGE = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were looked at."""
    found: list[str] = []

    def encode(self: MD5PasswordHasher, password: str, salt: str) -> str:
        found.append(password)
        return real(self, password, salt)

    real = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    return found


def attempt(password: str, *, name: str = "pine", client: Client | None = None, **meta: Any) -> Any:
    return (client or Client()).post("/login/", {"username": name, "password": password}, **meta)


def attempts(number: int, **changes: Any) -> list[int]:
    return [attempt(f"wrong-{n}", **changes).status_code for n in range(number)]


def later(minutes: float) -> None:
    """Let so much time pass for what was counted."""
    LoginAttempts.objects.update(counted_from=F("counted_from") - timedelta(minutes=minutes))


@pytest.mark.parametrize("name", ["pine", "nobody", "reed"])
def test_ten_are_tried_for_a_name_whether_there_is_an_account_or_not(
    user: User, judged: list[str], name: str
) -> None:
    make_user("reed", is_active=False)
    judged.clear()
    assert attempts(12, name=name) == [200] * 10 + [429] * 2
    refused = attempt(PASSWORD, name=name)
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "Try again in 15 minutes." in refused.content.decode()
    assert 890 <= int(refused["Retry-After"]) <= 900
    assert judged == [f"wrong-{n}" for n in range(10)]


def test_answers_are_the_same_for_any_name(user: User, admin: Membership) -> None:
    User.objects.filter(pk=admin.user_id or 0).update(is_active=False)
    pages = []
    for name, password in [("pine", "wrong"), ("nobody", "wrong"), ("oak", PASSWORD)]:
        page = attempt(password, name=name).content.decode()
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|nonce-[\w-]+', "", page)
        pages.append(page.replace(f'value="{name}"', ""))
    assert pages[0] == pages[1] == pages[2]


def test_pause_ends_a_quarter_of_an_hour_after_the_last_try(user: User) -> None:
    attempts(9)
    later(14)
    assert attempts(2) == [200, 429]
    later(14)
    assert attempts(1) == [429]
    later(1.1)
    assert attempt(PASSWORD)["Location"] == "/"


def test_right_passwords_cost_no_try_and_forgive_none(user: User) -> None:
    for _ in range(3):
        assert attempts(3) == [200] * 3
        assert attempt(PASSWORD).status_code == HTTPStatus.FOUND
    assert attempts(2) == [200, 429]


def test_header_of_the_caller_opens_no_way(user: User) -> None:
    found = [
        attempt(f"wrong-{n}", HTTP_X_FORWARDED_FOR=f"203.0.113.{n}").status_code for n in range(12)
    ]
    assert found == [200] * 10 + [429] * 2


def test_guesses_do_not_shut_out_a_browser_that_is_known(user: User, admin: Membership) -> None:
    home, foreign = Client(), Client()
    attempt(PASSWORD, client=home)
    attempt(PASSWORD, name="oak", client=foreign)
    for client in (home, foreign):
        client.post("/logout/")
    attempts(10)
    assert attempt(PASSWORD).status_code == HTTPStatus.TOO_MANY_REQUESTS
    # who knows another's browser knows nothing of this account
    assert attempt(PASSWORD, client=foreign).status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert attempt(PASSWORD, client=home).status_code == HTTPStatus.FOUND
    home.post("/logout/")
    assert attempts(11, client=home) == [200] * 10 + [429]
    cookie = home.cookies["known_device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    forged = Client(headers={"cookie": f"known_device={cookie.value[:-2]}xx"})
    assert attempt(PASSWORD, client=forged).status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_session_goes_on_while_the_account_takes_no_password(rater: Membership) -> None:
    client = signed_in(rater)
    attempts(11)
    assert client.get("/").status_code == HTTPStatus.OK


def test_new_password_by_a_link_opens_the_account_at_once(user: User) -> None:
    attempts(10)
    uid, token = (
        urlsafe_base64_encode(force_bytes(user.pk)),
        default_token_generator.make_token(user),
    )
    client = Client()
    form = client.get(f"/password/reset/{uid}/{token}/")["Location"]
    assert client.post(form, CHANGE).status_code == HTTPStatus.FOUND
    assert attempt(NEW)["Location"] == "/"


def test_address_has_a_wider_limit_over_all_names(user: User, settings: Settings) -> None:
    settings.LOGIN_TRIES_PER_ADDRESS = 4
    found = [attempt("wrong", name=f"name-{n}").status_code for n in range(6)]
    assert found == [200] * 4 + [429] * 2
    assert attempt(PASSWORD, REMOTE_ADDR="198.51.100.9").status_code == HTTPStatus.FOUND
    assert LoginAttempts.objects.count() == 1 + 4 + 2  # no name is counted that was not tried
    later(16)
    assert attempt(PASSWORD).status_code == HTTPStatus.FOUND


def test_what_counts_no_longer_is_forgotten(user: User) -> None:
    for number in range(5):
        attempt("wrong", name=f"name-{number}")
    later(16)
    attempt("wrong", name="other")
    assert LoginAttempts.objects.count() == 2  # the address, and the other name
    assert not LoginAttempts.objects.filter(subject__contains="other").exists()


def change_password(client: Client, old: str) -> int:
    response = client.post("/password/", {"old_password": old, **CHANGE})
    status: int = response.status_code
    return status


@pytest.mark.parametrize(
    "page", ["/account/", "/account/tokens/", "/account/two-factor/", "/password/"]
)
def test_old_password_is_not_guessed_in_an_open_session(
    rater: Membership, user: User, page: str
) -> None:
    body = {"email": "", "name": "x", "scopes": "read", "action": "begin", **CHANGE}
    client, found = signed_in(rater), []
    for number in range(11):
        wrong = {"password": f"wrong-{number}", "old_password": f"wrong-{number}"}
        found.append(client.post(page, {**body, **wrong}).status_code)
    assert found[-1] == HTTPStatus.TOO_MANY_REQUESTS
    assert set(found[:-1]) <= {HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY}
    assert change_password(client, PASSWORD) == HTTPStatus.TOO_MANY_REQUESTS
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_new_password_ends_all_other_sessions_and_no_token(rater: Membership, user: User) -> None:
    mine, other = signed_in(rater), signed_in(rater)
    program = Client(headers={"Authorization": f"Token {ApiToken.issue(user)}"})
    assert change_password(mine, PASSWORD) == HTTPStatus.FOUND
    assert mine.get("/").status_code == HTTPStatus.OK
    assert other.get("/")["Location"].startswith("/login/")
    assert program.get("/api/v1/account").status_code == HTTPStatus.OK


def request_from(remote: str, forwarded: str | None = None) -> HttpRequest:
    headers = {"X-Forwarded-For": forwarded} if forwarded is not None else {}
    request: HttpRequest = RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)
    return request


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "network"),
    [
        (0, "192.0.2.1", None, "192.0.2.1"),
        (0, "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (1, "10.0.0.2", "203.0.113.9", "203.0.113.9"),
        (1, "10.0.0.2", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (2, "10.0.0.2", "6.6.6.6, 203.0.113.9, 10.0.0.3", "203.0.113.9"),
        (2, "10.0.0.2", "203.0.113.9", "203.0.113.9"),
        (1, "10.0.0.2", None, "10.0.0.2"),
        (1, "10.0.0.2", "nonsense", None),
        (0, "", None, None),
        (0, "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::"),
        (0, "::ffff:192.0.2.1", None, "192.0.2.1"),
    ],
)
def test_address_is_the_one_that_the_nearest_proxies_saw(
    settings: Settings, proxies: int, remote: str, forwarded: str | None, network: str | None
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert client_network(request_from(remote, forwarded)) == network


def test_address_is_not_known_behind_a_proxy_that_is_not_named(settings: Settings) -> None:
    settings.PRODUCTION, settings.TRUSTED_PROXIES = True, 0
    assert client_network(request_from("10.0.0.2", "203.0.113.9")) is None
