"""Invitations by e-mail, through a real mail server: a link for each person, and its state."""

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from pytest_django import Settings

from tasks.models import AuditEntry, Campaign, Delivery, Invitation, InvitationKind
from tasks.people.queries import find_invitation, invitees_of, open_invitations
from tasks.people.work import send_invitations
from tasks.people.workflow import mailed_invitations as workflow
from tasks.people.workflow.invitations import InvitationEnded, accept, invite, revoke
from tests.factories import make_campaign, make_member, make_user
from tests.smtp_server import MailServer, mail_server

pytestmark = pytest.mark.django_db

ANN = workflow.Recipient("ann@example.org", "Lee, Ann")
BO = workflow.Recipient("bo@example.org", role="researcher")


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign("lakes", title="Lakes & seas")


@pytest.fixture(autouse=True)
def server(settings: Settings) -> Iterator[MailServer]:
    with mail_server() as running:
        settings.SENDS_MAIL, settings.SITE_URL = True, "https://site.example"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", running.port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        settings.EMAIL_TIMEOUT = 5
        settings.DEFAULT_FROM_EMAIL = "Tomahto <site@example.org>"
        yield running


def invite_people(campaign: Campaign, *people: workflow.Recipient) -> workflow.Recipients:
    return workflow.invite_by_mail(campaign=campaign, recipients=people, language="en")


def states(campaign: Campaign) -> dict[str, str]:
    return {row.address: row.state for row in rows_of(campaign)}


def rows_of(campaign: Campaign) -> list[Any]:
    return list(invitees_of(campaign))


def an_hour_later() -> None:
    Delivery.objects.filter(sent_at=None).update(not_before=Now())


def secret_in(mail: EmailMessage) -> str:
    secrets = []
    for kind in ("plain", "html"):
        body = mail.get_body((kind,))
        assert body is not None
        secrets += re.findall(r"https://site.example/join/([\w-]+)/", body.get_content())
    assert len(secrets) == 4  # in the text; under the button and its address, and as that
    assert len(set(secrets)) == 1
    return str(secrets[0])


def invitation_of(mail: EmailMessage) -> Invitation:
    return find_invitation(secret_in(mail), InvitationKind.ACCOUNT)


def test_everybody_gets_a_link_that_lets_one_person_in(
    campaign: Campaign, server: MailServer
) -> None:
    Campaign.objects.update(mail_sender_name="Lake lab, Ghent", mail_reply_to="lab@example.org")
    workflow.invite_by_mail(
        campaign=campaign, recipients=[ANN, BO], language="en", message="See you on <Monday>."
    )
    assert states(campaign) == {ANN.address: "waiting", BO.address: "waiting"}
    send_invitations()
    send_invitations()
    ann, bo = server.mails
    assert [(mail["To"], mail["From"], mail["Reply-To"]) for mail in server.mails] == [
        ('"Lee, Ann" <ann@example.org>', '"Lake lab, Ghent" <site@example.org>', "lab@example.org"),
        ("bo@example.org", '"Lake lab, Ghent" <site@example.org>', "lab@example.org"),
    ]
    assert (ann["Subject"], ann.get_content_type()) == (
        "Invitation to “Lakes & seas”",
        "multipart/alternative",
    )
    body = ann.get_body(("plain",))
    assert body is not None
    lines = body.get_content().splitlines()
    assert {"Hello Lee, Ann,", "> See you on <Monday>."} < set(lines)
    assert states(campaign) == {ANN.address: "sent", BO.address: "sent"}
    invitation = invitation_of(ann)
    accept(invitation=invitation, user=make_user("ann"))
    with pytest.raises(InvitationEnded):
        accept(invitation=invitation, user=make_user("friend"))
    assert accept(invitation=invitation_of(bo), user=make_user("bo")).role == "researcher"
    assert states(campaign) == {ANN.address: "accepted", BO.address: "accepted"}


def test_nobody_is_invited_twice_and_no_member_at_all(
    campaign: Campaign, server: MailServer
) -> None:
    invite_people(campaign, ANN)
    member = make_member(campaign, "rater", "cleo")
    assert member.user is not None
    member.user.email = "Cleo@example.org"
    member.user.save()
    cleo = workflow.Recipient("cleo@example.org")
    upper = workflow.Recipient("ANN@example.org")
    assert invite_people(campaign, upper, BO, cleo, BO) == workflow.Recipients(
        [BO], ["ANN@example.org"], ["cleo@example.org"]
    )
    send_invitations()
    assert [mail["To"] for mail in server.mails] == [
        '"Lee, Ann" <ann@example.org>',
        "bo@example.org",
    ]
    # another campaign knows nothing of it
    assert invite_people(make_campaign(), ANN).new == [ANN]


def test_domains_are_compared_in_small_letters_of_every_alphabet(campaign: Campaign) -> None:
    first, again = (workflow.Recipient(f"a@{name}.de") for name in ("BÜCHER", "Bücher"))
    assert invite_people(campaign, first).new == [workflow.Recipient("a@bücher.de")]
    assert invite_people(campaign, again).invited == ["a@bücher.de"]


def test_the_database_holds_an_address_once(campaign: Campaign) -> None:
    invite_people(campaign, ANN)
    double = Invitation.objects.get()
    double.pk, double.digest, double.address = None, "x" * 64, "Ann@Example.org"
    with pytest.raises(IntegrityError), transaction.atomic():
        double.save(force_insert=True)


def test_a_refused_address_is_not_tried_again_and_a_busy_server_is(
    campaign: Campaign, server: MailServer
) -> None:
    server.answers = {"ann": "550 no such mailbox", "bo": "451 try later"}
    invite_people(campaign, ANN, BO)
    send_invitations()
    assert [(row.address, row.state, row.mail_error) for row in rows_of(campaign)] == [
        (BO.address, "waiting", "451 try later"),
        (ANN.address, "failed", "550 no such mailbox"),
    ]
    server.answers = {}
    an_hour_later()
    send_invitations()
    assert states(campaign) == {ANN.address: "failed", BO.address: "sent"}
    workflow.send_again(invitation=Invitation.objects.get(address=ANN.address))
    send_invitations()
    assert states(campaign) == {ANN.address: "sent", BO.address: "sent"}
    assert len(server.mails) == 2


def test_a_server_that_is_away_is_tried_six_times(
    campaign: Campaign, server: MailServer, settings: Settings
) -> None:
    settings.EMAIL_PORT = 1
    invite_people(campaign, ANN)
    for _attempt in range(6):
        assert states(campaign) == {ANN.address: "waiting"}
        an_hour_later()
        send_invitations()
    assert states(campaign) == {ANN.address: "failed"}


def test_a_mail_that_may_have_left_is_sent_again_with_the_same_link(
    campaign: Campaign, server: MailServer
) -> None:
    server.answers = {"ann": ""}
    invite_people(campaign, ANN)
    send_invitations()
    server.answers = {}
    an_hour_later()
    send_invitations()
    first, second = server.mails
    assert secret_in(first) == secret_in(second)
    assert first["Message-ID"] == second["Message-ID"]


def test_sending_again_ends_the_first_link_and_extends_the_invitation(
    campaign: Campaign, server: MailServer
) -> None:
    invite_people(campaign, ANN)
    send_invitations()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert states(campaign) == {ANN.address: "expired"}
    workflow.send_again(invitation=Invitation.objects.get())
    with pytest.raises(workflow.NotToBeSentAgain):  # it is on its way
        workflow.send_again(invitation=Invitation.objects.get())
    send_invitations()
    first, second = server.mails
    with pytest.raises(Invitation.DoesNotExist):
        invitation_of(first)
    assert invitation_of(second).expires_at > timezone.now() + timedelta(days=29)
    assert states(campaign) == {ANN.address: "sent"}


def test_a_withdrawn_invitation_lets_nobody_in_and_is_not_sent(
    campaign: Campaign, server: MailServer
) -> None:
    invite_people(campaign, ANN)
    send_invitations()
    invite_people(campaign, BO)
    for invitation in Invitation.objects.all():
        revoke(invitation=invitation)
        with pytest.raises(workflow.NotToBeSentAgain):
            workflow.send_again(invitation=invitation)
    send_invitations()
    [mail] = server.mails
    with pytest.raises(InvitationEnded):
        accept(invitation=invitation_of(mail), user=make_user("ann"))
    assert states(campaign) == {ANN.address: "withdrawn", BO.address: "withdrawn"}
    assert invite_people(campaign, ANN).new == [ANN]


def test_a_link_that_was_passed_on_is_not_mailed(campaign: Campaign) -> None:
    invitation, _secret = invite(campaign=campaign)
    with pytest.raises(workflow.NotToBeSentAgain):
        workflow.send_again(invitation=invitation)
    assert not invitees_of(campaign).exists()
    assert list(open_invitations(campaign)) == [invitation]


def test_a_campaign_sends_so_many_invitations_a_day(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_A_DAY", 2)
    invite_people(campaign, ANN)
    send_invitations()
    more = [BO, workflow.Recipient("cleo@example.org")]
    with pytest.raises(workflow.TooManyMails):
        invite_people(campaign, *more)
    assert states(campaign) == {ANN.address: "sent"}
    workflow.send_again(invitation=Invitation.objects.get())
    with pytest.raises(workflow.TooManyMails):
        invite_people(campaign, BO)
    send_invitations()
    Delivery.objects.update(not_before=timezone.now() - timedelta(days=1, seconds=1))
    assert invite_people(campaign, *more).new == more


def test_a_site_without_mail_keeps_the_mails(
    campaign: Campaign, server: MailServer, settings: Settings
) -> None:
    settings.SITE_URL = ""
    invite_people(campaign, ANN)
    send_invitations()
    assert (server.mails, states(campaign)) == ([], {ANN.address: "waiting"})


def test_neither_log_nor_list_has_an_address_or_a_secret(
    campaign: Campaign, server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = {"bo": "550 no such mailbox"}
    invite_people(campaign, ANN, BO)
    send_invitations()
    pks = sorted(Invitation.objects.values_list("pk", flat=True))
    entry = AuditEntry.objects.get(action="invitations.mailed")
    assert entry.facts == {"role": "rater", "invitations": pks}
    assert "example.org" not in caplog.text
    secret = secret_in(server.mails[0])
    rows = [*Invitation.objects.values(), *Delivery.objects.values(), *AuditEntry.objects.values()]
    assert secret not in str(rows)
