"""Inviting a person by the name of their account: nobody becomes a member unasked."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client

from tasks.campaigns.workflow.lives import archive
from tasks.models import AuditEntry, Campaign, Membership, PersonalInvitation, User
from tasks.people.queries.personal_invitations import invitations_of, unanswered_in
from tasks.people.workflow import personal_invitations
from tasks.people.workflow.crowd import enter
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import IsMember, TooManyInvited, WasMember, deactivate
from tasks.people.workflow.personal_invitations import (
    NotAsked,
    accept_invitation,
    decline_invitation,
    invite_person,
    withdraw_invitation,
)
from tests.factories import make_campaign, make_member, make_user
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


@pytest.fixture
def moss(campaign: Campaign) -> User:
    return make_user("moss")


@pytest.fixture
def asked(campaign: Campaign, moss: User) -> PersonalInvitation:
    return invite_person(campaign=campaign, name="moss", role="researcher")


def roles(user: User) -> list[str]:
    return list(Membership.objects.filter(user=user).values_list("role", flat=True))


def test_nobody_is_a_member_before_they_accept(asked: PersonalInvitation, moss: User) -> None:
    assert (roles(moss), list(invitations_of(moss))) == ([], [asked])
    joined = accept_invitation(user=moss, invitation_id=asked.pk)
    assert (joined.role, roles(moss)) == ("researcher", ["researcher"])
    assert not invitations_of(moss).exists()
    assert not unanswered_in(asked.campaign).exists()
    entries = AuditEntry.objects.filter(campaign=asked.campaign).order_by("-sequence")
    actions = list(entries.values_list("action", "subject")[:2])
    assert actions == [("member.added", "moss"), ("invitation.personal", "moss")]


def test_who_declines_is_asked_no_more_and_seen_as_waiting(
    asked: PersonalInvitation, moss: User
) -> None:
    decline_invitation(user=moss, invitation_id=asked.pk)
    assert (roles(moss), invitations_of(moss).exists()) == ([], False)
    assert list(unanswered_in(asked.campaign)) == [asked]
    # asking again while it is open asks nobody
    assert invite_person(campaign=asked.campaign, name="moss", role="rater") == asked
    assert not invitations_of(moss).exists()
    with pytest.raises(NotAsked):
        accept_invitation(user=moss, invitation_id=asked.pk)


def test_only_who_is_asked_can_answer(asked: PersonalInvitation) -> None:
    other = make_user("fern")
    for answer in (accept_invitation, decline_invitation):
        with pytest.raises(NotAsked):
            answer(user=other, invitation_id=asked.pk)
    assert roles(other) == []


@pytest.mark.parametrize("how", ["withdrawn", "expired", "archived", "deleted"])
def test_an_invitation_that_is_over_lets_nobody_in(
    asked: PersonalInvitation, moss: User, how: str
) -> None:
    if how == "withdrawn":
        withdraw_invitation(invitation=asked)
    elif how == "expired":
        PersonalInvitation.objects.update(expires_at=Now() - timedelta(seconds=1))
    elif how == "archived":
        archive(campaign=asked.campaign)
    else:
        archive(campaign=asked.campaign)
        Campaign.objects.filter(pk=asked.campaign_id).update(deleted_at=Now())
    assert not invitations_of(moss).exists()
    with pytest.raises(NotAsked):
        accept_invitation(user=moss, invitation_id=asked.pk)
    assert roles(moss) == []


@pytest.mark.parametrize("how", ["withdrawn", "expired"])
def test_after_the_end_one_may_be_asked_again(
    asked: PersonalInvitation, moss: User, how: str
) -> None:
    if how == "withdrawn":
        withdraw_invitation(invitation=asked)
    else:
        PersonalInvitation.objects.update(expires_at=Now() - timedelta(seconds=1))
    again = invite_person(campaign=asked.campaign, name="moss", role="rater")
    assert again != asked
    assert list(invitations_of(moss)) == [again]


def test_withdrawing_twice_is_recorded_once(asked: PersonalInvitation) -> None:
    for _ in range(2):
        withdraw_invitation(invitation=asked)
    assert AuditEntry.objects.filter(action="invitation.revoked").count() == 1


def test_members_are_not_invited_nor_brought_back(campaign: Campaign) -> None:
    make_member(campaign, "admin")
    member = make_member(campaign, "rater", "pine")
    with pytest.raises(IsMember):
        invite_person(campaign=campaign, name="pine", role="admin")
    deactivate(member=member)
    with pytest.raises(WasMember):
        invite_person(campaign=campaign, name="pine", role="admin")


def test_who_came_otherwise_meanwhile_stays_what_they_are(
    asked: PersonalInvitation, moss: User
) -> None:
    from tasks.campaigns.workflow.campaign import add_member

    add_member(campaign=asked.campaign, user=moss, role="rater")
    assert accept_invitation(user=moss, invitation_id=asked.pk).role == "rater"


def test_visitors_and_deactivated_accounts_are_as_nobody(campaign: Campaign) -> None:
    crowd, _secret = invite(campaign=make_campaign("lakes"), kind="crowd")
    visitor = enter(invitation=crowd, participant="p1").user
    assert visitor is not None
    make_user("fern", is_active=False)
    made = [
        invite_person(campaign=campaign, name=name, role="rater")
        for name in (visitor.username, "fern", "nobody")
    ]
    assert [each.user for each in made] == [None, None, None]


def test_so_many_wait_at_once(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal_invitations, "MOST", 2)
    for name in ("a", "b"):
        invite_person(campaign=campaign, name=name, role="rater")
    with pytest.raises(TooManyInvited):
        invite_person(campaign=campaign, name="c", role="rater")
    assert invite_person(campaign=campaign, name="a", role="rater").name == "a"


@pytest.mark.slow
def test_the_person_sees_it_on_their_first_page_and_answers(
    asked: PersonalInvitation, moss: User
) -> None:
    client = signed_in(moss)
    html = client.get("/").content.decode()
    assert "You are invited to" in html
    assert f'action="/invitations/{asked.pk}/"' in html
    address = f"/invitations/{asked.pk}/"
    assert client.post(address, {"answer": "perhaps"}).status_code == 400
    assert signed_in(make_user("fern")).post(address, {"answer": "accept"}).status_code == 404
    assert Client().post(address, {"answer": "accept"})["Location"].startswith("/login/")
    assert client.post(address, {"answer": "accept"})["Location"] == "/c/rivers/"
    assert "You are invited to" not in client.get("/").content.decode()
    assert client.post(address, {"answer": "accept"}).status_code == 404


@pytest.mark.slow
def test_a_program_answers_for_the_person(asked: PersonalInvitation, moss: User) -> None:
    make_member(make_campaign("lakes"), "rater")
    member = Membership(user=moss)
    client = ApiClient(member).client
    [listed] = client.get("/api/v1/account/invitations").json()["results"]
    assert (listed["campaign"], listed["role"], listed["id"]) == ("rivers", "researcher", asked.pk)
    address = f"/api/v1/account/invitations/{asked.pk}"
    wrong = client.post(address, {"accept": "perhaps"}, content_type="application/json")
    assert wrong.status_code == 400
    answered = client.post(address, {"accept": True}, content_type="application/json")
    assert answered.json() == {"campaign": "rivers", "role": "researcher"}
    again = client.post(address, {"accept": False}, content_type="application/json")
    assert (again.status_code, roles(moss)) == (404, ["researcher"])


@pytest.mark.slow
def test_an_admin_withdraws_it_on_the_page(asked: PersonalInvitation, moss: User) -> None:
    client = signed_in(make_member(asked.campaign, "admin", "oak"))
    page = "/c/rivers/settings/members/"
    assert "moss" in client.get(page).content.decode()
    client.post(f"/c/rivers/settings/invitations/person/{asked.pk}/withdraw/")
    assert "moss" not in client.get(page).content.decode()
    assert not invitations_of(moss).exists()
