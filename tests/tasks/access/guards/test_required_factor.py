"""Sites that require a second factor: of whom, and what is there before it."""

from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tasks.access.guards.required_factor import FACTOR_FIRST
from tasks.campaigns.workflow.lives import delete_campaign
from tasks.models import ApiToken, Campaign, CrowdVisit, Membership, User
from tests.factories import PASSWORD
from tests.tasks.access.pages.test_two_factor import PAGE, code_of, confirmation, switch_on
from tests.tasks.browsers import signed_in

RATE = "/c/rivers/rate/"


def is_led_there(who: Membership | User) -> bool:
    answer = signed_in(who).get("/")
    return answer.status_code == HTTPStatus.FOUND and answer["Location"] == PAGE


@pytest.mark.parametrize(
    ("required", "led"),
    [
        ("optional", [False, False, False, False]),
        ("staff", [False, False, True, True]),
        ("everybody", [True, True, True, True]),
    ],
)
def test_the_setting_says_of_whom(
    rater: Membership,
    researcher: Membership,
    admin: Membership,
    operator: User,
    settings: Settings,
    required: str,
    led: list[bool],
) -> None:
    settings.SECOND_FACTOR = required
    assert [is_led_there(who) for who in (rater, researcher, admin, operator)] == led


def test_an_admin_who_has_left_or_whose_campaign_is_deleted_is_none(
    admin: Membership, campaign: Campaign, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "staff"
    Membership.objects.filter(pk=admin.pk).update(is_active=False)
    assert not is_led_there(admin)
    Membership.objects.filter(pk=admin.pk).update(is_active=True)
    assert is_led_there(admin)
    delete_campaign(campaign=campaign, title=campaign.title)
    assert not is_led_there(admin)


def test_who_has_no_password_is_left_alone(rater: Membership, settings: Settings) -> None:
    settings.SECOND_FACTOR = "everybody"
    assert rater.user is not None
    rater.user.set_unusable_password()
    rater.user.save()
    CrowdVisit.objects.create(campaign=rater.campaign, membership=rater, participant="5f1e")
    assert signed_in(rater).get(RATE).status_code == HTTPStatus.OK
    assert claim(rater.user) == (HTTPStatus.OK, None)


def claim(user: User) -> tuple[int, str | None]:
    headers = {"Authorization": f"Token {ApiToken.issue(user)}"}
    answer = Client().post("/api/v1/campaigns/rivers/claim", headers=headers)
    return answer.status_code, answer.json().get("detail")


def test_who_has_none_sets_one_up_and_goes_on_to_what_they_asked_for(
    rater: Membership, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "everybody"
    client = Client()
    body = {"username": "pine", "password": PASSWORD, "next": RATE}
    page = client.post("/login/", body, follow=True)
    assert page.redirect_chain == [(RATE, 302), (PAGE, 302)]
    assert "This site requires a second factor of you." in " ".join(page.content.decode().split())
    client.post(PAGE, {"action": "begin", "password": PASSWORD})
    assert rater.user is not None
    done = client.post(PAGE, confirmation(code_of(rater.user)))
    assert len(done.context["codes"]) == 8
    assert f'href="{RATE}"' in done.content.decode()
    assert "This site requires" not in done.content.decode()
    assert client.get(RATE).status_code == HTTPStatus.OK


def test_nothing_else_is_there_before(admin: Membership, settings: Settings) -> None:
    settings.SECOND_FACTOR = "staff"
    client = signed_in(admin)
    for page in ("/account/", RATE, "/c/rivers/settings/", "/password/", "/admin/"):
        assert client.get(page)["Location"] == PAGE
        assert client.post(page)["Location"] == PAGE
    called = client.get("/api/v1/account")
    assert (called.status_code, called.json()) == (403, {"detail": FACTOR_FIRST})
    script = client.get(RATE, headers={"x-requested-with": "fetch"})
    assert script.status_code == HTTPStatus.UNAUTHORIZED
    for page in (PAGE, "/docs/", "/healthz"):
        assert client.get(page).status_code == HTTPStatus.OK
    assert client.post("/logout/")["Location"] == "/login/"


def test_tokens_are_refused_before_and_good_after(
    rater: Membership, admin: Membership, settings: Settings
) -> None:
    settings.SECOND_FACTOR = "staff"
    assert rater.user is not None
    assert admin.user is not None
    assert claim(rater.user) == (HTTPStatus.OK, None)
    assert claim(admin.user) == (HTTPStatus.FORBIDDEN, FACTOR_FIRST)
    switch_on(admin)
    assert claim(admin.user) == (HTTPStatus.OK, None)


@pytest.mark.parametrize("required", ["staff", "everybody"])
def test_it_costs_no_statement(rater: Membership, settings: Settings, required: str) -> None:
    switch_on(rater)
    client = signed_in(rater)
    client.get(RATE)

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(RATE).status_code == HTTPStatus.OK
        return len(queries)

    before = statements()
    settings.SECOND_FACTOR = required
    assert statements() == before


def test_admins_see_who_has_one(admin: Membership, rater: Membership) -> None:
    switch_on(rater)
    client = signed_in(admin)
    page = client.get("/c/rivers/settings/members/").context["page"]
    assert {each.name: each.has_second_factor for each in page} == {"oak": False, "pine": True}
    listed = client.get("/api/v1/campaigns/rivers/members").json()["results"]
    assert {each["name"]: each["second_factor"] for each in listed} == {"oak": False, "pine": True}
