"""The body of a call is declared field by field; one that cannot be read is refused, never a
crash."""

import pytest

from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.calls import answer, call
from tests.tasks.conftest import MakeCampaign, MakeMember


@pytest.fixture
def admin(make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(make_campaign(items=1), role="admin"))


WRONG: list[tuple[object, str | None]] = [
    ({"colour": "red"}, "colour"),
    ({"title": "a\0b"}, "title"),
    ({"title": "\ud800"}, "title"),
    ({"title": ["a"]}, "title"),
    ({"title": ""}, "title"),
    ({"state": "closed"}, "state"),
    ({"overlap": 10**30}, "overlap"),
    ({"overlap": 0}, "overlap"),
    ({"rater_quota": -1}, "rater_quota"),
    ({"rater_quota": 10**30}, "rater_quota"),
    ({"suggestion_matcher": "oracle"}, "suggestion_matcher"),
    ({"slug": "other"}, "slug"),
    ({"protocol": "cap"}, "protocol"),
    ([], None),
    ("text", None),
    (7, None),
]


def test_a_wrong_body_is_400_and_names_the_field(admin: ApiClient) -> None:
    for body, field in WRONG:
        status, told = answer(admin, "PATCH", "campaigns/campaign-1", body)
        assert (status, told.get("field")) == (400, field), body


def test_a_field_that_is_half_a_pair_is_named_in_what_can_be_sent(admin: ApiClient) -> None:
    status, told = answer(admin, "PATCH", "campaigns/campaign-1", {"\ud800": 1})
    assert (status, told["field"]) == (400, "\\ud800")


def test_what_is_no_json_is_400(admin: ApiClient) -> None:
    for text in ("[" * 100_000, "{", "\xff", '{"title": NaN}', "9" * 5000):
        response = admin.client.generic(
            "PATCH",
            "/api/v1/campaigns/campaign-1",
            text.encode("latin-1"),
            content_type="application/json",
        )
        assert response.status_code == 400, text[:20]


def test_a_body_that_is_too_large_is_not_read(admin: ApiClient) -> None:
    body = {"title": "x" * (3 << 20)}
    assert call(admin, "PATCH", "campaigns/campaign-1", body).status_code == 413


@pytest.mark.parametrize(
    "address",
    [
        "assignments/{id}/draft",
        "campaigns/campaign-1/items/{id}",
        "campaigns/campaign-1/jobs/{id}",
        "campaigns/campaign-1/jobs/{id}/failures",
        "campaigns/campaign-1/guidelines/{id}",
    ],
)
def test_a_number_larger_than_any_is_404(admin: ApiClient, address: str) -> None:
    for number in (2**31, 2**63, 10**40):
        assert call(admin, "GET", address.format(id=number)).status_code == 404


def test_a_parameter_that_is_not_declared_is_400(admin: ApiClient) -> None:
    status, told = answer(admin, "GET", "campaigns/campaign-1/items?item_systems__system=1")
    assert (status, told["field"]) == (400, "item_systems__system")
