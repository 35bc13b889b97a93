"""Tokens on the page of the account: shown once, good for what was chosen, revoked."""

import re
from http import HTTPStatus

import pytest
from django.test import Client

from tasks.models import ApiToken, Membership, User
from tests.factories import PASSWORD, make_campaign, make_member
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


NEW = {"name": "the lab's <script>", "scopes": ["read", "rate"], "campaign": "rivers", "days": 30}


def test_token_is_made_shown_once_and_works(rater: Membership, user: User) -> None:
    client = signed_in(rater)
    made = client.post("/account/tokens/", {**NEW, "password": PASSWORD})
    found = re.search(r'id="new-key">(\w+)<', made.content.decode())
    assert (made.status_code, bool(found)) == (HTTPStatus.OK, True)
    assert found is not None
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.scopes, token.digest) == (
        *(user, NEW["name"], ["read", "rate"], ApiToken.digest_of(found[1])),
    )
    assert token.campaign is not None
    assert (token.campaign.slug, token.expires_at is not None) == ("rivers", True)
    page = client.get("/account/").content.decode()
    assert found[1] not in page
    assert "the lab&#x27;s &lt;script&gt;" in page
    assert "Rivers" in page
    program = Client(headers={"Authorization": f"Token {found[1]}"})
    assert program.post("/api/v1/campaigns/rivers/claim").status_code == HTTPStatus.OK
    client.post(f"/account/tokens/{token.pk}/revoke/", {"password": PASSWORD})
    assert program.post("/api/v1/campaigns/rivers/claim").status_code == HTTPStatus.UNAUTHORIZED


WRONG: list[tuple[dict[str, object], str]] = [
    ({"password": "guess"}, "password"),
    ({"password": ""}, "password"),
    ({"name": ""}, "name"),
    ({"scopes": []}, "scopes"),
    ({"scopes": ["admin"]}, "scopes"),
    ({"campaign": "lakes"}, "campaign"),
    ({"days": 0}, "days"),
]


def test_form_says_what_is_wrong_and_makes_nothing(rater: Membership) -> None:
    make_campaign("lakes")
    client = signed_in(rater)
    for changes, field in WRONG:
        refused = client.post("/account/tokens/", {**NEW, "password": PASSWORD, **changes})
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert list(refused.context["token_form"].errors) == [field]
        assert not refused.context["form"].is_bound
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("given", [{}, {"password": ""}, {"password": "guess"}])
def test_token_ends_with_the_password_alone(user: User, given: dict[str, str]) -> None:
    ApiToken.issue(user)
    token = ApiToken.objects.get()
    client = signed_in(user)
    asked = client.post(f"/account/tokens/{token.pk}/revoke/", given)
    assert asked.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Nothing has changed yet." in asked.content.decode()
    call = f"/api/v1/tokens/{token.pk}"
    refused = client.delete(call, given, content_type="application/json")
    assert (refused.status_code, refused.json()["field"]) == (HTTPStatus.BAD_REQUEST, "password")
    assert ApiToken.objects.exists()
    right = {"password": PASSWORD}
    assert client.delete(call, right, content_type="application/json").status_code == 204
    assert not ApiToken.objects.exists()


def test_nobody_sees_or_revokes_anothers_token(rater: Membership, user: User) -> None:
    ApiToken.issue(user)
    token = ApiToken.objects.get()
    other = signed_in(make_member(make_campaign("lakes"), "admin", "lily"))
    assert list(other.get("/account/").context["tokens"]) == []
    refused = other.post(f"/account/tokens/{token.pk}/revoke/")
    assert refused.status_code == HTTPStatus.NOT_FOUND
    assert ApiToken.objects.exists()
