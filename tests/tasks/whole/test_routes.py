"""Every address of the site x method x person: who is let in, and how the others are sent away.

The addresses come from the URL configuration. One without a row here fails, so that whoever adds an
address has to say who may use it.
"""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tasks.access.workflow.tokens import make_token
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Membership, SchedulerTick, User
from tasks.people.workflow.members import enter_as_operator
from tests.factories import make_campaign, make_member, make_user
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow


PEOPLE = (
    *("nobody", "stranger", "elsewhere", "former", "rater", "researcher", "admin"),
    *("operator", "entered"),  # of the site: in no campaign, and come in as admin
)
ANYBODY = frozenset(PEOPLE)
USERS = ANYBODY - {"nobody"}
MEMBERS = frozenset({"rater", "researcher", "admin", "entered"})
RESULTS = frozenset({"researcher", "admin", "entered"})
ADMINS = frozenset({"admin", "entered"})
OPERATORS = frozenset({"operator", "entered"})
ENTERED = frozenset({"entered"})
STAFF_ADMINS = ENTERED  # who copies a campaign starts one, and is its admin

READ, WRITE, BOTH = ("GET",), ("POST",), ("GET", "POST")
PUT, PATCH = ("GET", "PUT"), ("GET", "PATCH")
ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Row(NamedTuple):
    """Who may use an address by which methods; `changers` where fewer may change than read."""

    people: frozenset[str]
    methods: tuple[str, ...]
    changers: frozenset[str] | None = None

    def admits(self, who: str, method: str) -> bool:
        people = self.people if method == "GET" or self.changers is None else self.changers
        return who in people


ROWS = {
    "healthz": Row(ANYBODY, ALL_METHODS),
    "readyz": Row(ANYBODY, ALL_METHODS),
    "language": Row(ANYBODY, ALL_METHODS),
    "api-schema": Row(ANYBODY, READ),
    "login": Row(ANYBODY, (*BOTH, "PUT")),
    "login-code": Row(ANYBODY, BOTH),
    "logout": Row(ANYBODY, WRITE),
    "password_reset": Row(ANYBODY, BOTH),
    "password_reset_done": Row(ANYBODY, READ),
    "password_reset_complete": Row(ANYBODY, READ),
    "password_reset_confirm": Row(ANYBODY, ALL_METHODS),  # a link that is not valid says so
    "join-form": Row(ANYBODY, BOTH),
    "join": Row(ANYBODY, READ),
    "crowd": Row(ANYBODY, READ),
    "home": Row(USERS, READ),
    "personal-invitation": Row(USERS, WRITE),  # of one's own
    "find": Row(USERS, READ),
    "documents": Row(ANYBODY, READ),
    "document": Row(ANYBODY, READ),
    "document-image": Row(ANYBODY, READ),
    "demo-load": Row(OPERATORS, WRITE),
    "account": Row(USERS, BOTH),
    "message-mails": Row(USERS, WRITE),
    "inbox": Row(USERS, READ),
    "inbox-mark": Row(USERS, WRITE),
    "inbox-stop-mails": Row(ANYBODY, BOTH),  # whoever has the link of a mail
    "token-new": Row(USERS, WRITE),
    "token-revoke": Row(USERS, WRITE),
    "session-end": Row(USERS, WRITE),
    "sessions-end": Row(USERS, WRITE),
    "two-factor": Row(USERS, BOTH),
    "two-factor-qr": Row(USERS, READ),
    "password_change": Row(USERS, (*BOTH, "PUT")),
    "password_change_done": Row(USERS, READ),
    "campaign-new": Row(OPERATORS, BOTH),
    "campaign-enter": Row(OPERATORS, BOTH),
    "campaigns-deleted": Row(USERS, READ),
    "campaign-restore": Row(USERS, WRITE),  # of those whose admin one is
    "api-deleted-campaigns": Row(USERS, READ),
    "api-campaign-restoration": Row(USERS, WRITE),
    "api-campaign-copies": Row(STAFF_ADMINS, WRITE),
    "api-campaign-archive": Row(ADMINS, WRITE),
    "api-campaign-reopen": Row(ADMINS, WRITE),
    "api-campaign-deletion": Row(ADMINS, WRITE),
    "api-invitation-mails": Row(ADMINS, BOTH),
    "api-invitation-mail": Row(ADMINS, ("GET", "DELETE")),
    "api-invitation-mail-again": Row(ADMINS, WRITE),
    "api-site-campaigns": Row(OPERATORS, READ),
    "api-campaign-enter": Row(OPERATORS, WRITE),
    "api-account": Row(USERS, PATCH),
    "api-inbox": Row(USERS, READ),
    "api-inbox-entry": Row(USERS, ("PATCH",)),
    "api-inbox-read": Row(USERS, WRITE),
    "api-tokens": Row(USERS, BOTH),
    "api-token": Row(USERS, ("DELETE",)),
    "api-sessions": Row(USERS, ("GET", "DELETE")),
    "api-session": Row(USERS, ("DELETE",)),
    "api-members": Row(ADMINS, BOTH),
    "api-member": Row(ADMINS, ("GET", "PATCH")),
    "api-invitations": Row(ADMINS, BOTH),
    "api-invitation": Row(ADMINS, ("DELETE",)),
    "api-personal-invitations": Row(ADMINS, READ),
    "api-personal-invitation": Row(ADMINS, ("DELETE",)),
    "api-own-invitations": Row(USERS, READ),
    "api-own-invitation": Row(USERS, WRITE),  # of one's own
    "api-rating": Row(USERS, WRITE),  # of one's own assignments
    "api-claim": Row(MEMBERS, WRITE),
    "api-assignment": Row(USERS, READ),  # of one's own, as all of assignments
    "api-draft": Row(USERS, PUT),
    "api-skip": Row(USERS, WRITE),
    "api-flag": Row(USERS, WRITE),
    "api-go-on": Row(USERS, WRITE),
    "api-following": Row(USERS, WRITE),
    "api-history": Row(MEMBERS, READ),
    "api-guideline-in-force": Row(MEMBERS, READ),
    "api-consent": Row(MEMBERS, BOTH),
    "api-calibration": Row(MEMBERS, BOTH),
    "api-calibration-attempt": Row(MEMBERS, READ),
    "api-calibration-answers": Row(MEMBERS, WRITE),
    "api-campaigns": Row(USERS, BOTH, OPERATORS),
    "api-campaign": Row(MEMBERS, PATCH, ADMINS),
    "api-guidelines": Row(MEMBERS, BOTH, ADMINS),
    "api-guideline": Row(MEMBERS, READ),
    "api-wordings": Row(MEMBERS, READ),
    "api-wording": Row(MEMBERS, ("GET", "PUT", "DELETE"), ADMINS),
    "api-consent-texts": Row(ADMINS, BOTH),
    "api-overlaps": Row(ADMINS, PATCH),
    "api-completion": Row(ADMINS, PUT),
    "api-calibration-settings": Row(ADMINS, PUT),
    "api-calibration-standings": Row(ADMINS, READ),
    "api-calibration-decide": Row(ADMINS, WRITE),
    "api-items": Row(RESULTS, READ),
    "api-items-file": Row(RESULTS, READ),
    "api-item": Row(RESULTS, READ),
    "api-item-votes": Row(RESULTS, BOTH),
    "api-items-tags": Row(RESULTS, READ),
    "api-items-acts": Row(RESULTS, BOTH, ADMINS),
    "api-items-acts-preview": Row(ADMINS, WRITE),
    "api-items-act": Row(RESULTS, READ),
    "api-items-act-undo": Row(ADMINS, WRITE),
    "api-items-views": Row(RESULTS, BOTH),
    "api-items-view": Row(RESULTS, ("DELETE",)),
    "api-ratings": Row(RESULTS, READ),
    "api-import": Row(ADMINS, WRITE),
    "api-generated": Row(ADMINS, READ),
    "api-generated-approve": Row(ADMINS, WRITE),
    "api-generated-reject": Row(ADMINS, WRITE),
    "api-flags": Row(ADMINS, READ),
    "api-flag-settle": Row(ADMINS, WRITE),
    "api-threads": Row(MEMBERS, BOTH, ADMINS),
    "api-thread": Row(MEMBERS, READ),
    "api-messages": Row(MEMBERS, BOTH),
    "api-jobs": Row(ADMINS, BOTH),
    "api-queue": Row(ADMINS, READ),
    "api-failed-jobs": Row(ADMINS, READ),
    "api-failures": Row(ADMINS, READ),
    "api-job": Row(RESULTS, READ),
    "api-job-failures": Row(RESULTS, READ),
    "api-job-cancel": Row(ADMINS, WRITE),
    "api-job-retry": Row(ADMINS, WRITE),
    "api-job-leave": Row(ADMINS, WRITE),
    "api-matchers": Row(RESULTS, READ),
    "api-trained-matchers": Row(RESULTS, READ),
    "api-matcher-train": Row(ADMINS, WRITE),
    "api-matcher-use": Row(ADMINS, WRITE),
    "api-agreement": Row(RESULTS, READ),
    "api-figures": Row(RESULTS, READ),
    "api-alerts": Row(RESULTS, READ),
    "api-alert-acknowledge": Row(RESULTS, WRITE),
    "api-audit": Row(ADMINS, READ),
    "api-alert-rules": Row(ADMINS, ("GET", "PATCH")),
    "api-alert-channels": Row(ADMINS, ("GET", "PUT")),
    "api-alert-trial": Row(ADMINS, WRITE),
    "api-looks": Row(RESULTS, READ),
    "api-plan": Row(RESULTS, READ),
    "api-rater": Row(RESULTS, READ),
    "api-disagreements": Row(RESULTS, READ),
    "api-label-pair": Row(RESULTS, READ),
    "api-seen-votes": Row(RESULTS, WRITE),
    "api-adjudications": Row(RESULTS, BOTH),
    "api-adjudication-agreement": Row(RESULTS, READ),
    "api-adjudication-queue": Row(RESULTS, READ),
    "api-adjudication-next": Row(RESULTS, READ),
    "api-adjudication-item": Row(RESULTS, READ),
    "api-adjudication-left": Row(RESULTS, WRITE),
    "api-first-looks": Row(RESULTS, WRITE),
    "api-ratings-export": Row(RESULTS, READ),
    "api-datasheet": Row(RESULTS, ("GET", "PATCH")),
    "api-releases": Row(RESULTS, BOTH),
    "api-release-previews": Row(RESULTS, WRITE),
    "api-release": Row(RESULTS, READ),
    "api-release-archive": Row(RESULTS, READ),
    "api-release-file": Row(RESULTS, READ),
    "api-release-changes": Row(RESULTS, READ),
    "api-release-withdrawal": Row(ADMINS, WRITE),
    "api-evaluations": Row(RESULTS, BOTH),
    "api-evaluation": Row(RESULTS, READ),
    "api-evaluation-files": Row(RESULTS, READ),
    "api-evaluation-file": Row(RESULTS, READ),
    "api-evaluation-archive": Row(RESULTS, READ),
    "api-leaderboard": Row(RESULTS, READ),
    "api-submissions": Row(RESULTS, WRITE),
    "api-submission-withdrawal": Row(RESULTS, WRITE),
    "api-webhooks": Row(ADMINS, BOTH),
    "api-webhook": Row(ADMINS, ("GET", "PATCH", "DELETE")),
    "api-webhook-trial": Row(ADMINS, WRITE),
    "api-webhook-deliveries": Row(ADMINS, READ),
    "overview": Row(MEMBERS, READ),
    "rate": Row(MEMBERS, READ),
    "rate-assignment": Row(MEMBERS, BOTH),
    "draft": Row(MEMBERS, WRITE),
    "consent": Row(MEMBERS, BOTH),
    "calibration": Row(MEMBERS, READ),
    "calibration-start": Row(MEMBERS, WRITE),
    "calibration-item": Row(MEMBERS, BOTH),
    "rate-go-on": Row(MEMBERS, WRITE),
    "following": Row(MEMBERS, WRITE),
    "flag": Row(MEMBERS, WRITE),
    "history": Row(MEMBERS, READ),
    "guidelines": Row(MEMBERS, READ),
    "flags": Row(ADMINS, READ),
    "flag-settle": Row(ADMINS, WRITE),
    "thread": Row(MEMBERS, BOTH),
    "thread-new": Row(ADMINS, BOTH),
    "agreement": Row(RESULTS, READ),
    "labels": Row(RESULTS, READ),
    "raters": Row(RESULTS, READ),
    "rater": Row(RESULTS, BOTH),
    "classes": Row(RESULTS, READ),
    "class-pair": Row(RESULTS, BOTH),
    "items": Row(RESULTS, BOTH),
    "items-file": Row(RESULTS, READ),
    "items-act": Row(ADMINS, WRITE),
    "items-acts": Row(RESULTS, READ),
    "items-act-undo": Row(ADMINS, WRITE),
    "items-views": Row(RESULTS, WRITE),
    "items-view-remove": Row(RESULTS, WRITE),
    "item-votes": Row(RESULTS, BOTH),
    "progress": Row(RESULTS, READ),
    "time": Row(RESULTS, READ),
    "systems": Row(RESULTS, READ),
    "suggestion": Row(RESULTS, READ),
    "more": Row(RESULTS, READ),
    "alerts": Row(RESULTS, READ),
    "alert-acknowledge": Row(RESULTS, WRITE),
    "alert-rules": Row(ADMINS, WRITE),
    "alert-channels": Row(ADMINS, WRITE),
    "alert-trial": Row(ADMINS, WRITE),
    "adjudicate": Row(RESULTS, READ),
    "adjudicate-next": Row(RESULTS, READ),
    "adjudicate-decided": Row(RESULTS, READ),
    "adjudicate-item": Row(RESULTS, BOTH),
    "import": Row(ADMINS, BOTH),
    "generated": Row(ADMINS, BOTH),
    "jobs": Row(ADMINS, BOTH),
    "job": Row(RESULTS, READ),
    "job-failures": Row(ADMINS, READ),
    "job-cancel": Row(ADMINS, WRITE),
    "job-retry": Row(ADMINS, WRITE),
    "job-leave": Row(ADMINS, WRITE),
    "matchers": Row(RESULTS, READ),
    "matcher-train": Row(ADMINS, WRITE),
    "matcher-use": Row(ADMINS, WRITE),
    "releases": Row(RESULTS, READ),
    "ratings-export": Row(RESULTS, READ),
    "release-new": Row(RESULTS, BOTH),
    "datasheet": Row(RESULTS, BOTH),
    "release": Row(RESULTS, READ),
    "release-download": Row(RESULTS, READ),
    "release-file": Row(RESULTS, READ),
    "release-changes": Row(RESULTS, READ),
    "release-withdraw": Row(ADMINS, BOTH),
    "release-leaderboard": Row(RESULTS, BOTH),
    "release-submission-withdraw": Row(RESULTS, BOTH),
    "lab": Row(RESULTS, BOTH),
    "evaluation": Row(RESULTS, READ),
    "evaluation-section": Row(RESULTS, READ),
    "evaluation-download": Row(RESULTS, READ),
    "evaluation-file": Row(RESULTS, READ),
    "settings": Row(ADMINS, BOTH),
    "settings-guidelines": Row(ADMINS, WRITE),
    "settings-wording": Row(ADMINS, BOTH),
    "settings-wording-withdraw": Row(ADMINS, WRITE),
    "settings-overlaps": Row(ADMINS, WRITE),
    "settings-consent": Row(ADMINS, WRITE),
    "settings-calibration": Row(ADMINS, WRITE),
    "calibration-decide": Row(ADMINS, WRITE),
    "audit": Row(ADMINS, READ),
    "settings-completion": Row(ADMINS, WRITE),
    "webhooks": Row(ADMINS, BOTH),
    "webhook": Row(ADMINS, BOTH),
    "webhook-trial": Row(ADMINS, WRITE),
    "webhook-switch": Row(ADMINS, WRITE),
    "webhook-delete": Row(ADMINS, WRITE),
    "webhook-retry": Row(ADMINS, WRITE),
    "members": Row(ADMINS, READ),
    "member-new": Row(ADMINS, WRITE),
    "member-add": Row(ADMINS, WRITE),
    "personal-invitation-withdraw": Row(ADMINS, WRITE),
    "member": Row(ADMINS, BOTH),
    "settings-preview": Row(ADMINS, WRITE),
    "campaign-copy": Row(STAFF_ADMINS, BOTH),
    "campaign-archive": Row(ADMINS, WRITE),
    "campaign-reopen": Row(ADMINS, WRITE),
    "campaign-delete": Row(ADMINS, BOTH),
    "invite-by-mail": Row(ADMINS, BOTH),
    "invitation-mail-again": Row(ADMINS, WRITE),
    "invitation-mail-withdraw": Row(ADMINS, WRITE),
    "invite": Row(ADMINS, WRITE),
    "invitation-revoke": Row(ADMINS, WRITE),
}

OPERATORS_LOGIN = "admin/login/"  # has no name: Django's own page asks for it by its address
LET_IN = {200, 201, 202, 204, 302, 303, 400, 404, 409, 411, 415, 422}  # 404: it is not there


def addresses() -> Iterator[tuple[str, str]]:
    """Name and pattern of everything but Django's admin, which has a test of its own."""
    yield from _addresses(get_resolver().url_patterns, "")


def _addresses(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield pattern.name or whole, whole
        elif pattern.app_name != "admin":
            yield from _addresses(pattern.url_patterns, whole)


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
    assert name in ROWS, f"{name}: ROWS lacks a row for it, which says who is let in"
    return ROWS[name]


def filled(pattern: str, rater: Membership) -> str:
    """The address with parts that suit: the campaign, its first item, its rater."""
    item = rater.campaign.items.first()
    assert item is not None
    parts: dict[str, object] = {
        "slug": rater.campaign.slug,
        "item_id": item.pk,
        "member_id": rater.pk,
        "pseudonym": rater.pseudonym,
        "first": "equivalent",
        "second": "not-equivalent",
        "version": "1.0.0",
        "path": "README.md",
        "name": "systems",
        "kind": "items",
        "language": "de",
    }
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(parts.get(found[1], 1)), pattern)


def status(client: Client, method: str, address: str) -> tuple[int, str]:
    """Status and where to; nothing that the request does stays."""
    kept = dict(client.cookies)
    with transaction.atomic():
        response = client.generic(method, address)
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(kept)
    return response.status_code, response.headers.get("Location", "")


def verdict(who: str, method: str, address: str, row: Row, found: tuple[int, str]) -> bool:
    """Whether the answer is the one that the row means."""
    code, location = found
    to_login = code == 302 and location.startswith("/login/?next=")
    only_opens = method == "GET" and row.methods == WRITE and address.startswith("/c/")
    # who may use the form, or would be told there that they may not, is sent to its page
    if only_opens and who in (ADMINS if row.people == ENTERED else row.people):
        return code == 302 and location.startswith("/c/") and location != address
    if method not in row.methods and not only_opens:
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
            for method in (*BOTH, *(set(row_of(name).methods) - set(BOTH)))
            for who in PEOPLE
            for found in [status(people[who], method, address)]
            if not verdict(who, method, address, row_of(name), found)
        ]
    finally:
        logging.disable(logging.NOTSET)
    assert not wrong, wrong


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    names = [name for name, _ in addresses()]
    assert sorted(names) == sorted([*ROWS, OPERATORS_LOGIN])


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


BEYOND = {"detail": "this token is for one campaign only"}
WITHIN = {"api-account": ("GET",), "api-tokens": BOTH, "api-token": ("DELETE",)}
WITHIN |= {"api-inbox": ("GET",), "api-inbox-entry": ("PATCH",), "api-inbox-read": ("POST",)}
WITHIN |= {"api-campaigns": ("GET",), "api-schema": ("GET",)}
"""What has no campaign in its address and answers a token of one campaign about that alone."""


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
            for method in ALL_METHODS:
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
