"""A campaign with two items, and browsers signed in as its people."""

import re
from http import HTTPStatus

import pytest
from django.test import Client

from tasks.models import Campaign, Membership, User
from tests.factories import make_campaign, make_items, make_member, make_user

HTMX = {"HX-Request": "true"}


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("rivers", title="Rivers")
    make_items(campaign, 2)
    return campaign


@pytest.fixture
def rater(campaign: Campaign) -> Membership:
    return make_member(campaign, "rater", "pine")


@pytest.fixture
def admin(campaign: Campaign) -> Membership:
    return make_member(campaign, "admin", "oak")


@pytest.fixture
def operator(db: None) -> User:
    """One of the site's, in no campaign."""
    return make_user("yew", is_staff=True, is_superuser=True)


@pytest.fixture
def operating_admin(admin: Membership) -> Membership:
    """An admin of the campaign who is an operator of the site."""
    User.objects.filter(pk=admin.user_id or 0).update(is_superuser=True)
    return admin


@pytest.fixture
def researcher(campaign: Campaign) -> Membership:
    return make_member(campaign, "researcher", "fern")


@pytest.fixture
def stranger(db: None) -> User:
    return make_user("moss")


def signed_in(who: Membership | User) -> Client:
    """A browser without JavaScript, signed in."""
    user = who.user if isinstance(who, Membership) else who
    assert user is not None
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def compact(html: str) -> str:
    """The page without white space beside its tags, which may change with a template's lines."""
    return re.sub(r"\s*(<[^>]*?)\s*>\s*", r"\1>", html)


def text(client: Client, address: str) -> str:
    """A page, its white space as single blanks."""
    response = client.get(address)
    assert response.status_code == HTTPStatus.OK
    return " ".join(response.content.decode().split())


def words_of(who: Membership, address: str) -> str:
    """The text of a page of the member's campaign, without tags, its white space as blanks."""
    response = signed_in(who).get(f"/c/{who.campaign.slug}/{address}")
    assert response.status_code == HTTPStatus.OK
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())
