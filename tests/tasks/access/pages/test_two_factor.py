"""The second factor: switching it on and off, and logging in with it."""

import time
from base64 import b32encode
from http import HTTPStatus

import pytest
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from tasks.models import ApiToken, Membership, User
from tests.factories import PASSWORD
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


PAGE = "/account/two-factor/"
LOGIN = {"username": "pine", "password": PASSWORD}


def code_of(user: User, *, steps: int = 0) -> str:
    """The code of the user's app, now or so many half minutes later."""
    app = TOTPDevice.objects.get(user=user)
    totp = TOTP(app.bin_key, app.step, app.t0, app.digits, app.drift)
    totp.time = time.time() + steps * app.step
    return f"{totp.token():06d}"


def wrong_code_of(user: User) -> str:
    """Six digits that are not the app's around now."""
    near = {code_of(user, steps=steps) for steps in range(-2, 3)}
    return next(code for code in ("000000", "000001", "000002") if code not in near)


BEGIN = {"action": "begin", "password": PASSWORD}


def confirmation(code: str) -> dict[str, str]:
    """The fields of the form that switches it on."""
    return {"action": "confirm", "code": code}


def forget_codes() -> None:
    """As if the last code had been used long ago, and wrong ones too."""
    for device in (TOTPDevice, StaticDevice):
        device.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    TOTPDevice.objects.update(last_t=-1)


def switch_on(member: Membership) -> list[str]:
    """Through the pages; the recovery codes."""
    assert member.user is not None
    client = signed_in(member)
    client.post(PAGE, BEGIN)
    response = client.post(PAGE, confirmation(code_of(member.user)))
    codes: list[str] = response.context["codes"]
    member.user.refresh_from_db()
    forget_codes()
    return codes


@pytest.fixture
def codes(rater: Membership) -> list[str]:
    return switch_on(rater)


@pytest.fixture
def half_in(codes: list[str]) -> Client:
    """Somebody who has got past the password."""
    client = Client()
    assert client.post("/login/", LOGIN)["Location"] == "/login/code/"
    return client


def enter(client: Client, code: str) -> str:
    """The page after a code, or the error at it."""
    response = client.post("/login/code/", {"code": code})
    if response.status_code == HTTPStatus.FOUND:
        return str(response["Location"])
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    return str(response.context["form"].errors["code"][0])


WRONG = "The code is wrong or has already been used."
TOO_SOON = "Too many wrong codes. Wait a little, then try again."


def test_nothing_is_asked_for_before_an_app_is_confirmed(rater: Membership, user: User) -> None:
    client = signed_in(rater)
    client.post(PAGE, BEGIN)
    response = client.post(PAGE, confirmation(wrong_code_of(user)))
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert WRONG in response.content.decode()
    assert Client().post("/login/", LOGIN)["Location"] == "/"
    client.post(PAGE, {"action": "cancel"})
    assert TOTPDevice.objects.count() == 0


def secret_of(user: User) -> str:
    """As the page shows it."""
    text = b32encode(TOTPDevice.objects.get(user=user).bin_key).decode()
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


@pytest.mark.parametrize("password", ["", "guessed"])
def test_an_open_browser_alone_makes_no_secret(rater: Membership, password: str) -> None:
    client = signed_in(rater)
    response = client.post(PAGE, {**BEGIN, "password": password})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert list(response.context["form"].errors) == ["password"]
    assert response.context["secret"] is None
    assert TOTPDevice.objects.count() == 0
    assert client.get(f"{PAGE}qr.svg").status_code == HTTPStatus.NOT_FOUND


def is_shown(client: Client, user: User) -> bool:
    """Whether the secret is, as a text and as a picture; and nobody else may confirm it."""
    html, image = client.get(PAGE).content.decode(), client.get(f"{PAGE}qr.svg")
    assert (secret_of(user) in html) == (image.status_code == HTTPStatus.OK)
    return secret_of(user) in html


def test_the_password_is_asked_for_once_and_shows_the_secret_to_its_session_alone(
    rater: Membership, user: User
) -> None:
    here, elsewhere = signed_in(rater), signed_in(rater)
    here.post(PAGE, BEGIN)
    assert (is_shown(here, user), is_shown(elsewhere, user)) == (True, False)
    assert list(here.get(PAGE).context["form"].fields) == ["code"]
    refused = elsewhere.post(PAGE, confirmation(code_of(user)), follow=True)
    assert "Setup took too long. Start again." in refused.content.decode()
    assert not TOTPDevice.objects.filter(confirmed=True).exists()
    elsewhere.post(PAGE, BEGIN)  # and ends it here
    assert (is_shown(here, user), is_shown(elsewhere, user)) == (False, True)
    assert len(elsewhere.post(PAGE, confirmation(code_of(user))).context["codes"]) == 8
    # switched on, it signs out everywhere else
    assert elsewhere.get(PAGE).status_code == HTTPStatus.OK
    assert here.get(PAGE).status_code == HTTPStatus.FOUND


def test_after_ten_minutes_the_password_is_asked_for_again(
    rater: Membership, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(rater)
    client.post(PAGE, BEGIN)
    late = time.time() + 600
    with monkeypatch.context() as patch:
        patch.setattr("tasks.access.pages.account.time.time", lambda: late)
        assert not is_shown(client, user)
        assert list(client.get(PAGE).context["form"].fields) == ["password"]
        client.post(PAGE, confirmation(code_of(user)))
    assert not TOTPDevice.objects.filter(confirmed=True).exists()


def test_switching_on_shows_eight_recovery_codes_once_and_stays(rater: Membership) -> None:
    codes = switch_on(rater)
    assert len(set(codes)) == 8
    app = TOTPDevice.objects.get()
    signed_in(rater).post(PAGE, BEGIN)
    assert TOTPDevice.objects.get() == app
    html = signed_in(rater).get(PAGE).content.decode()
    assert "You have 8 recovery codes left." in html
    assert [code for code in codes if code in html] == []


def test_qr_code_is_for_its_owner_while_unconfirmed(rater: Membership, admin: Membership) -> None:
    client, address = signed_in(rater), f"{PAGE}qr.svg"
    assert client.get(address).status_code == HTTPStatus.NOT_FOUND
    client.post(PAGE, BEGIN)
    image = client.get(address)
    assert image["Content-Type"] == "image/svg+xml"
    assert "no-store" in image["Cache-Control"]
    assert b"<svg" in image.content
    assert signed_in(admin).get(address).status_code == HTTPStatus.NOT_FOUND
    assert Client().get(address).status_code == HTTPStatus.FOUND
    switch_on(rater)
    assert signed_in(rater).get(address).status_code == HTTPStatus.NOT_FOUND


def test_password_alone_opens_nothing(half_in: Client) -> None:
    assert set(half_in.session.keys()) == {"pending_login"}
    pages = ["/", "/c/rivers/rate/", "/account/", PAGE, "/admin/"]
    assert [half_in.get(page).status_code for page in pages] == [HTTPStatus.FOUND] * 5
    assert half_in.post("/api/v1/campaigns/rivers/claim").status_code == HTTPStatus.UNAUTHORIZED


def test_right_code_logs_in_under_a_new_session(half_in: Client, user: User) -> None:
    before = half_in.session.session_key
    assert enter(half_in, code_of(user)) == "/"
    assert half_in.session.session_key != before
    assert "pending_login" not in half_in.session
    assert half_in.get("/c/rivers/rate/").status_code == HTTPStatus.OK


def test_login_goes_on_to_the_page_asked_for_and_to_no_other_site(
    codes: list[str], user: User
) -> None:
    client = Client()
    step = client.post("/login/", {**LOGIN, "next": "/c/rivers/history/"})["Location"]
    assert step == "/login/code/?next=%2Fc%2Frivers%2Fhistory%2F"
    asked = client.get(step).context["next"]
    response = client.post("/login/code/", {"code": code_of(user), "next": asked})
    assert response["Location"] == "/c/rivers/history/"
    client.post("/logout/")
    forget_codes()
    client.post("/login/", LOGIN)
    body = {"code": code_of(user), "next": "https://elsewhere.example/"}
    assert client.post("/login/code/", body)["Location"] == "/"


def test_wrong_code_opens_nothing_and_slows_down(half_in: Client, user: User) -> None:
    assert enter(half_in, wrong_code_of(user)) == WRONG
    assert enter(half_in, code_of(user)) == TOO_SOON
    assert half_in.get("/").status_code == HTTPStatus.FOUND
    forget_codes()
    assert enter(half_in, code_of(user)) == "/"


def test_code_is_good_once(half_in: Client, user: User) -> None:
    code = code_of(user)
    assert enter(half_in, code) == "/"
    other = Client()
    other.post("/login/", LOGIN)
    assert enter(other, code) == WRONG


def test_recovery_code_is_good_once(half_in: Client, codes: list[str]) -> None:
    assert enter(half_in, f" {codes[0].upper()} ") == "/"
    other = Client()
    other.post("/login/", LOGIN)
    assert enter(other, codes[0]) == WRONG
    forget_codes()
    assert enter(other, codes[1]) == "/"


def test_half_a_login_ends_with_the_account_and_after_five_minutes(
    half_in: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert half_in.get("/login/code/")["Location"] == "/login/"
    User.objects.filter(pk=user.pk).update(is_active=True)
    half_in.post("/login/", LOGIN)
    late = time.time() + 301
    monkeypatch.setattr("tasks.access.pages.login.time.time", lambda: late)
    response = half_in.post("/login/code/", {"code": code_of(user)})
    assert response["Location"] == "/login/"
    assert "pending_login" not in half_in.session


def test_second_step_needs_the_first(codes: list[str], user: User) -> None:
    response = Client().post("/login/code/", {"code": code_of(user)})
    assert response["Location"] == "/login/"


def test_wrong_codes_lock_the_account(half_in: Client, user: User, settings: Settings) -> None:
    settings.LOGIN_TRIES = 3
    for _attempt in range(3):
        assert enter(half_in, wrong_code_of(user)) == WRONG
        forget_codes()
    locked = half_in.post("/login/code/", {"code": wrong_code_of(user)})
    assert locked.status_code == HTTPStatus.TOO_MANY_REQUESTS
    forget_codes()
    again = half_in.post("/login/code/", {"code": code_of(user)})
    assert again.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "Too many attempts" in again.content.decode()
    assert Client().post("/login/", LOGIN).status_code == HTTPStatus.TOO_MANY_REQUESTS


def test_right_passwords_do_not_forgive_wrong_codes(
    codes: list[str], user: User, settings: Settings
) -> None:
    settings.LOGIN_TRIES = 3
    for _attempt in range(3):
        client = Client()
        client.post("/login/", LOGIN)
        client.post("/login/code/", {"code": wrong_code_of(user)})
        forget_codes()
    assert Client().post("/login/", LOGIN).status_code == HTTPStatus.TOO_MANY_REQUESTS


@pytest.mark.parametrize("action", ["off", "renew"])
@pytest.mark.parametrize("wrong", ["password", "code"])
def test_changing_it_needs_password_and_code(
    rater: Membership, user: User, codes: list[str], action: str, wrong: str
) -> None:
    body = {"action": action, "password": PASSWORD, "code": code_of(user)}
    body[wrong] = wrong_code_of(user)
    response = signed_in(rater).post(PAGE, body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert list(response.context["form"].errors) == [wrong]
    assert TOTPDevice.objects.filter(confirmed=True).count() == 1
    assert response.context["codes_left"] == 8


def test_switching_off_makes_the_password_enough_again(
    rater: Membership, user: User, codes: list[str]
) -> None:
    body = {"action": "off", "password": PASSWORD, "code": codes[0]}
    signed_in(rater).post(PAGE, body)
    assert (TOTPDevice.objects.count(), StaticDevice.objects.count()) == (0, 0)
    assert Client().post("/login/", LOGIN)["Location"] == "/"


def test_new_recovery_codes_end_the_old_ones(
    rater: Membership, user: User, codes: list[str]
) -> None:
    body = {"action": "renew", "password": PASSWORD, "code": code_of(user)}
    new = signed_in(rater).post(PAGE, body).context["codes"]
    assert len(set(new) - set(codes)) == 8
    client = Client()
    client.post("/login/", LOGIN)
    assert enter(client, codes[0]) == WRONG
    forget_codes()
    assert enter(client, new[0]) == "/"


def test_operators_admin_asks_for_the_code_too(half_in: Client, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    client = Client()
    response = client.post("/admin/login/?next=/admin/", LOGIN)
    assert response.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    landing = client.get("/admin/", follow=True)
    assert landing.redirect_chain[-1][0] == "/login/?next=%2Fadmin%2F"
    client.post("/login/", {**LOGIN, "next": "/admin/"})
    assert client.get("/admin/").status_code == HTTPStatus.FOUND
    client.post("/login/code/", {"code": code_of(user)})
    assert client.get("/admin/").status_code == HTTPStatus.OK


def test_operators_see_no_secret(codes: list[str], admin: Membership) -> None:
    User.objects.filter(pk=admin.user_id or 0).update(is_staff=True, is_superuser=True)
    app = TOTPDevice.objects.get()
    client = signed_in(admin)
    page = client.get(f"/admin/otp_totp/totpdevice/{app.pk}/change/")
    assert page.status_code == HTTPStatus.OK
    assert app.key not in page.content.decode()


def test_api_tokens_are_not_affected(codes: list[str], user: User) -> None:
    headers = {"Authorization": f"Token {ApiToken.issue(user)}"}
    answer = Client().post("/api/v1/campaigns/rivers/claim", headers=headers)
    assert answer.status_code == HTTPStatus.OK
