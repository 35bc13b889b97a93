"""Callers, their campaigns and tokens; and that no token makes one that can do more."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from tasks.models import ApiToken, Campaign, LoginAttempts, Membership
from tests.factories import PASSWORD
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def member(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak")


@pytest.fixture
def caller(member: Membership, as_member: AsMember) -> ApiClient:
    return as_member(member)


def limit(**fields: object) -> ApiToken:
    """Limit the caller's token, which is the first."""
    ApiToken.objects.filter(pk=ApiToken.objects.earliest("pk").pk).update(**fields)
    return ApiToken.objects.earliest("pk")


def get(caller: ApiClient, path: str) -> Any:
    return caller.client.get(f"/api/v1/{path}")


def make(caller: ApiClient, **body: object) -> Any:
    return caller.client.post("/api/v1/tokens", body, content_type="application/json")


def test_account_says_who_calls_and_by_what(caller: ApiClient, member: Membership) -> None:
    token = ApiToken.objects.get()
    body = get(caller, "account").json()
    assert body["token"].pop("created_at")
    assert body == {
        "username": "oak",
        "is_operator": False,
        "message_mails": "none",
        "language": "",
        "token": {
            "id": token.pk,
            "name": "",
            "scopes": ["read", "rate", "write"],
            "campaign": None,
            "expires_at": None,
        },
    }
    assert signed_in(member).get("/api/v1/account").json()["token"] is None


def test_campaigns_are_those_of_the_caller_that_the_token_is_good_for(
    caller: ApiClient,
    campaign: Campaign,
    member: Membership,
    make_campaign: MakeCampaign,
    make_member: MakeMember,
) -> None:
    other, left, _foreign = (make_campaign(items=1) for _ in range(3))
    make_member(other, "oak", "admin")
    gone = make_member(left, "oak")
    Membership.objects.filter(pk=gone.pk).update(is_active=False)
    Membership.objects.filter(pk=member.pk).update(is_paused=True)
    found = get(caller, "campaigns").json()
    shown = [(each["slug"], each["role"], each["paused"]) for each in found["results"]]
    assert shown == [(other.slug, "admin", False), (campaign.slug, "rater", True)]
    limit(campaign=campaign)
    [one] = get(caller, "campaigns").json()["results"]
    assert one == {
        "slug": campaign.slug,
        "title": campaign.title,
        "protocol": "ae",
        "state": campaign.state,
        "role": "rater",
        "paused": True,
    }


@pytest.mark.parametrize("path", ["campaigns", "tokens"])
def test_lists_take_declared_parameters_only(caller: ApiClient, path: str) -> None:
    expected = {
        "user__password=x": 400,
        "ordering=digest": 400,
        "limit=0": 400,
        "limit=501": 400,
        "limit=1": 200,
        "cursor=%00": 400,
        "cursor=cD1hYmM=": 400,  # p=abc
        "cursor=cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk=": 200,  # p=999…
        "cursor=x": 400,
    }
    assert {query: get(caller, f"{path}?{query}").status_code for query in expected} == expected


def test_token_makes_one_as_good_as_itself_that_works(caller: ApiClient) -> None:
    made = make(caller, name="spare")
    assert made.status_code == 201
    key = made.json()["key"]
    assert ApiToken.objects.latest("pk").digest == ApiToken.digest_of(key)
    program = Client(headers={"Authorization": f"Token {key}"})
    answered = program.get("/api/v1/account")
    assert answered.json()["token"]["name"] == "spare"


def test_new_token_ends_after_its_days(caller: ApiClient) -> None:
    made = make(caller, days=7, scopes=["rate", "read"]).json()
    token = ApiToken.objects.get(pk=made["id"])
    assert token.expires_at is not None
    assert abs(token.expires_at - timezone.now() - timedelta(days=7)) < timedelta(hours=1)
    assert token.scopes == made["scopes"] == ["read", "rate"]


@pytest.mark.parametrize(
    ("limits", "body", "field"),
    [
        ({"scopes": ["read", "write"]}, {"scopes": ["rate"]}, "scopes"),
        ({"scopes": ["write"]}, {"scopes": ["write", "read"]}, "scopes"),
        ({"campaign": True}, {"campaign": None}, "campaign"),
        ({"campaign": True}, {"campaign": "campaign-2"}, "campaign"),
        ({"expires_at": Now() + timedelta(days=5)}, {"days": 6}, "days"),
        ({"expires_at": Now() + timedelta(days=5)}, {}, "days"),
    ],
)
def test_token_makes_none_that_can_do_more(
    caller: ApiClient,
    campaign: Campaign,
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    limits: dict[str, object],
    body: dict[str, object],
    field: str,
) -> None:
    make_member(make_campaign(items=1), "oak")
    limit(**({**limits, "campaign": campaign} if "campaign" in limits else limits))
    refused = make(caller, **body)
    assert (refused.status_code, refused.json()["field"]) == (403, field)
    assert ApiToken.objects.count() == 1


def test_token_makes_one_within_its_limits(caller: ApiClient, campaign: Campaign) -> None:
    limit(campaign=campaign, scopes=["write"], expires_at=Now() + timedelta(days=5))
    made = make(caller, days=4).json()
    assert (made["campaign"], made["scopes"]) == (campaign.slug, ["write"])
    assert make(caller, days=4, campaign=campaign.slug).status_code == 201


NO_TOKENS: list[tuple[dict[str, object], str]] = [
    ({"scopes": []}, "scopes"),
    ({"scopes": ["admin"]}, "scopes"),
    ({"days": 0}, "days"),
    ({"campaign": "campaign-9"}, "campaign"),
    ({"user": 1}, "user"),
    ({"digest": "x"}, "digest"),
    ({"name": "x" * 101}, "name"),
]


def test_what_cannot_be_a_token_names_its_field(caller: ApiClient) -> None:
    for body, field in NO_TOKENS:
        refused = make(caller, **body)
        assert (refused.status_code, refused.json().get("field")) == (400, field), body
    assert ApiToken.objects.count() == 1


def test_session_makes_a_token_with_the_password_only(member: Membership) -> None:
    assert member.user is not None
    member.user.set_password(PASSWORD)
    member.user.save()
    browser = signed_in(member)

    def make(body: dict[str, str]) -> int:
        answer = browser.post("/api/v1/tokens", body, content_type="application/json")
        status: int = answer.status_code
        return status

    found = [make(body) for body in ({}, *[{"password": "wrong"}] * 10)]
    assert (found, make({"password": PASSWORD})) == ([400] * 10 + [429], 429)
    assert not ApiToken.objects.exists()
    LoginAttempts.objects.all().delete()
    assert make({"password": PASSWORD}) == 201
    assert ApiToken.objects.get().scopes == ["read", "rate", "write"]


def test_token_sees_and_revokes_what_is_its_users_and_of_its_campaign(
    caller: ApiClient, campaign: Campaign, make_member: MakeMember
) -> None:
    foreign = make_member(campaign, "fern").user
    assert foreign is not None
    ApiToken.issue(foreign)
    others = ApiToken.objects.latest("pk")
    wide = make(caller).json()["id"]
    narrow = make(caller, campaign=campaign.slug).json()["id"]
    gone = make(caller).json()["id"]
    ApiToken.objects.filter(pk=gone).update(expires_at=Now())
    own = limit(campaign=campaign)
    listed = get(caller, "tokens").json()["results"]
    assert [token["id"] for token in listed] == [narrow, own.pk]
    assert not {"key", "digest", "user"} & listed[0].keys()

    def revoke(token: int) -> int:
        status: int = caller.client.delete(f"/api/v1/tokens/{token}").status_code
        return status

    assert [revoke(token) for token in (others.pk, wide, narrow, narrow, own.pk, own.pk)] == [
        *(404, 404, 204, 404, 204, 401),
    ]
    assert set(ApiToken.objects.values_list("pk", flat=True)) == {others.pk, wide, gone}
