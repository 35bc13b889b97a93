"""`manage.py create_campaign`, `create_member` and `create_token`."""

import pytest

from tasks.models import ApiToken, Campaign, Membership, User
from tests.tasks.management.conftest import Manage


def test_create_campaign_prints_what_it_made(manage: Manage) -> None:
    made = manage.json(
        *("create_campaign", "rivers", "--protocol", "ae", "--overlap", "3"),
        *("--title", "Rivers", "--suggestions", "after"),
    )
    assert made == {
        "slug": "rivers",
        "title": "Rivers",
        "protocol": "ae",
        "overlap": 3,
        "suggestions": "after",
    }
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.protocol, campaign.overlap) == ("rivers", "ae", 3)
    assert campaign.guideline is not None
    assert manage.stderr == ""
    usual = manage.json("create_campaign", "lakes", "--protocol", "cap", "--overlap", "1")
    assert (usual["protocol"], usual["suggestions"], usual["title"]) == ("cap", "hidden", "lakes")


@pytest.mark.parametrize(
    ("slug", "overlap", "error"),
    [
        ("Rivers!", "2", "slug: lower-case letters, digits and single hyphens between them"),
        ("rivers", "0", "overlap: Ensure this value is greater than or equal to 1."),
        ("rivers", "101", "overlap: Ensure this value is less than or equal to 100."),
        ("r" * 61, "2", "slug: Ensure this value has at most 60 characters (it has 61)."),
    ],
)
def test_create_campaign_names_the_wrong_field(
    manage: Manage, slug: str, overlap: str, error: str
) -> None:
    printed = manage.error("create_campaign", slug, "--protocol", "ae", "--overlap", overlap)
    assert printed == f"CommandError: {error}\n"


def test_create_campaign_refuses_a_slug_that_is_taken_and_an_unknown_protocol(
    manage: Manage, campaign: str
) -> None:
    printed = manage.error("create_campaign", campaign, "--protocol", "cap", "--overlap", "1")
    assert printed == "CommandError: slug: Campaign with this Slug already exists.\n"
    printed = manage.error("create_campaign", "x", "--protocol", "y", "--overlap", "1", code=2)
    assert "--protocol: invalid choice: 'y'" in printed


@pytest.mark.parametrize("role", ["rater", "researcher", "admin"])
def test_create_member_gives_password_and_token_that_work(
    manage: Manage, campaign: str, role: str
) -> None:
    made = manage.json("create_member", "ann", "--campaign", campaign, "--role", role)
    assert set(made) == {"username", "password", "token"}
    member = Membership.objects.select_related("user").get()
    assert (made["username"], member.role) == ("ann", role)
    assert member.user is not None
    assert member.user.check_password(made["password"])
    assert ApiToken.objects.get().user == member.user
    assert made["token"]


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann", password="her own")


def test_create_member_adds_an_account_that_is_there(
    manage: Manage, campaign: str, ann: User
) -> None:
    """As the admin of a site does who has made a campaign at the command line."""
    made = manage.json("create_member", "ann", "--campaign", campaign, "--role", "admin")
    assert made == {"username": "ann", "password": None, "token": None}
    assert Membership.objects.get(user=ann).role == "admin"
    ann.refresh_from_db()
    assert ann.check_password("her own")
    manage("create_campaign", "lakes", "--protocol", "ae", "--overlap", "1")
    assert manage("create_member", "ann", "--campaign", "lakes", "--role", "rater") == (
        "ann already had an account: it is now a member, its password is unchanged\n"
    )
    assert not ApiToken.objects.exists()


def test_a_name_of_full_width_is_that_which_the_login_reads(manage: Manage, campaign: str) -> None:
    arguments = ("create_member", "ａｎｎ", "--campaign", campaign, "--role", "rater")
    assert manage.json(*arguments)["username"] == "ann"
    assert User.objects.get().username == "ann"
    assert manage.error(*arguments) == "CommandError: this account is already a member\n"
    assert manage.json("create_token", "ａｎｎ")["token"]


def test_create_member_makes_a_token_for_such_an_account_if_told_to(
    manage: Manage, campaign: str, ann: User
) -> None:
    arguments = ("create_member", "ann", "--campaign", campaign, "--role", "rater", "--token")
    made = manage.json(*arguments)
    assert (made["password"], ApiToken.objects.get().digest) == (
        None,
        ApiToken.digest_of(made["token"]),
    )


def test_create_member_refuses_who_is_a_member_or_cannot_be(
    manage: Manage, campaign: str, ann: User
) -> None:
    arguments = ("create_member", "ann", "--campaign", campaign, "--role", "rater")
    manage(*arguments)
    said = "CommandError: this account is already a member\n"
    assert manage.error(*arguments) == said
    User.objects.update(is_active=False)
    assert manage.error(*arguments) == (
        "CommandError: the account 'ann' is deactivated or belongs to a visitor from a crowd "
        "service\n"
    )


def test_create_member_names_the_wrong_field(manage: Manage, campaign: str) -> None:
    printed = manage.error("create_member", "a b", "--campaign", campaign, "--role", "rater")
    assert printed.startswith("CommandError: username: Enter a valid username.")


@pytest.mark.parametrize(
    "arguments",
    [
        ("create_member", "ann", "--campaign", "lakes", "--role", "rater"),
        ("import_questions", "lakes", "q.json"),
        ("prefill", "lakes"),
        ("agreement", "lakes"),
        ("release", "lakes", "--version", "1.0.0", "--split", "document:all_=100", "--out", "x"),
    ],
)
def test_an_unknown_campaign_is_told_with_those_there_are(
    manage: Manage, campaign: str, arguments: tuple[str, ...]
) -> None:
    assert manage.error(*arguments) == (
        "CommandError: there is no campaign 'lakes'; known: rivers\n"
    )


def test_create_token_prints_one_that_is_good_for_what_was_said(
    manage: Manage, campaign: str
) -> None:
    manage("create_member", "ann", "--campaign", campaign, "--role", "rater")
    made = manage.json(
        *("create_token", "ann", "--campaign", campaign, "--days", "3", "--name", "lab"),
        *("--scope", "rate", "read"),
    )
    token = ApiToken.objects.select_related("campaign").latest("pk")
    assert token.expires_at is not None
    assert made == {
        "token": made["token"],
        "id": token.pk,
        "scopes": ["read", "rate"],
        "campaign": campaign,
        "expires_at": token.expires_at.isoformat(),
    }
    assert (token.digest, token.name) == (ApiToken.digest_of(made["token"]), "lab")
    assert token.campaign is not None
    assert token.campaign.slug == campaign
    wide = manage.json("create_token", "ann")
    assert (wide["scopes"], wide["campaign"], wide["expires_at"]) == (
        *(["read", "rate", "write"], None, None),
    )


def test_create_token_refuses_in_one_line(manage: Manage, campaign: str) -> None:
    manage("create_member", "ann", "--campaign", campaign, "--role", "rater")
    manage("create_campaign", "lakes", "--protocol", "ae", "--overlap", "1")
    issued = ApiToken.objects.count()
    assert manage.error("create_token", "nobody") == ("CommandError: no active account 'nobody'\n")
    assert manage.error("create_token", "ann", "--campaign", "lakes") == (
        "CommandError: no such campaign, or this account is not a member of it\n"
    )
    assert manage.error("create_token", "ann", "--days", "0") == (
        "CommandError: a token must be valid for 1 to 3660 days\n"
    )
    assert "invalid choice" in manage.error("create_token", "ann", "--scope", "all", code=2)
    assert ApiToken.objects.count() == issued
