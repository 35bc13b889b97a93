"""The people of a campaign: who may do what with whom."""

from http import HTTPStatus

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from pytest_django import Settings

from tasks.models import AuditEntry, Campaign, Invitation, Membership, SetAside, User
from tasks.people.workflow.invitations import enter, invite
from tests.factories import make_campaign, make_member, make_user
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rate_next

pytestmark = pytest.mark.slow


def page_of(member: Membership) -> str:
    return f"/c/{member.campaign.slug}/settings/members/{member.pk}/"


def do(client: Client, member: Membership, action: str, **fields: object) -> int:
    body = {"action": action, "role": "rater", **fields}
    return client.post(page_of(member), body).status_code


def state(member: Membership) -> tuple[str, bool, bool, int | None]:
    member.refresh_from_db()
    return member.role, member.is_active, member.is_paused, member.quota


@pytest.fixture
def visitor(campaign: Campaign) -> Membership:
    invitation, _secret = invite(campaign=campaign, kind="crowd")
    return enter(invitation=invitation, participant="participant-7")


def test_member_is_given_a_role_and_a_quota_and_paused(
    admin: Membership, rater: Membership
) -> None:
    client = signed_in(admin)
    do(client, rater, "change", role="researcher", quota=12)
    assert state(rater) == ("researcher", True, False, 12)
    do(client, rater, "change", role="rater", quota="")
    assert state(rater) == ("rater", True, False, None)
    do(client, rater, "pause")
    assert state(rater) == ("rater", True, True, None)
    do(client, rater, "resume")
    assert state(rater) == ("rater", True, False, None)


def test_a_wrong_quota_is_named_and_changes_nothing(admin: Membership, rater: Membership) -> None:
    body = {"action": "change", "role": "researcher", "quota": "many"}
    response = signed_in(admin).post(page_of(rater), body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Enter a whole number." in response.content.decode()
    assert state(rater) == ("rater", True, False, None)


def test_deactivated_member_is_out_at_once_and_comes_back(
    admin: Membership, rater: Membership
) -> None:
    client, theirs = signed_in(admin), signed_in(rater)
    assert theirs.get("/c/rivers/rate/").status_code == HTTPStatus.OK
    do(client, rater, "deactivate")
    assert theirs.get("/c/rivers/rate/").status_code == HTTPStatus.NOT_FOUND
    assert "Rivers" not in theirs.get("/").content.decode()
    do(client, rater, "reactivate")
    assert theirs.get("/c/rivers/rate/").status_code == HTTPStatus.OK


@pytest.mark.parametrize("action", ["change", "deactivate"])
def test_the_last_admin_stays(admin: Membership, action: str) -> None:
    retired = make_member(admin.campaign, "admin")
    Membership.objects.filter(pk=retired.pk).update(is_active=False)
    make_member(make_campaign(), "admin")
    response = signed_in(admin).post(page_of(admin), {"action": action, "role": "rater"})
    assert response.status_code == HTTPStatus.CONFLICT
    assert "needs at least one active admin" in response.content.decode()
    assert state(admin) == ("admin", True, False, None)


@pytest.mark.parametrize("action", ["change", "deactivate"])
def test_an_admin_may_leave_another_one_behind(admin: Membership, action: str) -> None:
    make_member(admin.campaign, "admin")
    response = signed_in(admin).post(page_of(admin), {"action": action, "role": "rater"})
    assert response["Location"] == "/"


def test_admin_is_not_lowered_by_being_added_again(operating_admin: Membership) -> None:
    body = {"username": "oak", "role": "rater"}
    response = signed_in(operating_admin).post("/c/rivers/settings/members/add/", body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This account is already a member." in response.content.decode()
    assert state(operating_admin) == ("admin", True, False, None)


def test_deactivated_member_is_added_again(operating_admin: Membership, rater: Membership) -> None:
    Membership.objects.filter(pk=rater.pk).update(is_active=False)
    body = {"username": "pine", "role": "researcher"}
    signed_in(operating_admin).post("/c/rivers/settings/members/add/", body)
    assert state(rater) == ("researcher", True, False, None)


@pytest.mark.parametrize("username", ["moss", "nobody"])
def test_admins_learn_of_no_account_by_adding_it(
    admin: Membership, stranger: User, username: str
) -> None:
    client = signed_in(admin)
    body = {"username": username, "role": "rater"}
    assert client.post("/c/rivers/settings/members/add/", body).status_code == HTTPStatus.FORBIDDEN
    assert not Membership.objects.filter(user=stranger).exists()
    assert "Add to campaign" not in client.get("/c/rivers/settings/members/").content.decode()


def test_operator_is_asked_at_the_door_and_comes_in_as_admin(
    campaign: Campaign, operator: User
) -> None:
    client = signed_in(operator)
    assert "Rivers" in client.get("/").content.decode()
    response = client.get("/c/rivers/settings/members/", follow=True)
    assert response.redirect_chain == [("/c/rivers/enter/", HTTPStatus.FOUND)]
    assert "Join as admin" in response.content.decode()
    assert not Membership.objects.filter(user=operator).exists()
    assert client.post("/c/rivers/settings/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/c/lakes/").status_code == HTTPStatus.NOT_FOUND

    assert client.post("/c/rivers/enter/")["Location"] == "/c/rivers/"
    assert Membership.objects.get(user=operator).role == "admin"
    assert "yew" in client.get("/c/rivers/settings/members/").content.decode()
    entries = AuditEntry.objects.filter(campaign=campaign, actor="yew").order_by("sequence")
    assert list(entries.values_list("action", "subject")) == [
        ("member.added", "yew"),
        ("operator.entered", "yew"),
    ]


def test_operator_who_is_a_member_stays_what_they_are(rater: Membership) -> None:
    """A rater who happens to run the site sees no votes by coming in."""
    User.objects.filter(pk=rater.user_id or 0).update(is_superuser=True)
    client = signed_in(rater)
    assert client.post("/c/rivers/enter/")["Location"] == "/c/rivers/"
    assert state(rater) == ("rater", True, False, None)
    assert client.get("/c/rivers/agreement/").status_code == HTTPStatus.FORBIDDEN


def test_visitors_of_a_crowd_service_stay_raters_of_one_campaign(
    admin: Membership, visitor: Membership
) -> None:
    assert do(signed_in(admin), visitor, "change", role="admin") == HTTPStatus.CONFLICT
    assert state(visitor) == ("rater", True, False, None)
    boss = make_member(make_campaign("lakes"), "admin")
    User.objects.filter(pk=boss.user_id or 0).update(is_superuser=True)
    body = {"username": visitor.name, "role": "rater"}
    response = signed_in(boss).post("/c/lakes/settings/members/add/", body)
    assert "No account has this name." in response.content.decode()
    assert Membership.objects.filter(user=visitor.user).count() == 1


def test_only_admins_see_who_the_crowd_service_says_a_visitor_is(
    admin: Membership, researcher: Membership, visitor: Membership
) -> None:
    admins = signed_in(admin)
    assert "participant-7" in admins.get("/c/rivers/settings/members/").content.decode()
    assert "participant-7" in admins.get(page_of(visitor)).content.decode()
    client = signed_in(researcher)
    pages = ["", "agreement/raters/", "releases/", "history/"]
    shown = [client.get(f"/c/rivers/{page}").content.decode() for page in pages]
    assert visitor.pseudonym in shown[1]
    assert [page for page in shown if "participant-7" in page] == []


def reset_link(client: Client, member: Membership) -> str:
    response = client.post(page_of(member), {"action": "reset-password"})
    assert response.status_code == HTTPStatus.OK
    assert "no-store" in response["Cache-Control"]
    html = response.content.decode()
    return html.split('id="reset-link">')[1].split("<")[0].removeprefix("http://testserver")


def test_admin_makes_a_link_that_sets_a_password_once(admin: Membership, rater: Membership) -> None:
    link = reset_link(signed_in(admin), rater)
    client = Client()
    form = client.get(link, follow=True)
    assert link.split("/")[4] not in form.redirect_chain[-1][0].split("/")[4:]
    body = {"new_password1": "a river of words", "new_password2": "a river of words"}
    client.post(form.redirect_chain[-1][0], body)
    signed = Client().post("/login/", {"username": "pine", "password": "a river of words"})
    assert signed["Location"] == "/"
    assert "This link no longer works" in Client().get(link, follow=True).content.decode()


def test_no_link_for_who_has_more_than_one_administers(
    admin: Membership, visitor: Membership
) -> None:
    response = signed_in(admin).post(page_of(visitor), {"action": "reset-password"})
    assert response.status_code == HTTPStatus.CONFLICT
    assert "You cannot make a link for this account" in response.content.decode()
    assert "/password/reset/" not in response.content.decode()


def test_nobody_makes_a_link_for_their_own_account(admin: Membership) -> None:
    """Somebody who finds an admin's browser open could else set the password without the old
    one."""
    client = signed_in(admin)
    response = client.post(page_of(admin), {"action": "reset-password"})
    html = response.content.decode()
    assert response.status_code == HTTPStatus.CONFLICT
    assert "This is your own account" in html
    assert "/password/reset/" not in html
    assert 'href="/password/"' in html
    assert 'value="reset-password"' not in client.get(page_of(admin)).content.decode()


@pytest.mark.parametrize("site", ["", "https://tomahto.example.org"])
def test_links_that_are_passed_on_lead_to_the_site(
    admin: Membership, rater: Membership, settings: Settings, site: str
) -> None:
    settings.SITE_URL = site
    client = signed_in(admin)
    page = client.post(page_of(rater), {"action": "reset-password"}).content.decode()
    call = client.post("/api/v1/campaigns/rivers/invitations", {}, "application/json").json()
    links = [page.split('id="reset-link">')[1], make_link(client), call["link"]]
    assert [link.startswith(f"{site or 'http://testserver'}/") for link in links] == [True] * 3


def test_a_new_account_has_the_name_that_the_login_reads(admin: Membership) -> None:
    client = signed_in(admin)
    body = {"username": "ﬁna", "role": "rater"}  # with a ligature
    made = client.post("/c/rivers/settings/members/new/", body)
    assert made.status_code == HTTPStatus.OK
    assert made.context["secrets"]["username"] == "fina"
    login = {"username": "ﬁna", "password": made.context["secrets"]["password"]}
    assert Client().post("/login/", login)["Location"] == "/"
    again = client.post("/c/rivers/settings/members/new/", body)
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert again.context["new_form"].errors == {
        "username": ["an account 'fina' already exists"],
    }


def test_link_ends_with_the_next_login(admin: Membership, rater: Membership) -> None:
    reset_link(signed_in(admin), rater)
    assert rater.user is not None
    token = default_token_generator.make_token(rater.user)
    Client().post("/login/", {"username": "pine", "password": "correct horse battery"})
    rater.user.refresh_from_db()
    assert default_token_generator.check_token(rater.user, token) is False


def make_link(client: Client, **fields: object) -> str:
    body = {"kind": "account", "role": "rater", "days": 14, "max_uses": "", "note": "", **fields}
    response = client.post("/c/rivers/settings/invitations/", body)
    assert response.status_code == HTTPStatus.OK
    assert "no-store" in response["Cache-Control"]
    return response.content.decode().split('id="invitation-link">')[1].split("<")[0]


def test_invitation_link_is_shown_once_and_works_until_it_is_revoked(admin: Membership) -> None:
    client = signed_in(admin)
    link = make_link(client, role="researcher", max_uses=3, note="For the reading group")
    secret = link.split("/")[-2]
    invitation = Invitation.objects.get()
    assert (invitation.role, invitation.max_uses, invitation.created_by) == (
        "researcher",
        3,
        admin.user,
    )
    assert invitation.digest == Invitation.digest_of(secret)
    html = client.get("/c/rivers/settings/members/").content.decode()
    assert "For the reading group" in html
    assert "0 of 3" in html
    assert secret not in html
    assert Client().get(link)["Location"] == "/join/"
    client.post(f"/c/rivers/settings/invitations/{invitation.pk}/revoke/")
    assert Client().get(link).status_code == HTTPStatus.GONE


def test_link_for_a_crowd_service_names_its_parameters(admin: Membership) -> None:
    body = {"kind": "crowd", "role": "rater", "days": 3}
    html = signed_in(admin).post("/c/rivers/settings/invitations/", body).content.decode()
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}&amp;STUDY_ID={{%STUDY_ID%}}&amp;SESSION_ID=" in html


def test_invitation_that_cannot_be_is_refused_at_its_field(admin: Membership) -> None:
    body = {"kind": "crowd", "role": "admin", "days": 14}
    response = signed_in(admin).post("/c/rivers/settings/invitations/", body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Visitors of a crowd service can only be raters." in response.content.decode()
    assert Invitation.objects.count() == 0


def test_account_is_named_apart_from_an_imported_rater(operating_admin: Membership) -> None:
    Membership.objects.create(
        campaign=operating_admin.campaign, name="moss", pseudonym="r-imported"
    )
    make_user("moss")
    signed_in(operating_admin).post(
        "/c/rivers/settings/members/add/", {"username": "moss", "role": "rater"}
    )
    names = Membership.objects.filter(name__startswith="moss").values_list("name", "user__username")
    assert sorted(names, key=str) == [("moss (2)", "moss"), ("moss", None)]


def test_leaving_member_may_have_their_ratings_set_aside(
    admin: Membership, rater: Membership
) -> None:
    client = signed_in(admin)
    assert rate_next(rater)
    place = f"/c/{rater.campaign.slug}/settings/members/{rater.pk}/"
    asked = {"action": "deactivate", "set_aside": "on", "reason": " "}
    response = client.post(place, asked)
    rater.refresh_from_db()
    assert (response.status_code, rater.is_active) == (422, True)
    assert "Give a reason to set the ratings aside." in response.content.decode()
    assert client.post(place, {**asked, "reason": "Clicked through."}).status_code == 302
    rater.refresh_from_db()
    (act,) = SetAside.objects.all()
    assert (rater.is_active, act.rater, act.by, act.reason) == (
        False,
        rater,
        admin,
        "Clicked through.",
    )
