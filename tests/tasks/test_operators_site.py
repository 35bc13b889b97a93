"""The operators' admin takes nothing without the operator's own password."""

from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.models import User
from tests.factories import PASSWORD, make_user
from tests.security.writes import PageForms
from tests.tasks.browsers import signed_in

NEW = {"password1": "a new long one", "password2": "a new long one", "usable_password": "true"}


@pytest.fixture
def client(operator: User) -> Client:
    return signed_in(operator)


def asked_by(answer: Any) -> dict[str, str]:
    """The fields of the page that asks for the password."""
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    page = answer.content.decode()
    assert "Nothing has changed yet." in unescape(page)
    reader = PageForms("")
    reader.feed(page)
    [form] = [form for form in reader.found if "password" in form.fields]
    return form.fields


def test_another_accounts_password_is_set_by_who_knows_their_own(client: Client) -> None:
    fern = make_user("fern")
    address = f"/admin/tasks/user/{fern.pk}/password/"
    again = asked_by(client.post(address, NEW))
    fern.refresh_from_db()
    assert fern.check_password(PASSWORD)
    asked_by(client.post(address, {**again, "password": "guess"}))
    assert client.post(address, {**again, "password": PASSWORD}).status_code == HTTPStatus.FOUND
    fern.refresh_from_db()
    assert fern.check_password(NEW["password1"])


def test_no_operator_is_made_without_the_password(client: Client) -> None:
    asked_by(client.post("/admin/tasks/user/add/", {"username": "taker", **NEW}))
    fern = make_user("fern")
    body = {"username": "fern", "is_active": "on", "is_superuser": "on"}
    asked_by(client.post(f"/admin/tasks/user/{fern.pk}/change/", body))
    asked_by(client.post(f"/admin/tasks/user/{fern.pk}/delete/", {"post": "yes"}))
    assert set(User.objects.values_list("username", "is_superuser")) == {
        *(("yew", True), ("fern", False)),
    }


def test_guesses_are_counted_as_at_the_login(client: Client) -> None:
    fern = make_user("fern")
    address = f"/admin/tasks/user/{fern.pk}/password/"
    for _each in range(10):
        asked_by(client.post(address, {**NEW, "password": "guess"}))
    for password in ("guess", PASSWORD):
        answer = client.post(address, {**NEW, "password": password})
        assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    fern.refresh_from_db()
    assert fern.check_password(PASSWORD)


def test_lost_devices_are_taken_away_and_no_others_given(client: Client, operator: User) -> None:
    fern = make_user("fern")
    for kind in (TOTPDevice, StaticDevice):
        lost, own = (kind.objects.create(user=each, name="app") for each in (fern, operator))
        admin = f"/admin/{kind._meta.app_label}/{kind._meta.model_name}"
        yes = {"post": "yes", "password": PASSWORD, "user": operator.pk, "name": "app"}
        asked_by(client.post(f"{admin}/{lost.pk}/delete/", {"post": "yes"}))
        assert [
            client.post(f"{admin}/{path}/", yes).status_code
            for path in ("add", f"{own.pk}/change", f"{own.pk}/delete", f"{lost.pk}/delete")
        ] == [403, 403, 403, 302]
        chosen = {**yes, "action": "delete_selected", "_selected_action": own.pk}
        client.post(f"{admin}/", chosen)
        assert list(kind.objects.all()) == [own]


def test_own_password_is_changed_where_guesses_at_it_are_counted(client: Client) -> None:
    assert client.post("/admin/password_change/", NEW)["Location"] == "/password/"
