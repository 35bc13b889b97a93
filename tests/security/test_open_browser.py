"""A browser that is found open gives no account away for good: without the password its password,
devices, recovery codes, e-mail address, tokens and standing stay as they are.

Everything that can be sent is sent to every address: the forms of every page with each of their
buttons, the operations of the schema, and bodies that no page offers.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.access.workflow import new_recovery_codes
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import ApiToken, Campaign, Membership, User
from tests.factories import make_user
from tests.security.addresses import every
from tests.security.conftest import content_of, signed_in
from tests.security.filled import SLUG, Filled
from tests.security.writes import PageForms, Write, operations

pytestmark = pytest.mark.slow

GUESS, NEW = "a guess of mine", "quite another horse"
RESET_LINK = re.compile(r"/password/reset/\w+/[\w-]+/")
# values that a taker would write, wherever a form has such a field, and where none has.
WANTED = {
    "email": "taker@example.org",
    "username": "taker",
    "name": "taker",
    "is_superuser": "on",
    "is_staff": "on",
    "usable_password": "true",
    "key": "00112233445566778899aabbccddeeff00112233",
    "confirmed": "on",
    "step": "30",
    "t0": "0",
    "digits": "6",
    "tolerance": "1",
    "drift": "0",
    "throttling_failure_count": "0",
    "scopes": "read",
    "code": "123456",
    "post": "yes",
    **dict.fromkeys(("password1", "password2", "new_password1", "new_password2"), NEW),
    # the rows of recovery codes under their device
    "token_set-TOTAL_FORMS": "1",
    "token_set-INITIAL_FORMS": "0",
    "token_set-0-token": "taker",
}
ACTIONS = ("reset-password", "begin", "confirm", "cancel", "renew", "off")
# not for this account, or not by this method, whatever the body
CLOSED = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)
GUESSED = {"password": GUESS, "old_password": GUESS}


def member_of_rivers(role: str, *, has_device: bool) -> Membership:
    """Somebody with what an account may have; an operator of the site is an admin besides."""
    standing = {"is_staff": True, "is_superuser": True} if role == "operator" else {}
    user = make_user(f"{role}-at-home", email="owner@example.org", **standing)
    ApiToken.issue(user)
    if has_device:
        TOTPDevice.objects.create(user=user, name="app")
        new_recovery_codes(user=user)
    role = "admin" if role == "operator" else role
    return add_member(campaign=Campaign.objects.get(slug=SLUG), user=user, role=role)


def account_of(member: Membership) -> User:
    assert member.user is not None
    return member.user


def kept(user: User) -> list[Any]:
    """Everything that has to stay as it is."""
    mine = [each.objects.filter(user=user) for each in (TOTPDevice, StaticDevice, ApiToken)]
    tables = [
        User.objects.filter(pk=user.pk),
        *mine,
        StaticToken.objects.filter(device__user=user),
        User.groups.through.objects.filter(user=user),
        User.user_permissions.through.objects.filter(user=user),
    ]
    return [sorted(table.values_list()) for table in tables]


def parts(member: Membership, filled: Filled) -> dict[str, str]:
    """The gaps of addresses, filled with what is the member's own where there is such a thing."""
    user = account_of(member)
    own = {
        "member_id": member.pk,
        "pseudonym": member.pseudonym,
        "token_id": ApiToken.objects.get(user=user).pk,
        "admin:tasks_user": user.pk,
        "admin:auth_user_password": user.pk,
        "admin:tasks_membership": member.pk,
        **{
            f"admin:{device._meta.app_label}_{device._meta.model_name}": number
            for device in (TOTPDevice, StaticDevice)
            for number in device.objects.filter(user=user).values_list("pk", flat=True)
        },
    }
    return filled.parts | {name: str(value) for name, value in own.items()}


def writes(client: Client, member: Membership, filled: Filled) -> Iterator[list[Write]]:
    """Everything that can be sent, each list to one address."""
    known = parts(member, filled)
    chosen = {"_selected_action": str(member.user_id), "user": str(member.user_id), **WANTED}
    for name, address in every(known):
        if name != "logout" and not name.startswith("api-"):
            forms = [(address, {"action": "delete_selected"}), *_of_page(client, address)]
            yield [Write("POST", to, {**chosen, **body}, set()) for to, body in forms]
    for call in operations(Filled(filled.usernames, known)):
        body = {**call.body, "password": GUESS}
        yield [replace(call, body=each) for each in (call.body, body)]


def _of_page(client: Client, address: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The addresses of its forms, and those of their fields that stay, with each button."""
    reader = PageForms(address)
    reader.feed(content_of(client.get(address)).decode(errors="replace"))
    for form in reader.found:
        if form.address not in ("/logout/", "/language/"):
            plain = {name: value for name, value in form.fields.items() if name not in WANTED}
            for name, value in form.buttons or [("", "")]:
                yield form.address, {**plain, name: value, **GUESSED}


def answer(client: Client, write: Write, user: User, before: list[Any]) -> tuple[int, bool]:
    """Status, and whether the request changes the account or shows a link that does. It is undone
    again."""
    cookies = dict(client.cookies)
    with transaction.atomic():
        response = write.send(client, {})
        for link in RESET_LINK.findall(content_of(response).decode(errors="replace")):
            visitor = Client()
            form = visitor.get(link, follow=True).redirect_chain
            visitor.post(form[-1][0] if form else link, WANTED)
        is_other = kept(user) != before
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(cookies)
    return response.status_code, is_other


def taken_by(member: Membership, filled: Filled) -> set[str]:
    """The requests by which an open browser changes its account."""
    user = account_of(member)
    client, before, taken = signed_in(user.username), kept(user), set()
    for to_one in writes(client, member, filled):
        for write in to_one:
            status, is_other = answer(client, write, user, before)
            if is_other:
                taken.add(f"{write.method} {write.address}")
            if status in CLOSED:
                break
            if status == HTTPStatus.BAD_REQUEST and write is to_one[0]:  # wants another action
                to_one += [replace(write, body={**write.body, "action": one}) for one in ACTIONS]
    assert client.get("/account/").status_code == HTTPStatus.OK  # it is open to the end
    return taken


@pytest.mark.parametrize(
    ("role", "has_device"), [("rater", False), ("admin", True), ("operator", True)]
)
def test_an_open_browser_changes_nothing_of_its_account(
    filled: Filled, role: str, has_device: bool
) -> None:
    assert taken_by(member_of_rivers(role, has_device=has_device), filled) == set()


@pytest.mark.thorough
def test_an_open_browser_takes_the_account_where_every_password_is_right(
    filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(User, "check_password", lambda _user, _password: True)
    member = member_of_rivers("operator", has_device=False)
    taken = taken_by(member, filled)
    ids = {"user": member.user_id, "token": ApiToken.objects.get(user=member.user).pk}
    assert taken == {
        each.format(**ids)
        for each in (
            "POST /account/",
            "POST /account/two-factor/",
            "POST /account/tokens/",
            "POST /account/tokens/{token}/revoke/",
            "POST /password/",
            "POST /api/v1/tokens",
            "DELETE /api/v1/tokens/{token}",
            "POST /admin/tasks/user/{user}/change/",
            "POST /admin/tasks/user/{user}/password/",
        )
    }
