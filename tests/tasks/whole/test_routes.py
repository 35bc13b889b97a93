"""Every address of the site x method x person: who is let in, and how the others are sent away.

The addresses come from the URL configuration. One without a row here fails, so that whoever adds an
address has to say who may use it.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from tasks.access.workflow import make_token
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Membership, SchedulerTick, User
from tasks.people.workflow.members import enter_as_operator
from tests.factories import make_campaign, make_member, make_user
from tests.sampling import IS_WHOLE
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import (
    ALL_METHODS,
    ANYBODY,
    BOTH,
    LET_IN,
    MEMBERS,
    OPERATORS,
    OPERATORS_LOGIN,
    PEOPLE,
    ROWS,
    USERS,
    Row,
    addresses,
    filled,
    status,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def people(
    rater: Membership, researcher: Membership, admin: Membership, stranger: User
) -> dict[str, Client]:
    former = make_member(rater.campaign, "admin", "reed")
    Membership.objects.filter(pk=former.pk).update(is_active=False)
    elsewhere = make_member(make_campaign("lakes"), "admin", "lily")
    # /readyz is asked for the last time when the test has gone on for a while
    SchedulerTick.objects.create(seen_at=Now() + timedelta(hours=1))
    operators = [make_user(name, is_staff=True, is_superuser=True) for name in ("yew", "ivy")]
    enter_as_operator(campaign=rater.campaign, user=operators[1])
    return {
        "nobody": Client(),
        "stranger": signed_in(stranger),
        "elsewhere": signed_in(elsewhere),
        "former": signed_in(former),
        "rater": signed_in(rater),
        "researcher": signed_in(researcher),
        "admin": signed_in(admin),
        "operator": signed_in(operators[0]),
        "entered": signed_in(operators[1]),
    }


def row_of(name: str) -> Row:
    assert name in ROWS, f"{name}: ROWS of routes.py lacks a row for it, which says who is let in"
    return ROWS[name]


def verdict(who: str, method: str, address: str, row: Row, found: tuple[int, str]) -> bool:
    """Whether the answer is the one that the row means."""
    code, location = found
    to_login = code == 302 and location.startswith("/login/?next=")
    if method not in row.methods:
        return code == 405 or (who == "nobody" and (code == 401 or to_login))
    if row.admits(who, method):
        return code in LET_IN and not to_login
    if who == "nobody":
        return code == 401 if address.startswith("/api/") else to_login
    if who == "operator" and method == "GET" and address.startswith("/c/"):
        return (code, location) == (302, f"/c/{address.split('/')[2]}/enter/")
    if address.startswith(("/c/", "/api/v1/campaigns/")) and who in USERS - MEMBERS:
        return code == 404
    if address.endswith(("/enter/", "/entry")):
        return code == 404  # there is no such door for members who are no operators
    return code == 403


def asked_of(row: Row, method: str) -> Sequence[str]:
    """Everybody, or where all behaviour is run once those on either side of the row's edge."""
    if IS_WHOLE:
        return PEOPLE
    first = next(place for place, who in enumerate(PEOPLE) if row.admits(who, method))
    beside = {"nobody", "elsewhere", PEOPLE[max(first - 1, 0)], PEOPLE[first]}
    return [who for who in PEOPLE if who in beside]


def methods_of(row: Row, others: Sequence[str]) -> Sequence[str]:
    """Those of the row, and of the others all but where all behaviour is run once."""
    return [*row.methods, *(each for each in others if IS_WHOLE and each not in row.methods)]


def test_every_address_lets_in_whom_it_should_and_nobody_else(
    people: dict[str, Client], rater: Membership
) -> None:
    logging.disable(logging.WARNING)
    try:
        wrong = [
            (name, method, who, found)
            for name, pattern in addresses()
            if name != OPERATORS_LOGIN
            for address in [filled(pattern, rater)]
            for method in methods_of(row_of(name), BOTH)
            for who in asked_of(row_of(name), method)
            for found in [status(people[who], method, address)]
            if not verdict(who, method, address, row_of(name), found)
        ]
    finally:
        logging.disable(logging.NOTSET)
    assert not wrong, wrong


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    names = [name for name, _ in addresses()]
    assert sorted(names) == sorted([*ROWS, OPERATORS_LOGIN])


@pytest.mark.thorough
def test_no_address_does_anything_by_other_methods_than_its_row_says(
    people: dict[str, Client], rater: Membership
) -> None:
    logging.disable(logging.WARNING)
    try:
        wrong = [
            (name, method, found)
            for name, pattern in addresses()
            if name != OPERATORS_LOGIN
            for method in sorted(set(ALL_METHODS) - set(row_of(name).methods) - set(BOTH))
            for found in [status(people["admin"], method, filled(pattern, rater))[0]]
            # some look first whether there is anything, or send who is signed in home
            if found not in (404, 405) and (name, found) != ("login", 302)
        ]
    finally:
        logging.disable(logging.NOTSET)
    assert not wrong, wrong


BEYOND = {"detail": "this token is limited to another campaign"}
WITHIN = {"api-account": ("GET",), "api-tokens": BOTH, "api-token": ("DELETE",)}
WITHIN |= {"api-campaigns": ("GET",), "api-schema": ("GET",)}
WITHIN |= {"api-inbox": ("GET",), "api-inbox-read": ("POST",)}
"""The calls without a campaign in their address that answer a token of one campaign about that
alone."""


def by_token(member: Membership, campaign: Campaign) -> Client:
    """A program with a token of a site's operator for one campaign."""
    assert member.user is not None
    User.objects.filter(pk=member.user.pk).update(is_staff=True)
    _token, key = make_token(user=member.user, campaign=campaign)
    return Client(headers={"Authorization": f"Token {key}"})


def told(client: Client, method: str, address: str) -> tuple[int, bool]:
    """The status, and whether that is because the token is for one campaign only."""
    with transaction.atomic():
        response = client.generic(method, address)
        transaction.set_rollback(True)
    is_json = response.headers.get("Content-Type", "") == "application/json"
    return response.status_code, is_json and response.json() == BEYOND


def test_a_token_of_one_campaign_reaches_nothing_else(admin: Membership, rater: Membership) -> None:
    """The admin of both campaigns, who is an operator as well, asks by a token of the other."""
    lakes = make_campaign("lakes")
    assert admin.user is not None
    add_member(campaign=lakes, user=admin.user, role="admin")
    here, elsewhere = (by_token(admin, each) for each in (rater.campaign, lakes))
    logging.disable(logging.WARNING)
    wrong: list[tuple[str, str, object]] = []
    try:
        for name, pattern in addresses():
            if not name.startswith("api-"):
                continue
            address = filled(pattern, rater)
            is_of_campaign = "<slug:slug>" in pattern or "assignment_id" in pattern
            for method in methods_of(row_of(name), ALL_METHODS):
                found = told(elsewhere, method, address)
                is_open = method in WITHIN.get(name, ()) or (name in WITHIN and found[0] == 405)
                if is_of_campaign and found != (404, False):
                    wrong.append((name, method, found))
                if not is_of_campaign and not is_open and found != (403, True):
                    wrong.append((name, method, found))
                if is_open and found[1]:
                    wrong.append((name, method, found))
                if is_of_campaign and told(here, method, address)[1]:
                    wrong.append((name, method, "its own campaign"))
    finally:
        logging.disable(logging.NOTSET)
    assert not wrong, wrong


def test_djangos_admin_lets_nobody_in_but_operators(people: dict[str, Client]) -> None:
    logging.disable(logging.WARNING)
    try:
        for address in ("/admin/", "/admin/tasks/rating/", "/admin/tasks/user/add/"):
            for who in OPERATORS:
                assert status(people[who], "GET", address) == (200, "")
            for who in ANYBODY - OPERATORS:
                code, location = status(people[who], "GET", address)
                assert code == 302, (address, who, code)
                assert location.startswith("/admin/login/"), (address, who, location)
        assert status(people["nobody"], "GET", f"/{OPERATORS_LOGIN}")[1].startswith("/login/")
        for who in USERS - OPERATORS:
            assert status(people[who], "GET", f"/{OPERATORS_LOGIN}")[0] == 403
    finally:
        logging.disable(logging.NOTSET)
