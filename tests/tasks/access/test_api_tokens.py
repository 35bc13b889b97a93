"""The rights of a token: within its scopes, in its campaign, until it expires or is revoked."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from tasks import api_urls as api
from tasks.access.guards.tokens import HasScope, InItsCampaign
from tasks.models import ApiToken, Campaign, Membership, Scope, User
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember

INVALID = (401, {"detail": "invalid token"})


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2)


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "admin")


def answer(response: Any) -> tuple[int, Any]:
    return response.status_code, response.json()


def limited(caller: ApiClient, **fields: object) -> None:
    """Give the caller's token, the newest there is, other limits."""
    newest = ApiToken.objects.latest("pk")
    ApiToken.objects.filter(pk=newest.pk).update(**fields)


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        (["read"], [403, 403, 200, 403]),
        (["rate"], [200, 201, 403, 403]),
        (["write"], [403, 403, 403, 404]),
        (["read", "rate", "write"], [200, 201, 200, 404]),
        ([], [403, 403, 403, 403]),
    ],
)
def test_token_does_what_its_scopes_say(
    campaign: Campaign,
    admin: Membership,
    as_member: AsMember,
    scopes: list[str],
    expected: list[int],
) -> None:
    caller = as_member(admin)
    work = caller.claim(campaign.slug).json()["assignment"]
    limited(caller, scopes=scopes)
    withdrawal = f"/api/v1/campaigns/{campaign.slug}/releases/1.0.0/withdrawal"
    found = [
        caller.claim(campaign.slug),
        caller.rate(work, EQUIVALENT),
        caller.get(f"{campaign.slug}/agreement"),
        caller.client.post(withdrawal, {"reason": "x"}, content_type="application/json"),
    ]
    assert [response.status_code for response in found] == expected
    missing = {"detail": "required scope of the token: rate"}
    assert Scope.RATE in scopes or found[0].json() == missing


@pytest.mark.parametrize("kind", ["unknown", "revoked", "expired", "left", "empty"])
def test_no_answer_says_why_a_token_is_invalid(
    campaign: Campaign, admin: Membership, as_member: AsMember, kind: str
) -> None:
    caller = as_member(admin)
    if kind == "unknown":
        caller.client = Client(headers={"Authorization": f"Token {'0' * 40}"})
    if kind == "empty":
        caller.client = Client(headers={"Authorization": "Token "})
    if kind == "revoked":
        ApiToken.objects.all().delete()
    if kind == "expired":
        limited(caller, expires_at=Now())
    if kind == "left":
        User.objects.filter(memberships=admin).update(is_active=False)
    refused = caller.claim(campaign.slug)
    assert answer(refused) == INVALID
    assert refused["WWW-Authenticate"] == "Token"


def test_token_is_good_until_it_expires(
    campaign: Campaign, admin: Membership, as_member: AsMember
) -> None:
    caller = as_member(admin)
    limited(caller, expires_at=Now() + timedelta(seconds=30))
    assert caller.claim(campaign.slug).status_code == 200


def test_every_operation_asks_for_a_scope_and_the_campaign() -> None:
    without = [
        pattern.name
        for pattern in api.urlpatterns
        if not {HasScope, InItsCampaign} <= set(pattern.callback.cls.permission_classes)  # type: ignore[attr-defined]  # set by `@api_view`
    ]
    assert without == ["api-schema"]


def test_schema_names_the_scope_of_every_operation(client: Client) -> None:
    paths = client.get("/api/schema?format=json").json()["paths"]
    scopes = {
        operation["operationId"]: scope
        for path in paths.values()
        for operation in path.values()
        for requirement in operation["security"]
        for scope in requirement.get("token", [])
    }
    assert {scopes["claim"], scopes["submit_rating"]} == {"rate"}
    assert (scopes["agreement"], scopes["adjudications"], scopes["adjudicate"]) == (
        *("read", "read", "write"),
    )
