"""Coming in by an invitation link."""

import logging
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.db.models.functions import Now
from django.test import Client

from annotation_site.request_log import HideSecrets
from tasks.models import Campaign, Invitation, Membership, User
from tasks.people.workflow.invitations import enter, invite, revoke
from tests.factories import PASSWORD, make_campaign
from tests.tasks.browsers import signed_in

NEW = {"username": "willow", "email": "", "password1": "a river of words"}
NEW["password2"] = NEW["password1"]


@pytest.fixture
def link(campaign: Campaign) -> str:
    return f"/join/{invite(campaign=campaign, max_uses=1)[1]}/"


def test_new_person_makes_an_account_and_rates(link: str, campaign: Campaign) -> None:
    client = Client()
    page = client.get(link, follow=True)
    assert page.redirect_chain == [("/join/", 302)]
    assert "Rivers" in page.content.decode()
    assert client.post("/join/", NEW)["Location"] == "/c/rivers/rate/"
    assert client.get("/c/rivers/rate/").status_code == HTTPStatus.OK
    joined = Membership.objects.get(user__username="willow")
    assert (joined.role, joined.invitation) == ("rater", Invitation.objects.get())


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("username", "moss", "already exists"),
        ("username", "MOSS", "already exists"),
        ("username", "ＭＯＳＳ", "already exists"),
        ("username", "½", "valid username"),
        ("username", "ﬃ" * 60, "at most 150 characters"),
        ("password2", "another river", "match"),
        ("password1", "password", "too short"),
        ("email", "no address", "valid email"),
    ],
)
def test_an_account_that_cannot_be_is_refused(
    link: str, stranger: User, field: str, value: str, error: str
) -> None:
    client = Client()
    client.get(link)
    body = {**NEW, field: value}
    if field == "password1":
        body["password2"] = value
    response = client.post("/join/", body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert error in response.content.decode()
    assert not User.objects.filter(username="willow").exists()
    assert Membership.objects.count() == 0


def test_person_with_an_account_joins_with_it(link: str, stranger: User) -> None:
    client = signed_in(stranger)
    html = client.get(link, follow=True).content.decode()
    assert "You are logged in as <b>moss</b>" in html
    assert "password1" not in html
    assert client.post("/join/")["Location"] == "/c/rivers/rate/"
    assert Membership.objects.get(user=stranger).role == "rater"


def test_invitation_outlives_the_login(link: str, stranger: User) -> None:
    client = Client()
    client.get(link)
    body = {"username": "moss", "password": PASSWORD, "next": "/join/"}
    assert client.post("/login/", body)["Location"] == "/join/"
    assert client.post("/join/")["Location"] == "/c/rivers/rate/"


def test_member_is_told_so_and_keeps_their_role(link: str, researcher: Membership) -> None:
    client = signed_in(researcher)
    for html in (
        client.get(link, follow=True).content.decode(),
        client.post("/join/").content.decode(),
    ):
        assert "You are already a member of this campaign, as Researcher" in html
    researcher.refresh_from_db()
    assert (researcher.role, researcher.invitation) == ("researcher", None)


def test_invitation_does_not_bring_a_deactivated_member_back(link: str, rater: Membership) -> None:
    Membership.objects.filter(pk=rater.pk).update(is_active=False)
    client = signed_in(rater)
    assert "was ended" in client.get(link, follow=True).content.decode()
    client.post("/join/")
    rater.refresh_from_db()
    assert rater.is_active is False


def end(how: str) -> None:
    invitation = Invitation.objects.get()
    if how == "revoked":
        revoke(invitation=invitation)
    elif how == "expired":
        Invitation.objects.update(expires_at=Now() - timedelta(seconds=1))
    else:
        Membership.objects.create(
            campaign=invitation.campaign, name="x", pseudonym="x", invitation=invitation
        )


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("revoked", "The invitation has been withdrawn."),
        ("expired", "The invitation has expired."),
        ("used up", "The invitation has already been used."),
    ],
)
def test_ended_invitation_says_so_and_makes_nothing(
    link: str, stranger: User, how: str, text: str
) -> None:
    earlier, member = Client(), signed_in(stranger)
    for client in (earlier, member):
        client.get(link)
    end(how)
    before = User.objects.count()
    answers = [
        Client().get(link),
        earlier.post("/join/", NEW),
        member.get("/join/"),
        member.post("/join/"),
    ]
    assert [answer.status_code for answer in answers] == [HTTPStatus.GONE] * 4
    assert all(text in answer.content.decode() for answer in answers)
    assert User.objects.count() == before
    assert not Membership.objects.filter(user=stranger).exists()


def test_unknown_link_is_not_there(campaign: Campaign) -> None:
    crowd = invite(campaign=campaign, kind="crowd")[1]
    for address in ("/join/no-such-secret/", f"/join/{crowd}/", "/join/"):
        assert Client().get(address).status_code == HTTPStatus.NOT_FOUND


def test_link_is_told_to_nobody_and_not_cached(link: str) -> None:
    opened = Client().get(link)
    revoke(invitation=Invitation.objects.get())
    for answer in (opened, Client().get(link)):
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
    # the form's page must let browsers say where a POST comes from
    assert Client().get("/join/")["Referrer-Policy"] == "same-origin"


def test_secrets_are_not_logged(link: str, caplog: pytest.LogCaptureFixture) -> None:
    revoke(invitation=Invitation.objects.get())
    with caplog.at_level(logging.WARNING):
        caplog.handler.addFilter(HideSecrets())
        Client().get(link)
    assert caplog.messages == ["Gone: /join/…/"]


def test_visitor_of_a_crowd_service_is_offered_a_new_account(link: str) -> None:
    crowd, _secret = invite(campaign=make_campaign(), kind="crowd")
    visitor = enter(invitation=crowd, participant="p1")
    client = signed_in(visitor)
    assert "password1" in client.get(link, follow=True).content.decode()
    client.post("/join/", NEW)
    assert Membership.objects.filter(user=visitor.user).count() == 1
    assert client.get("/c/rivers/rate/").context["user"].username == "willow"
