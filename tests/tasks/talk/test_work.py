"""Mails about messages: to whom, when, with what, and each message once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from tasks.access.workflow import set_message_mails
from tasks.events.workflow.sending import send_due
from tasks.models import Delivery, Membership, MessageMails, Notice, Thread, User
from tasks.talk import shown
from tasks.talk.queries import last_digest_time, stop_token
from tasks.talk.work import mail_messages
from tasks.talk.workflow import make_mails
from tests.factories import make_member
from tests.tasks.browsers import compact, signed_in
from tests.tasks.talk.conversations import REASON, flagged_by, hold, say, thread

__all__ = ["thread"]


@pytest.fixture(autouse=True)
def sending(settings: Settings) -> None:
    settings.SENDS_MAIL = True
    settings.SITE_URL = "https://tomahto.example.org"
    settings.DEFAULT_FROM_EMAIL = "Tomahto <site@tomahto.example.org>"


def wants(member: Membership, choice: MessageMails, address: str = "") -> User:
    assert member.user is not None
    User.objects.filter(pk=member.user.pk).update(email=address or f"{member.name}@example.org")
    user = User.objects.get(pk=member.user.pk)
    set_message_mails(user=user, choice=choice)
    return user


def test_mail_at_once_holds_the_message_and_no_text_of_the_item(
    rater: Membership, admin: Membership
) -> None:
    make_member(rater.campaign, "admin")  # has chosen no mails
    user = wants(admin, MessageMails.AT_ONCE)
    flag = flagged_by(rater)
    for _round in range(2):
        mail_messages()
    [message] = mail.outbox
    stop = f"https://tomahto.example.org/inbox/stop-mails/{stop_token(user)}/"
    assert (message.to, message.subject) == (["oak@example.org"], "Rivers: 1 new message")
    assert message.extra_headers == {
        "Message-ID": f"<messages-{Delivery.objects.get().pk}@tomahto.example.org>",
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    body = str(message.body)
    assert f"{rater.pseudonym} flagged an item:\n\n> {REASON}\n" in body
    assert f"https://tomahto.example.org/c/rivers/threads/{Thread.objects.get().pk}/" in body
    assert stop in body
    for text in (flag.item.question.text, flag.item.candidate, flag.item.key, "pine"):
        assert text not in body


def test_what_comes_together_is_one_mail(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    wants(rater, MessageMails.AT_ONCE)
    for text in ("<b>one</b>", "two & three"):
        say(thread, admin, text)
    mail_messages()
    [message] = mail.outbox
    assert message.subject == "Rivers: 2 new messages"
    assert "> <b>one</b>\n" in str(message.body)
    assert "> two & three\n" in str(message.body)


def test_mail_holds_the_first_messages_and_the_number_of_the_others(
    thread: Thread, rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.talk.shown.MESSAGES_SHOWN", 1)
    wants(rater, MessageMails.AT_ONCE)
    for text in ("one", "two", "three"):
        say(thread, admin, text)
    mail_messages()
    [message] = mail.outbox
    assert "> one\n" in str(message.body)
    assert "> two" not in str(message.body)
    assert "2 more messages are in your inbox." in str(message.body)


def test_daily_mail_waits_for_its_hour(
    thread: Thread, rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    wants(rater, MessageMails.DAILY)
    say(thread, admin, "one")
    say(thread, admin, "two")
    mail_messages()
    assert mail.outbox == []
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr("django.utils.timezone.localtime", lambda: tomorrow)
    for _round in range(2):
        mail_messages()
    [message] = mail.outbox
    assert message.subject == "Rivers: 2 new messages"


def test_daily_mails_leave_at_six_by_the_clock_of_the_site() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    early, late = (datetime(2026, 3, 29, hour, 30, tzinfo=berlin) for hour in (5, 6))
    assert last_digest_time(early) == datetime(2026, 3, 28, 6, tzinfo=berlin)
    assert last_digest_time(late) == datetime(2026, 3, 29, 6, tzinfo=berlin)  # summer time is new


@pytest.mark.parametrize(
    "way", ["read", "left", "demoted", "locked out", "to rate it", "no address", "no mails"]
)
def test_nobody_is_mailed_what_they_have_read_or_may_not_see(
    rater: Membership, admin: Membership, way: str
) -> None:
    user = wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)
    make_mails()  # it is on its way already
    here = Membership.objects.filter(pk=admin.pk)
    if way == "read":
        Notice.objects.update(read_at=Now())
    elif way == "no address":
        User.objects.filter(pk=user.pk).update(email="")
    elif way == "no mails":
        set_message_mails(user=user, choice=MessageMails.NONE)
    elif way == "locked out":
        User.objects.filter(pk=user.pk).update(is_active=False)
    elif way == "to rate it":
        hold(admin, Thread.objects.get().item_id)
    elif way == "left":
        here.update(is_active=False)
    else:
        here.update(role="researcher")
    mail_messages()
    assert mail.outbox == []
    assert Delivery.objects.get().sent_at is not None


def test_mail_that_fails_is_sent_later_under_the_same_id(
    rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)

    def refuse(_mail: object, _notices: object) -> None:
        raise OSError("the server is away")

    with monkeypatch.context() as patch:
        patch.setattr(shown, "mail_of", refuse)
        mail_messages()
    failed = Delivery.objects.get()
    assert (failed.sent_at, failed.attempts, failed.error) == (None, 1, "the server is away")
    mail_messages()
    assert mail.outbox == []  # it rests for a minute
    Delivery.objects.update(not_before=Now())
    mail_messages()
    mail_messages()
    [message] = mail.outbox
    assert message.extra_headers["Message-ID"].startswith(f"<messages-{failed.pk}@")


class Killed(BaseException):
    """A worker ends in the midst of its work."""


@pytest.mark.parametrize("step", ["before it makes mails", "before it sends", "while it sends"])
def test_worker_that_dies_loses_nothing_and_doubles_nothing(
    rater: Membership, admin: Membership, step: str
) -> None:
    wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)
    if step != "before it makes mails":
        make_mails()
    if step == "while it sends":

        def die(_mail: Delivery) -> None:
            raise Killed

        with pytest.raises(Killed):
            send_due(die, user__isnull=False)
        Delivery.objects.update(not_before=Now())  # a minute later
    for _worker in range(3):
        mail_messages()
    assert len(mail.outbox) == 1
    assert Delivery.objects.count() == 1


def test_second_worker_makes_no_second_mail(
    rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen the same notices before either made a mail of them."""
    wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)
    seen = Notice.objects.filter(pk__in=list(Notice.objects.values_list("pk", flat=True)))
    monkeypatch.setattr("tasks.talk.workflow.untold_notices", seen.all)
    make_mails()
    make_mails()
    assert Delivery.objects.count() == 1


def test_site_that_sends_no_mail_makes_none(
    rater: Membership, admin: Membership, settings: Settings
) -> None:
    settings.SENDS_MAIL = False
    wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)
    mail_messages()
    assert not Delivery.objects.exists()


def test_site_without_an_address_names_no_link_to_unsubscribe(
    rater: Membership, admin: Membership, settings: Settings
) -> None:
    settings.SITE_URL = ""
    wants(admin, MessageMails.AT_ONCE)
    flagged_by(rater)
    mail_messages()
    [message] = mail.outbox
    assert "List-Unsubscribe" not in message.extra_headers


def test_link_of_a_mail_ends_mails_without_a_login(admin: Membership) -> None:
    user = wants(admin, MessageMails.AT_ONCE)
    address = f"/inbox/stop-mails/{stop_token(user)}/"
    client = Client(enforce_csrf_checks=True)  # as a mail program, in one click
    assert "Stop e-mail about messages" in client.get(address).content.decode()
    user.refresh_from_db()
    assert user.message_mails == MessageMails.AT_ONCE  # looking ends nothing
    response = client.post(address, {"List-Unsubscribe": "One-Click"})
    assert "You will no longer get e-mail about messages." in response.content.decode()
    user.refresh_from_db()
    assert user.message_mails == MessageMails.NONE
    for wrong in (f"{stop_token(user)}x", "1", "1:2:3"):
        assert client.post(f"/inbox/stop-mails/{wrong}/").status_code == 404


def test_choice_on_the_account_page(rater: Membership) -> None:
    client = signed_in(rater)
    html = compact(client.get("/account/").content.decode())
    assert "Once a day, if there is something new" in html
    refused = client.post("/account/messages/", {"message_mails": "daily"})
    assert refused.status_code == 422
    assert "Save an e-mail address above first." in refused.content.decode()
    assert rater.user is not None
    User.objects.filter(pk=rater.user.pk).update(email="pine@example.org")
    for choice in ("daily", "at-once", "none"):
        response = client.post("/account/messages/", {"message_mails": choice})
        assert (response.status_code, response["Location"]) == (302, "/account/")
        assert User.objects.get(pk=rater.user.pk).message_mails == choice
        inbox = client.get("/inbox/").content.decode()
        assert ("Get them by e-mail as well" in inbox) == (choice == "none")
    assert client.post("/account/messages/", {"message_mails": "weekly"}).status_code == 422


def test_account_page_of_a_site_without_mail_offers_none(
    rater: Membership, settings: Settings
) -> None:
    settings.SENDS_MAIL = False
    html = signed_in(rater).get("/account/").content.decode()
    assert "This site sends no e-mail." in html
    assert "At once" not in html


def test_choice_over_the_api(rater: Membership) -> None:
    client, json = signed_in(rater), "application/json"
    refused = client.patch("/api/v1/account", {"message_mails": "daily"}, json)
    assert (refused.status_code, refused.json()["field"]) == (400, "message_mails")
    assert rater.user is not None
    User.objects.filter(pk=rater.user.pk).update(email="pine@example.org")
    changed = client.patch("/api/v1/account", {"message_mails": "daily"}, json)
    assert (changed.status_code, changed.json()["message_mails"]) == (200, "daily")
