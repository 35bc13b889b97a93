"""Mails that tell the owner of an account what was done with it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils.translation import override
from pytest_django import Settings

from tasks.access.workflow.accounts import set_email, set_password
from tasks.access.workflow.notices import Event
from tasks.access.workflow.tokens import make_token
from tasks.access.workflow.two_factor import switch_off
from tasks.models import ApiToken, User
from tasks.web.mail import wait_until_sent
from tests.factories import PASSWORD, make_user
from tests.tasks.access.pages.test_two_factor import BEGIN, PAGE, code_of, confirmation

pytestmark = pytest.mark.slow

Commits = Callable[[], AbstractContextManager[object]]

ADDRESS = "pine@example.org"


@pytest.fixture
def user(db: None, settings: Settings) -> User:
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://tomahto.example.org"
    return make_user("pine", email=ADDRESS)


@pytest.fixture
def committed(user: User, django_capture_on_commit_callbacks: Any) -> Commits:
    """Within it, what waits for the end of the transaction is done at its own end."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def told() -> list[tuple[str, Event]]:
    """To whom, and what of."""
    wait_until_sent()
    return [
        (message.to[0], event)
        for message in mail.outbox
        for event in Event
        if str(event.value) in str(message.body)
    ]


ACTS: dict[Event, Callable[[User], object]] = {
    Event.PASSWORD_CHANGED: lambda user: set_password(user=user, password="a river of words"),
    Event.EMAIL_CHANGED: lambda user: set_email(user=user, email="other@example.org"),
    Event.FACTOR_OFF: lambda user: switch_off(user=user),
    Event.TOKEN_MADE: lambda user: make_token(user=user, name="mine"),
}


@pytest.mark.parametrize("event", ACTS)
def test_owner_is_told_at_the_address_of_before(
    user: User, committed: Commits, event: Event
) -> None:
    with committed():
        ACTS[event](user)
        assert told() == []
    assert told() == [(ADDRESS, event)]
    [message] = mail.outbox
    assert message.subject == "Your account at Tomahto"
    assert "https://tomahto.example.org/account/" in str(message.body)


@pytest.mark.parametrize("event", ACTS)
def test_nobody_is_told_without_an_address_or_without_mail(
    user: User, settings: Settings, committed: Commits, event: Event
) -> None:
    settings.SENDS_MAIL = False
    with committed():
        ACTS[event](user)
    settings.SENDS_MAIL = True
    User.objects.update(email="")
    user.refresh_from_db()
    with committed():
        ACTS[event](user)
    assert told() == []


def test_what_is_undone_is_not_told(user: User, committed: Commits) -> None:
    with committed(), transaction.atomic():
        make_token(user=user, name="mine")
        transaction.set_rollback(True)
    assert told() == []
    assert not ApiToken.objects.exists()


def switch_on(user: User) -> list[str]:
    """The recovery codes."""
    browser = Client()
    browser.force_login(user)
    browser.post(PAGE, BEGIN)
    codes: list[str] = browser.post(PAGE, confirmation(code_of(user))).context["codes"]
    return codes


def test_switching_the_factor_on_is_told(user: User, committed: Commits) -> None:
    with committed():
        switch_on(user)
    assert told() == [(ADDRESS, Event.FACTOR_ON)]


def test_login_is_told_from_a_browser_that_was_not_known(user: User, committed: Commits) -> None:
    body = {"username": "pine", "password": PASSWORD}
    known, other = Client(), Client(REMOTE_ADDR="192.0.2.7")
    with committed():
        known.post("/login/", body)
        known.post("/logout/")
        known.post("/login/", body)
        other.post("/login/", {**body, "password": "guessed"})
    assert told() == [(ADDRESS, Event.SIGNED_IN)]
    with committed():
        other.post("/login/", body)
    assert told() == [(ADDRESS, Event.SIGNED_IN)] * 2
    assert "192.0.2.7" in str(mail.outbox[1].body)


def test_password_alone_is_told_as_no_login_where_a_code_is_asked_for(
    user: User, committed: Commits
) -> None:
    [code, *_others] = switch_on(user)
    stranger = Client()
    with committed():
        stranger.post("/login/", {"username": "pine", "password": PASSWORD})
    assert told() == []
    with committed():
        stranger.post("/login/code/", {"code": code})
    assert told() == [(ADDRESS, Event.SIGNED_IN)]


def test_notice_is_in_the_readers_language(user: User, committed: Commits) -> None:
    with committed(), override("de"):
        set_password(user=user, password="a river of words")
    wait_until_sent()
    [message] = mail.outbox
    assert message.subject == "Ihr Konto bei Tomahto"
    assert "Das Passwort wurde geändert." in str(message.body)
