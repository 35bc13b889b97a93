"""Is it really you? Which pages and calls ask, and what answers them."""

import json
import time
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tasks.models import ApiToken, AuthenticatorApp, Campaign, Membership, User
from tasks.web.addresses import calls, pages
from tests.factories import PASSWORD
from tests.tasks.access.pages.test_two_factor import code_of, switch_on
from tests.tasks.browsers import confirmed, signed_in

ASKING = {
    "account": "changes the e-mail address",
    "token-new": "makes a token",
    "two-factor": "begins, renews codes, switches off",
    "campaign-delete": "deletes a campaign",
    "member": "makes somebody an admin, or a link to a password",
    "member-new": "with an admin's role",
    "member-add": "with an admin's role",
    "invite": "with an admin's role",
    "invite-by-mail": "with an admin's role",
}
CALLS_ASKING = {
    *("api-tokens", "api-campaign-deletion", "api-member", "api-members"),
    *("api-invitations", "api-invitation-mails"),
}
TOKEN = {"name": "nightly", "scopes": ["read"], "days": "90"}
DELETE = "/c/rivers/settings/delete/"


def test_these_pages_and_calls_ask_and_no_others() -> None:
    assert {page.name for page in pages() if page.asks_again} == {*ASKING}
    assert {call.name for call in calls() if call.asks_again} == CALLS_ASKING


def make_token(client: Client, **shown: str) -> Any:
    return client.post("/account/tokens/", {**TOKEN, **shown})


def test_what_was_sent_is_carried_along_and_done_once_it_is_confirmed(rater: Membership) -> None:
    client = signed_in(rater)
    asked = make_token(client, csrfmiddlewaretoken="x")
    assert asked.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Confirm that it is you" in asked.content.decode()
    assert not ApiToken.objects.exists()
    sent = asked.context["sent"]
    assert sent == [("name", "nightly"), ("scopes", "read"), ("days", "90")]
    made = client.post("/account/tokens/", {**dict(sent), "password": PASSWORD})
    assert made.context["key"]
    assert ApiToken.objects.get().name == "nightly"


def test_it_is_asked_once_in_ten_minutes(
    rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(rater)
    make_token(client, password=PASSWORD)
    make_token(client)
    assert ApiToken.objects.count() == 2
    late = time.time() + 601
    with monkeypatch.context() as patch:
        patch.setattr("tasks.access.guards.confirmation.time.time", lambda: late)
        make_token(client)
    assert ApiToken.objects.count() == 2


def test_it_holds_in_one_session_only(rater: Membership) -> None:
    make_token(signed_in(rater), password=PASSWORD)
    make_token(signed_in(rater))
    assert ApiToken.objects.count() == 1


def test_logging_in_confirms_nothing(rater: Membership) -> None:
    client = Client()
    client.post("/login/", {"username": "pine", "password": PASSWORD})
    make_token(client)
    assert not ApiToken.objects.exists()


def test_a_code_is_as_good_as_a_password(rater: Membership) -> None:
    codes = switch_on(rater)
    user = User.objects.get(username="pine")
    offered = make_token(signed_in(rater))
    assert list(offered.context["form"].fields) == ["password", "code"]
    make_token(signed_in(rater), code=code_of(user))
    make_token(signed_in(rater), code=codes[0])
    make_token(signed_in(rater), code="000000000")
    make_token(signed_in(rater), password=PASSWORD)
    assert ApiToken.objects.count() == 3


def test_a_wrong_password_beside_a_code_uses_the_code_up_for_nothing(rater: Membership) -> None:
    switch_on(rater)
    code = code_of(User.objects.get(username="pine"))
    make_token(signed_in(rater), password="guess", code=code)
    assert not ApiToken.objects.exists()
    make_token(signed_in(rater), code=code)
    assert ApiToken.objects.count() == 1


def test_a_password_alone_does_not_switch_the_second_factor_off(rater: Membership) -> None:
    switch_on(rater)
    client = confirmed(rater)
    asked = client.post("/account/two-factor/", {"action": "off"})
    assert "Enter your password and a code." in asked.content.decode()
    assert AuthenticatorApp.objects.filter(confirmed=True).exists()


def test_wrong_ones_lock_the_account(admin: Membership, settings: Settings) -> None:
    settings.LOGIN_TRIES = 2
    client, body = signed_in(admin), {"title": "Rivers", "password": "guess"}
    assert [client.post(DELETE, body).status_code for _ in range(3)] == [422, 422, 429]


def test_who_has_nothing_to_show_is_not_locked_out(admin: Membership, campaign: Campaign) -> None:
    """As where something else than this site signs people in."""
    assert admin.user is not None
    admin.user.set_unusable_password()
    admin.user.save()
    signed_in(admin).post(DELETE, {"title": "Rivers"})
    campaign.refresh_from_db()
    assert campaign.deleted_at is not None


@pytest.mark.parametrize("shown", [False, True])
def test_a_campaign_is_deleted_once_it_is_confirmed(
    admin: Membership, campaign: Campaign, shown: bool
) -> None:
    client = confirmed(admin) if shown else signed_in(admin)
    assert client.get(DELETE).status_code == HTTPStatus.OK
    client.post(DELETE, {"title": "Rivers"})
    campaign.refresh_from_db()
    assert (campaign.deleted_at is not None) is shown


@pytest.mark.parametrize(("role", "asks"), [("researcher", False), ("admin", True)])
def test_roles_are_asked_for_only_where_they_are_an_admins(
    admin: Membership, rater: Membership, role: str, asks: bool
) -> None:
    members = "/c/rivers/settings/members/"
    client, change = signed_in(admin), {"action": "change", "role": role}
    client.post(f"{members}{rater.pk}/", change)
    client.post(f"{members}new/", {"username": "elm", "role": role})
    client.post("/c/rivers/settings/invitations/", {"kind": "account", "role": role, "days": 1})
    mails = {"addresses": "ann@example.org", "role": role, "language": "en", "days": 1}
    client.post("/c/rivers/settings/invitations/mail/", {**mails, "action": "send"})
    campaign = rater.campaign
    rater.refresh_from_db()
    assert (rater.role == "rater") is asks
    assert campaign.memberships.filter(name__startswith="elm-").exists() is not asks
    assert campaign.invitations.count() == (0 if asks else 2)


def test_operators_confirm_before_they_change_anything(operator: User, rater: Membership) -> None:
    body = {"post": "yes", "_selected_action": [rater.user_id], "action": "delete_selected"}
    client = signed_in(operator)
    assert client.get("/admin/tasks/user/").status_code == HTTPStatus.OK
    asked = client.post("/admin/tasks/user/", body)
    assert "Confirm that it is you" in asked.content.decode()
    assert ("_selected_action", str(rater.user_id)) in asked.context["sent"]
    assert client.post("/admin/logout/")["Location"] == "/login/"


def call(client: Client, method: str, path: str, body: dict[str, str]) -> tuple[int, Any]:
    address = f"/api/v1/campaigns/rivers/{path}"
    answer = client.generic(method, address, json.dumps(body), content_type="application/json")
    return answer.status_code, answer.json() if answer.content else None


def test_calls_of_a_browser_ask_as_well_and_those_of_a_program_do_not(
    admin: Membership, rater: Membership, campaign: Campaign
) -> None:
    refusal = (409, {"detail": "confirm first, on a page of the site, that it is you"})
    browser = signed_in(admin)
    path, promotion = f"members/{rater.pk}", {"role": "admin"}
    assert call(browser, "PATCH", path, promotion) == refusal
    assert call(browser, "PATCH", path, {"role": "researcher"})[0] == 200
    assert call(browser, "POST", "members", {"username": "elm", "role": "admin"}) == refusal
    assert call(browser, "POST", "invitations", {"role": "admin"}) == refusal
    assert call(browser, "POST", "deletion", {"title": "Rivers"}) == refusal
    undeclared = {"title": "Rivers", "password": PASSWORD}
    assert call(browser, "POST", "deletion", undeclared) == refusal
    assert call(confirmed(browser), "PATCH", path, promotion)[0] == 200
    assert admin.user is not None
    program = Client(headers={"Authorization": f"Token {ApiToken.issue(admin.user)}"})
    assert call(program, "POST", "deletion", {"title": "Rivers"})[0] == 204
