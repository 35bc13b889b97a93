"""Which names there are on the site is told to nobody who is not of the same campaign.

A table of every place where somebody types a name or an address that may be an account's: what is
answered is the same for one that there is and one that there is not, but for the name itself.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from tasks.models import AuditEntry, Campaign, Membership, PersonalInvitation, User
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.personal_invitations import decline_invitation, invite_person
from tests.factories import make_campaign, make_member, make_user
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow

THERE, NOT_THERE = "moss", "elms"  # of the same length
API = "/api/v1/campaigns/rivers"
MEMBERS = "/c/rivers/settings/members"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    return make_member(campaign, "admin", "oak")


@pytest.fixture
def person(campaign: Campaign) -> User:
    """An account in another campaign, which nobody here knows."""
    user = make_user(THERE, email=f"{THERE}@example.org")
    make_member(make_campaign("lakes"), "rater", "lily")
    return user


Ask = Callable[[str, Membership], list[Any]]


def as_json(client: Client, method: str, path: str, body: object = None) -> Any:
    text = "" if body is None else json.dumps(body)
    return client.generic(method, path, text, content_type="application/json")


def log_in(name: str, _admin: Membership) -> list[Any]:
    return [Client().post("/login/", {"username": name, "password": "not the one"})]


def reset(name: str, _admin: Membership) -> list[Any]:
    client = Client()
    asked = client.post("/password/reset/", {"email": f"{name}@example.org"})
    return [asked, client.get(asked["Location"])]


def join(name: str, admin: Membership) -> list[Any]:
    _invitation, secret = invite(campaign=admin.campaign)
    client = Client()
    client.get(f"/join/{secret}/")
    named = client.post("/join/", {"name": name})
    return [named, client.get("/join/")]


def new_account(name: str, admin: Membership) -> list[Any]:
    return [signed_in(admin).post(f"{MEMBERS}/new/", {"username": name, "role": "rater"})]


def new_account_by_call(name: str, admin: Membership) -> list[Any]:
    return [as_json(ApiClient(admin).client, "POST", f"{API}/members", {"username": name})]


def add(name: str, admin: Membership) -> list[Any]:
    client = signed_in(admin)
    added = client.post(f"{MEMBERS}/add/", {"username": name, "role": "rater"})
    return [added, client.get(f"{MEMBERS}/"), client.get("/c/rivers/settings/audit/")]


def add_by_call(name: str, admin: Membership) -> list[Any]:
    client = ApiClient(admin).client
    body = {"username": name, "account": "existing"}
    added = as_json(client, "POST", f"{API}/members", body)
    again = as_json(client, "POST", f"{API}/members", body)
    audit = client.get(f"{API}/audit?limit=1")
    return [added, again, client.get(f"{API}/personal-invitations"), audit]


def declined(name: str, admin: Membership) -> list[Any]:
    """Whoever has declined is no other than nobody."""
    invite_person(campaign=admin.campaign, name=name, role="rater", by=admin.user)
    for asked in PersonalInvitation.objects.exclude(user=None):
        assert asked.user is not None
        decline_invitation(user=asked.user, invitation_id=asked.pk)
    client = ApiClient(admin).client
    body = {"username": name, "account": "existing"}
    again = as_json(client, "POST", f"{API}/members", body)
    return [again, client.get(f"{API}/personal-invitations"), client.get(f"{API}/audit?limit=1")]


def invite_by_mail(name: str, admin: Membership) -> list[Any]:
    body = {"addresses": f"{name}@example.org", "as_links": True}
    return [as_json(ApiClient(admin).client, "POST", f"{API}/invitation-mails", body)]


def find(name: str, admin: Membership) -> list[Any]:
    return [signed_in(admin).get(f"/find/?q={name}&campaign=rivers")]


def filters(name: str, admin: Membership) -> list[Any]:
    client = ApiClient(admin).client
    asked = (f"audit?actor={name}", f"items?rater={name}", f"ratings?rater={name}")
    return [client.get(f"{API}/{each}") for each in asked]


PLACES: Final[dict[str, Ask]] = {
    "login": log_in,
    "a forgotten password": reset,
    "signing up by a link": join,
    "an admin makes an account": new_account,
    "a program makes an account": new_account_by_call,
    "an admin adds an account": add,
    "a program adds an account": add_by_call,
    "an account that has declined": declined,
    "inviting by e-mail": invite_by_mail,
    "find anything": find,
    "filters": filters,
}
_CHANGING = re.compile(
    r'name="csrfmiddlewaretoken" value="\w+"|nonce="[^"]+"|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.+Z]+'
    r"|-[2-9]{4}\b|/join/[\w-]{32}/|r-[a-z2-7]{10}"
    r'|id="new-(?:password|token)">[^<]+|"(?:password|token)": ?"[^"]+"|\b\d+\b'
)


def told(ask: Ask, name: str, admin: Membership) -> list[tuple[int, str, str]]:
    """Status, where to, and text, without what is another each time. Nothing of it stays."""
    with transaction.atomic():
        answers = ask(name, admin)
        transaction.set_rollback(True)
    return [
        (
            answer.status_code,
            answer.headers.get("Location", ""),
            _CHANGING.sub("…", answer.content.decode()).replace(name, "NAME"),
        )
        for answer in answers
    ]


@pytest.mark.parametrize("place", PLACES)
def test_a_name_that_there_is_is_answered_as_one_that_there_is_not(
    place: str, admin: Membership, person: User, settings: Settings
) -> None:
    settings.SENDS_MAIL = True
    ask = PLACES[place]
    with_it, without = (told(ask, name, admin) for name in (THERE, NOT_THERE))
    assert with_it == without
    assert with_it[0][0] < 500
    assert not Membership.objects.filter(campaign=admin.campaign, user=person).exists()


def test_the_table_would_notice(admin: Membership, person: User) -> None:
    """Operators of the site are told: by the same requests, in the same words."""
    User.objects.filter(pk=admin.user_id or 0).update(is_superuser=True)
    for place in ("an admin makes an account", "a program adds an account"):
        ask = PLACES[place]
        with_it, without = (told(ask, name, admin) for name in (THERE, NOT_THERE))
        assert with_it != without


def test_only_the_mailbox_is_told(admin: Membership, person: User, settings: Settings) -> None:
    settings.SENDS_MAIL = True
    for name in (THERE, NOT_THERE):
        reset(name, admin)
    assert [each.to for each in mail.outbox] == [[person.email]]


def test_the_log_of_a_campaign_does_not_tell_who_has_declined(
    admin: Membership, person: User
) -> None:
    declined(THERE, admin)
    entry = AuditEntry.objects.get(action="invitation.declined")
    assert (entry.campaign, entry.user) == (None, None)  # in a test nobody is signed in
