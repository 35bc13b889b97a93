"""How many codes of a second factor are tried: those of an account together, for a while."""

from datetime import timedelta
from itertools import chain, repeat

import pytest
from django.conf import settings as site_settings
from django.core import signing
from django.db.models import F
from django.http import HttpRequest
from pytest_django import Settings

from tasks.access.guards.logins import DEVICE_COOKIE, let_in_again, verify_code
from tasks.access.workflow.login_attempts import TriedTooOften
from tasks.access.workflow.two_factor import CodeCheck, begin, new_recovery_codes
from tasks.models import AuthenticatorApp, LoginAttempts, User
from tests.factories import make_user

WRONG, RIGHT = CodeCheck.WRONG, CodeCheck.RIGHT
LIMIT = site_settings.CODE_TRIES


@pytest.fixture
def user(db: None, settings: Settings) -> User:
    """With an app, and without the pauses between codes that are django-otp's."""
    settings.OTP_TOTP_THROTTLE_FACTOR = settings.OTP_STATIC_THROTTLE_FACTOR = 0
    made = make_user("pine")
    begin(user=made)
    AuthenticatorApp.objects.update(confirmed=True, last_t=1 << 40)
    return made


def browser(user: User, nonce: str) -> HttpRequest:
    """One in which the user has logged in before."""
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = "192.0.2.7"
    request.COOKIES[DEVICE_COOKIE] = signing.dumps([user.pk, nonce], salt="known device")
    return request


def attempts(user: User, codes: list[str]) -> list[CodeCheck | type[TriedTooOften]]:
    """Each in another known browser."""
    found: list[CodeCheck | type[TriedTooOften]] = []
    for number, code in enumerate(codes):
        try:
            found.append(verify_code(browser(user, f"{len(codes)} {number}"), user, code))
        except TriedTooOften:
            found.append(TriedTooOften)
    return found


def test_known_browsers_share_the_codes_of_their_account(user: User) -> None:
    expected = [*repeat(WRONG, LIMIT), TriedTooOften]
    assert attempts(user, ["123456"] * (LIMIT + 1)) == expected


def test_recovery_codes_count_together_with_codes_of_the_app(user: User) -> None:
    [right, *_others] = new_recovery_codes(user=user)
    wrong = chain.from_iterable(repeat(("123456", "aaaa-bbbb"), LIMIT // 2))
    assert attempts(user, [*wrong, right]) == [*repeat(WRONG, LIMIT), TriedTooOften]


def test_right_codes_cost_nothing(user: User) -> None:
    first, second, *_others = new_recovery_codes(user=user)
    codes = [*repeat("123456", LIMIT - 1), first, second, "123456", "123456"]
    expected = [*repeat(WRONG, LIMIT - 1), RIGHT, RIGHT, WRONG, TriedTooOften]
    assert attempts(user, codes) == expected


def test_new_password_gives_no_more_codes(user: User) -> None:
    attempts(user, ["123456"] * LIMIT)
    let_in_again(user)
    assert attempts(user, ["123456"]) == [TriedTooOften]


def test_codes_are_taken_again_after_a_quarter_of_an_hour(user: User) -> None:
    [right, *_others] = new_recovery_codes(user=user)
    attempts(user, ["123456"] * LIMIT)
    LoginAttempts.objects.update(counted_from=F("counted_from") - timedelta(minutes=15))
    assert attempts(user, [right]) == [RIGHT]


def test_nobody_is_kept_from_their_codes_by_another_account(user: User) -> None:
    attempts(user, ["123456"] * LIMIT)
    other = make_user("oak")
    [right, *_others] = new_recovery_codes(user=other)
    assert attempts(other, [right]) == [RIGHT]
