"""People of a campaign over the API: the same rules as on the pages, for admins only."""

import json
import unicodedata
from typing import Any

import pytest

from tasks.campaigns.workflow.campaign import pseudonym_of_import
from tasks.models import ApiToken, AuditEntry, Campaign, Invitation, Membership, SetAside, User
from tasks.people.queries import find_invitation
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


@pytest.fixture
def caller(admin: Membership, as_member: AsMember) -> ApiClient:
    return as_member(admin)


@pytest.fixture
def pine(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "pine")


def send(caller: ApiClient, method: str, path: str, body: object = None) -> Any:
    slug = Campaign.objects.earliest("pk").slug
    return caller.client.generic(
        method,
        f"/api/v1/campaigns/{slug}/{path}",
        "" if body is None else json.dumps(body),
        content_type="application/json",
    )


def test_new_account_gets_a_password_and_a_token_that_work(caller: ApiClient) -> None:
    made = send(caller, "POST", "members", {"username": "fern", "role": "researcher"})
    assert made.status_code == 201
    body = made.json()
    user = User.objects.get(username="fern")
    assert user.check_password(body.pop("password"))
    assert ApiToken.objects.get(user=user).digest == ApiToken.digest_of(body.pop("token"))
    stored = Membership.objects.get(user=user)
    assert body.pop("created_at")
    assert body == {
        "id": stored.pk,
        "username": "fern",
        "name": "fern",
        "pseudonym": stored.pseudonym,
        "role": "researcher",
        "active": True,
        "paused": False,
        "quota": None,
    }


@pytest.fixture
def operator(admin: Membership, caller: ApiClient) -> ApiClient:
    User.objects.filter(pk=admin.user_id or 0).update(is_superuser=True)
    return caller


def test_new_account_has_the_name_that_is_stored(caller: ApiClient) -> None:
    """Signs that only look different are one: else two people could not be told apart."""
    made = send(caller, "POST", "members", {"username": "ﬁr²"})
    assert (made.status_code, made.json()["username"]) == (201, "fir2")
    again = send(caller, "POST", "members", {"username": "ﬁr²"})
    assert (again.status_code, again.json()["field"]) == (409, "username")
    assert "'fir2'" in again.json()["detail"]


@pytest.mark.parametrize("username", ["fern", "nobody"])
def test_admins_admit_no_account_unasked_and_learn_of_none(
    caller: ApiClient, username: str
) -> None:
    User.objects.create_user("fern")
    refused = send(caller, "POST", "members", {"username": username, "account": "existing"})
    assert (refused.status_code, refused.json()) == (
        403,
        {"detail": "only the site's operators may do this"},
    )


def test_operator_enters_a_campaign_that_is_listed_for_them(
    operator: ApiClient, make_campaign: MakeCampaign, as_member: AsMember
) -> None:
    lakes = make_campaign(slug="lakes")
    listed = operator.client.get("/api/v1/site/campaigns").json()["results"]
    assert [(each["slug"], each["role"]) for each in listed] == [
        (lakes.slug, None),
        (Campaign.objects.earliest("pk").slug, "admin"),
    ]
    entered = operator.client.post(f"/api/v1/campaigns/{lakes.slug}/entry")
    assert (entered.status_code, entered.json()["own"]["role"]) == (200, "admin")
    assert operator.client.get(f"/api/v1/campaigns/{lakes.slug}/members").status_code == 200


def test_a_token_for_one_campaign_enters_no_other(
    operator: ApiClient, admin: Membership, make_campaign: MakeCampaign
) -> None:
    lakes = make_campaign(slug="lakes")
    ApiToken.objects.update(campaign=admin.campaign)
    refused = operator.client.post(f"/api/v1/campaigns/{lakes.slug}/entry")
    assert (refused.status_code, operator.client.get("/api/v1/site/campaigns").status_code) == (
        *(404, 403),
    )
    assert not lakes.memberships.exists()


def test_existing_account_is_admitted_once(operator: ApiClient) -> None:
    caller = operator
    user = User.objects.create_user("fern")
    body = {"username": "fern", "account": "existing"}
    made = send(caller, "POST", "members", body)
    assert (made.status_code, made.json()["role"]) == (201, "rater")
    assert not {"password", "token"} & made.json().keys()
    again = send(caller, "POST", "members", {**body, "role": "admin"})
    assert (again.status_code, again.json()) == (
        409,
        {"detail": "this account is already a member", "field": "username"},
    )
    assert Membership.objects.get(user=user).role == "rater"
    assert send(caller, "POST", "members", {"username": "fern"}).status_code == 409


NO_MEMBERS: list[tuple[object, str | None]] = [
    ({}, "username"),
    ({"username": ""}, "username"),
    ({"username": "a b"}, "username"),
    ({"username": "x" * 151}, "username"),
    ({"username": "fern", "role": "owner"}, "role"),
    ({"username": "fern", "is_staff": True}, "is_staff"),
    ({"username": "fern", "password": "x"}, "password"),
    ([], None),
    ("fern", None),
]


def test_what_cannot_be_a_member_names_its_field(caller: ApiClient) -> None:
    for body, field in NO_MEMBERS:
        refused = send(caller, "POST", "members", body)
        assert (refused.status_code, refused.json().get("field")) == (400, field), body
    assert Membership.objects.count() == User.objects.count() == 1


SPELLINGS = ["ａｌｉｃｅ", "ﬁna", "Ångström"]  # full width, a ligature, a sign for a unit


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_name_is_stored_answered_and_refused_in_one_spelling(
    caller: ApiClient, operator: ApiClient, name: str
) -> None:
    plain = unicodedata.normalize("NFKC", name)
    made = send(caller, "POST", "members", {"username": name})
    assert (made.status_code, made.json()["username"], made.json()["name"]) == (201, plain, plain)
    assert User.objects.get(username=plain).check_password(made.json()["password"])
    subjects = AuditEntry.objects.filter(subject_kind="account").values_list("subject", flat=True)
    assert set(subjects) == {plain}
    for spelling in (name, plain):
        again = send(caller, "POST", "members", {"username": spelling})
        assert (again.status_code, again.json()["field"]) == (409, "username")
    admitted = send(operator, "POST", "members", {"username": name, "account": "existing"})
    assert admitted.json()["detail"] == "this account is already a member"


def test_a_name_that_is_none_in_its_one_spelling_is_refused(caller: ApiClient) -> None:
    for name in ("ﷺ", "ﷺ" * 20):  # 18 letters and blanks each
        refused = send(caller, "POST", "members", {"username": name})
        assert (refused.status_code, refused.json()["field"]) == (400, "username")


BREAKS = {
    "membership": "tasks.campaigns.workflow.campaign.add_member",
    "token": "tasks.models.ApiToken.issue",
    "audit entry": "tasks.campaigns.workflow.campaign.record",
    "answer": "tasks.people.api.members.MemberSerializer",
}


@pytest.mark.parametrize("what", BREAKS)
def test_a_new_member_is_made_whole_or_not_at_all(
    caller: ApiClient, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("it broke")

    before = [each.objects.count() for each in (User, ApiToken, Membership, AuditEntry)]
    monkeypatch.setattr(BREAKS[what], fail)
    assert send(caller, "POST", "members", {"username": "fern"}).status_code == 500
    assert [each.objects.count() for each in (User, ApiToken, Membership, AuditEntry)] == before


def test_account_that_is_not_there_is_named_to_operators(operator: ApiClient) -> None:
    refused = send(operator, "POST", "members", {"username": "nobody", "account": "existing"})
    assert (refused.status_code, refused.json()["field"]) == (400, "username")


def test_members_are_listed_page_by_page_and_filtered(
    caller: ApiClient, campaign: Campaign, admin: Membership, pine: Membership
) -> None:
    imported = Membership.objects.create(
        campaign=campaign, name="ann", pseudonym=pseudonym_of_import("secret", "ann")
    )
    Membership.objects.filter(pk=pine.pk).update(is_paused=True)

    def listed(query: str = "") -> list[int]:
        return [each["id"] for each in send(caller, "GET", f"members{query}").json()["results"]]

    assert listed() == [admin.pk, pine.pk, imported.pk]
    assert listed("?paused=true") == [pine.pk]
    assert listed("?role=admin&active=true") == [admin.pk]
    assert listed("?active=false") == []
    first = send(caller, "GET", "members?limit=2").json()
    assert [each["id"] for each in first["results"]] == [admin.pk, pine.pk]
    second = caller.client.get(first["next"]).json()
    assert [each["username"] for each in second["results"]] == [None]
    for query in ("?user__password=x", "?role=owner", "?active=perhaps", "?order=name"):
        assert send(caller, "GET", f"members{query}").status_code == 400, query


def test_member_is_changed_as_on_the_page(caller: ApiClient, pine: Membership) -> None:
    body = {"role": "researcher", "active": False, "paused": True, "quota": 7}
    changed = send(caller, "PATCH", f"members/{pine.pk}", body)
    assert changed.status_code == 200
    stored = {key: changed.json()[key] for key in body}
    assert (
        stored
        == body
        == {key: send(caller, "GET", f"members/{pine.pk}").json()[key] for key in body}
    )
    pine.refresh_from_db()
    assert (pine.role, pine.is_active, pine.is_paused, pine.quota) == ("researcher", False, True, 7)
    send(caller, "PATCH", f"members/{pine.pk}", {"active": True})
    send(caller, "PATCH", f"members/{pine.pk}", {"quota": None})
    pine.refresh_from_db()
    assert (pine.role, pine.is_active, pine.is_paused, pine.quota) == (
        "researcher",
        True,
        True,
        None,
    )


def test_nothing_else_of_a_member_changes(caller: ApiClient, pine: Membership) -> None:
    for field, value in (
        *(("pseudonym", "r-x"), ("user", 1), ("campaign", 1), ("is_active", False)),
        *(("role", "owner"), ("quota", -1), ("quota", 1 << 31)),
        *(("active", "perhaps"), ("active", None)),
    ):
        refused = send(caller, "PATCH", f"members/{pine.pk}", {"paused": True, field: value})
        assert (refused.status_code, refused.json()["field"]) == (400, field), value
    fresh = Membership.objects.get(pk=pine.pk)
    assert not fresh.is_paused


def test_last_admin_stays_and_nothing_of_the_call_is_done(
    caller: ApiClient, admin: Membership, campaign: Campaign
) -> None:
    for body in ({"quota": 3, "active": False}, {"paused": True, "role": "rater"}):
        refused = send(caller, "PATCH", f"members/{admin.pk}", body)
        assert (refused.status_code, refused.json()) == (
            409,
            {"detail": "a campaign keeps at least one active admin"},
        )
    fresh = Membership.objects.get(pk=admin.pk)
    assert (fresh.role, fresh.is_active, fresh.is_paused, fresh.quota) == (
        *("admin", True, False, None),
    )
    imported = Membership.objects.create(
        campaign=campaign, name="ann", pseudonym=pseudonym_of_import("secret", "ann")
    )
    assert send(caller, "PATCH", f"members/{imported.pk}", {"paused": True}).status_code == 409


def test_deactivated_member_is_out_with_all_tokens_until_let_back_in(
    caller: ApiClient, campaign: Campaign, pine: Membership, as_member: AsMember
) -> None:
    program = as_member(pine)
    assert program.claim(campaign.slug).status_code == 200
    send(caller, "PATCH", f"members/{pine.pk}", {"active": False})
    assert program.claim(campaign.slug).status_code == 404
    assert program.client.get("/api/v1/account").status_code == 200
    send(caller, "PATCH", f"members/{pine.pk}", {"active": True})
    assert program.claim(campaign.slug).status_code == 200


def test_invitation_lets_in_until_it_is_revoked(caller: ApiClient, campaign: Campaign) -> None:
    made = send(caller, "POST", "invitations", {"role": "researcher", "max_uses": 3, "note": "x"})
    assert made.status_code == 201
    body = made.json()
    link = body.pop("link")
    stored = find_invitation(link.rstrip("/").rpartition("/")[2], kind="account")  # type: ignore[arg-type]  # its value
    assert (stored.campaign, stored.role, stored.max_uses) == (campaign, "researcher", 3)
    assert stored.created_by is not None
    assert stored.created_by.username == "oak"
    listed = send(caller, "GET", "invitations").json()["results"]
    assert listed == [body]
    assert (body["uses"], body["kind"], body["note"]) == (0, "account", "x")
    path = f"invitations/{stored.pk}"
    assert [send(caller, "DELETE", path).status_code for _ in range(2)] == [204, 204]
    assert send(caller, "GET", "invitations").json()["results"] == []
    assert caller.client.get(link.removeprefix("http://testserver")).status_code == 410
    crowd = send(caller, "POST", "invitations", {"kind": "crowd"}).json()
    assert "/crowd/" in crowd["link"]


NO_INVITATIONS: list[tuple[object, str | None]] = [
    ({"kind": "crowd", "role": "admin"}, "role"),
    ({"days": 0}, "days"),
    ({"days": 367}, "days"),
    ({"max_uses": 0}, "max_uses"),
    ({"digest": "x"}, "digest"),
    ({"expires_at": "2999-01-01"}, "expires_at"),
    ({"note": "x" * 201}, "note"),
]


def test_what_cannot_be_an_invitation_names_its_field(caller: ApiClient) -> None:
    for body, field in NO_INVITATIONS:
        refused = send(caller, "POST", "invitations", body)
        assert (refused.status_code, refused.json()["field"]) == (400, field), body
    assert not Invitation.objects.exists()


def test_ratings_are_set_aside_with_a_deactivation_alone(
    caller: ApiClient, pine: Membership
) -> None:
    assert rate_next(pine)
    refused = send(caller, "PATCH", f"members/{pine.pk}", {"set_aside": "Clicked through."})
    assert (refused.status_code, refused.json()["field"]) == (400, "set_aside")
    wanted = {"active": False, "set_aside": "Clicked through."}
    assert send(caller, "PATCH", f"members/{pine.pk}", wanted).json()["active"] is False
    assert SetAside.objects.get().rater == pine
    # whoever has no ratings is deactivated all the same
    assert send(caller, "PATCH", f"members/{pine.pk}", {"active": True}).status_code == 200
    assert send(caller, "PATCH", f"members/{pine.pk}", wanted).json()["active"] is False
