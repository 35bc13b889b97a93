"""Invitations by e-mail, sent to a real mail server: each once, none lost, each with its state."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from email import message_from_string
from email.policy import default as modern
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from pytest_django import Settings

from tasks.campaigns.workflow import lives
from tasks.models import AuditEntry, Campaign, Invitation, InvitationKind, InvitationMail, MailState
from tasks.people.mail_forms import recipients_in
from tasks.people.queries.invitation_mails import mails_of
from tasks.people.queries.invitations import find_invitation, open_invitations
from tasks.people.workflow import invitation_mails as mails
from tasks.people.workflow.invitations import InvitationEnded, accept, accept_with_new_account
from tests.factories import make_campaign, make_member, make_user
from tests.smtp_server import MailServer, mail_server
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db

ANN = mails.Recipient("ann@example.org", "Ann Lee")
BO = mails.Recipient("bo@example.org")


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign("lakes", title="Lakes & seas")


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    with mail_server() as running:
        settings.SENDS_MAIL, settings.SITE_URL = True, "https://site.example"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", running.port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.EMAIL_TIMEOUT, settings.DEFAULT_FROM_EMAIL = 5, "site@example.org"
        yield running


def states() -> dict[str, str]:
    return dict(InvitationMail.objects.values_list("address", "state"))


def secret_in(text: str) -> str:
    body = message_from_string(text, policy=modern).get_body()
    assert body is not None
    found = re.search(r"https://site.example/join/([\w-]+)/", body.get_content())
    assert found
    return found[1]


def test_every_address_gets_a_mail_with_a_link_of_its_own(
    campaign: Campaign, server: MailServer
) -> None:
    made = mails.invite_by_mail(
        campaign=campaign, recipients=[ANN, BO], message="See you on Monday.", days=3
    )
    assert [each.secret for each in made] == ["", ""]
    assert mails.send_due() == 2
    assert mails.send_due() == 0
    assert states() == {ANN.address: MailState.SENT, BO.address: MailState.SENT}
    first, second = (message_from_string(text, policy=modern) for text in server.mails)
    assert (first["To"], second["To"]) == ("Ann Lee <ann@example.org>", "bo@example.org")
    assert first["Subject"] == "Invitation to “Lakes & seas”"
    body = first.get_body()
    assert body is not None
    text = body.get_content()
    assert "Hello Ann Lee," in text
    assert "See you on Monday." in text
    assert BO.address not in server.mails[0]
    secrets = [secret_in(each) for each in server.mails]
    assert len(set(secrets)) == 2
    invitation = find_invitation(secrets[0], InvitationKind.ACCOUNT)
    accept(invitation=invitation, user=make_user("ann"))
    with pytest.raises(InvitationEnded):
        accept(invitation=invitation, user=make_user("friend"))
    mails_now: Iterable[Any] = mails_of(campaign)
    accepted = {each.address for each in mails_now if each.is_accepted}
    assert accepted == {ANN.address}
    assert not open_invitations(campaign).exists()


def test_a_mail_is_in_the_language_that_was_chosen(campaign: Campaign, server: MailServer) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN], language="en")
    mails.invite_by_mail(campaign=campaign, recipients=[BO], language="de")
    mails.send_due()
    english, german = (message_from_string(each, policy=modern).get_body() for each in server.mails)
    assert english is not None
    assert german is not None
    assert re.search(r" \d{2}\.\d{2}\.\d{4}", german.get_content())
    assert not re.search(r" \d{2}\.\d{2}\.\d{4}", english.get_content())


def test_who_was_invited_is_not_invited_again(campaign: Campaign, server: MailServer) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN])
    upper = mails.Recipient("ANN@example.org")
    assert len(mails.invite_by_mail(campaign=campaign, recipients=[upper, BO, BO])) == 1
    assert mails.send_due() == 2
    double = InvitationMail.objects.get(address=ANN.address)
    extra = Invitation.objects.create(
        campaign=campaign, digest="x" * 64, expires_at=double.invitation.expires_at
    )
    double.pk, double.invitation, double.address = None, extra, "Ann@Example.org"
    with pytest.raises(IntegrityError), transaction.atomic():
        double.save(force_insert=True)
    # another campaign knows nothing of it
    assert len(mails.invite_by_mail(campaign=make_campaign(), recipients=[ANN])) == 1


def test_a_server_that_says_no_is_told_apart_from_one_that_says_later(
    campaign: Campaign, server: MailServer
) -> None:
    server.answers = {"ann": "550 no such mailbox", "bo": "451 try later"}
    mails.invite_by_mail(campaign=campaign, recipients=[ANN, BO])
    assert mails.send_due() == 0
    assert states() == {ANN.address: MailState.REFUSED, BO.address: MailState.QUEUED}
    refused = InvitationMail.objects.get(address=ANN.address)
    assert refused.reason == "550 no such mailbox"
    server.answers = {}
    assert mails.send_due() == 0  # not due yet
    InvitationMail.objects.update(due_at=Now() - timedelta(seconds=1))
    assert mails.send_due() == 1
    mails.send_again(mail=refused)
    assert mails.send_due() == 1
    assert set(states().values()) == {MailState.SENT}


def test_a_server_that_cannot_be_reached_is_tried_again_five_times(
    campaign: Campaign, server: MailServer, settings: Settings
) -> None:
    settings.EMAIL_PORT = 1  # nobody listens
    mails.invite_by_mail(campaign=campaign, recipients=[ANN])
    for _attempt in range(5):
        assert states() == {ANN.address: MailState.QUEUED}
        InvitationMail.objects.update(due_at=Now() - timedelta(seconds=1))
        mails.send_due()
    assert states() == {ANN.address: MailState.REFUSED}
    settings.EMAIL_PORT = server.port
    mails.send_again(mail=InvitationMail.objects.get())
    assert mails.send_due() == 1


def test_what_may_have_left_is_not_sent_again_by_itself(
    campaign: Campaign, server: MailServer
) -> None:
    server.answers = {"ann": ""}
    mails.invite_by_mail(campaign=campaign, recipients=[ANN, BO])
    assert mails.send_due() == 1
    assert states() == {ANN.address: MailState.UNCLEAR, BO.address: MailState.SENT}
    assert mails.send_due() == 0
    assert len(server.mails) == 2


def test_a_killed_worker_neither_loses_nor_doubles_a_mail(
    campaign: Campaign, server: MailServer
) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN, BO])
    taken = mails._take_next()  # and then the worker is killed
    assert taken is not None
    assert mails.send_due() == 1
    assert states()[ANN.address] == MailState.SENDING
    InvitationMail.objects.filter(address=ANN.address).update(taken_at=Now() - timedelta(minutes=6))
    assert mails.send_due() == 0
    assert states()[ANN.address] == MailState.UNCLEAR
    mails.send_again(mail=InvitationMail.objects.get(address=ANN.address))
    assert mails.send_due() == 1
    assert len(server.mails) == 2


def test_a_withdrawn_invitation_is_not_sent_and_lets_nobody_in(
    campaign: Campaign, server: MailServer
) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN, BO])
    ann, bo = InvitationMail.objects.order_by("address")
    mails.withdraw(mail=ann)
    mails.withdraw(mail=ann)
    assert mails.send_due() == 1
    mails.withdraw(mail=bo)
    invitation = find_invitation(secret_in(server.mails[0]), InvitationKind.ACCOUNT)
    with pytest.raises(InvitationEnded):
        accept_with_new_account(invitation=invitation, username="bo", password="correct horse 1")
    with pytest.raises(mails.NotToBeSentAgain):
        mails.send_again(mail=bo)
    # somebody who was withdrawn can be invited anew
    assert len(mails.invite_by_mail(campaign=campaign, recipients=[ANN])) == 1


def test_the_first_link_ends_when_the_mail_is_sent_again(
    campaign: Campaign, server: MailServer
) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN])
    mails.send_due()
    mails.send_again(mail=InvitationMail.objects.get())
    mails.send_due()
    first, second = map(secret_in, server.mails)
    assert find_invitation(second, InvitationKind.ACCOUNT)
    with pytest.raises(Invitation.DoesNotExist):
        find_invitation(first, InvitationKind.ACCOUNT)


def test_nothing_is_sent_from_an_archived_campaign(campaign: Campaign, server: MailServer) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN])
    lives.archive(campaign=campaign)
    assert mails.send_due() == 0
    lives.reopen(campaign=campaign)
    assert mails.send_due() == 1


def test_the_audit_log_names_no_address(campaign: Campaign) -> None:
    mails.invite_by_mail(campaign=campaign, recipients=[ANN, BO], as_links=True)
    entry = AuditEntry.objects.get(action="invitation.mailed")
    assert entry.facts == {"role": "rater", "invitations": 2, "as_links": True}


def test_links_are_given_where_no_mail_is_sent(campaign: Campaign, settings: Settings) -> None:
    settings.SENDS_MAIL = False
    admin = signed_in(make_member(campaign, "admin"))
    sent = {"addresses": "Ann Lee <ann@example.org>\nbo@example.org\n", "role": "rater"}
    sent |= {"language": "en", "days": "14", "message": ""}
    place = "/c/lakes/settings/invitations/mail/"
    assert "This site does not send e-mail." in admin.get(place).content.decode()
    looked = admin.post(place, {**sent, "action": "preview"}).content.decode()
    assert "2 people are invited:" in looked
    assert not InvitationMail.objects.exists()
    html = admin.post(place, {**sent, "action": "send"}).content.decode()
    links = re.findall(r"http://testserver(/join/[\w-]+/)", html)
    assert len(links) == 2
    assert set(states().values()) == {MailState.LINK}
    again = admin.post(place, {**sent, "action": "preview"}).content.decode()
    assert "Everybody on the list has already been invited." in again
    assert admin.get(links[0], follow=True).status_code == 200


def test_api_invites_resends_and_withdraws(campaign: Campaign, server: MailServer) -> None:
    admin = signed_in(make_member(campaign, "admin"))
    place = "/api/v1/campaigns/lakes/invitation-mails"
    body = {"addresses": "ann@example.org\nbo@example.org"}
    made = admin.post(place, body, "application/json")
    assert (made.status_code, made.json()) == (201, {"queued": 2, "known": [], "links": []})
    again = admin.post(place, body, "application/json").json()
    assert again["known"] == ["ann@example.org", "bo@example.org"]
    mails.send_due()
    rows = admin.get(place).json()["results"]
    assert {row["state"] for row in rows} == {"sent"}
    one = f"{place}/{rows[0]['id']}"
    assert admin.post(f"{one}/again", {}, "application/json").json()["state"] == "queued"
    assert admin.delete(one).status_code == 204
    assert admin.get(one).json()["state"] == "withdrawn"
    wrong = admin.post(place, {"addresses": "ann"}, "application/json")
    assert wrong.status_code == 400
    assert wrong.json()["field"].startswith("addresses")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no address."),
        ("ann@example.org\nnobody\n@x", "There is no valid address in line 2, 3."),
        ("ann@example.org bo@example.org", "There is no valid address in line 1."),
        ("\n".join(f"p{n}@example.org" for n in range(201)), "You can invite 200 at once."),
    ],
)
def test_lists_that_cannot_be_are_refused_with_the_line(text: str, said: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(said)):
        recipients_in(text)


def test_lists_are_read_as_people_paste_them() -> None:
    text = '"Lee, Ann" <ann@example.org>,\r\n\r\n BO@example.org;\nbo@example.org\n'
    assert recipients_in(text) == [
        mails.Recipient("ann@example.org", "Lee, Ann"),
        mails.Recipient("BO@example.org"),
    ]
