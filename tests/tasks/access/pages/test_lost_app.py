"""The site's secret key is another one, and nobody kept that of before: who has an app."""

from http import HTTPStatus

import pytest
from django.test import Client
from pytest_django import Settings

from annotation_site import settings as site
from tasks.models import AuthenticatorApp, Membership, User
from tests.factories import PASSWORD
from tests.tasks.access.pages.test_two_factor import (
    BEGIN,
    LOGIN,
    PAGE,
    code_of,
    enter,
    switch_on,
)
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow

SAID = "codes of your app can no longer be checked"


@pytest.fixture
def user(rater: Membership) -> User:
    assert rater.user is not None
    return rater.user


@pytest.fixture
def codes(rater: Membership, user: User, settings: Settings) -> list[str]:
    """Recovery codes of before the key was lost, and what the app shows still."""
    codes = switch_on(rater)
    shown = code_of(user)
    settings.SECRET_KEY = "another one, since the old one is lost"
    return [shown, *codes]


def test_a_recovery_code_opens_the_way_to_a_new_app(
    codes: list[str], user: User, rater: Membership
) -> None:
    shown, recovery, second, *_others = codes
    client = Client()
    assert client.post("/login/", LOGIN)["Location"] == "/login/code/"
    assert SAID in client.get("/login/code/").content.decode()
    # not that the code were wrong: it is right, and nobody can say so
    assert enter(client, shown) == "The site can no longer check codes of your app."
    assert enter(client, recovery) == "/"
    assert SAID in client.get(PAGE).content.decode()
    client.post(PAGE, {"action": "off", "password": PASSWORD, "code": second})
    assert not AuthenticatorApp.objects.exists()
    client.post(PAGE, BEGIN)
    app = AuthenticatorApp.objects.get()
    assert app.is_readable
    assert client.get(PAGE).context["secret"]


def test_codes_that_cannot_be_checked_lock_nobody_out(codes: list[str]) -> None:
    client = Client()
    client.post("/login/", LOGIN)
    for _ in range(12):
        enter(client, codes[0])
    assert enter(client, codes[1]) == "/"


def test_a_key_of_before_is_enough(codes: list[str], user: User, settings: Settings) -> None:
    settings.SECRET_KEY_FALLBACKS = [site.SECRET_KEY]
    client = Client()
    client.post("/login/", LOGIN)
    assert enter(client, code_of(user)) == "/"


def test_a_key_that_nobody_has_put_into_an_app_yet_is_made_anew(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    client.post(PAGE, BEGIN)
    AuthenticatorApp.objects.update(sealed_key="1.0123456789abcdef.AAAA")
    assert client.get(PAGE).context["secret"] is None
    assert client.get(f"{PAGE}qr.svg").status_code == HTTPStatus.NOT_FOUND
    client.post(PAGE, BEGIN)
    assert client.get(PAGE).context["secret"]
