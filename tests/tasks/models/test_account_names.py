"""Names that look like others', and names that no new account gets."""

import re
from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.management.commands import createsuperuser
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from tasks.campaigns.workflow import campaign as campaign_workflow
from tasks.campaigns.workflow.campaign import create_member, own_username
from tasks.models import InvitationKind, Membership, User
from tasks.models.account_names import LONGEST_SHAPE, require_good_name, shape_of, shapes_of
from tasks.people.workflow.crowd import enter
from tasks.people.workflow.invitations import accept_with_new_account, invite
from tests.factories import PASSWORD, make_campaign, make_user
from tests.tasks.browsers import signed_in

# "pauline", in capitals, with a capital i, with a digit, in Cyrillic where it has such letters,
# in wide letters, and with an n that is not one
ALIKE = ["PAULINE", "pauIine", "pau1ine", "\u0440\u0430uline", "\uff50auline", "pauli\u0578e"]
TAKEN = "This name already exists, or looks like one that does. Choose another."
MIXED = "The name mixes letters of different scripts."
UNSEEN = "The name contains characters that cannot be seen."
VISITOR = "Names like this are of visitors of crowd services."


@pytest.mark.parametrize("name", ALIKE)
def test_names_that_look_alike_have_one_shape(name: str) -> None:
    assert shape_of(name) == shape_of("pauline")


@pytest.mark.parametrize(
    ("one", "other"),
    [("rnoss", "moss"), ("r00t", "root"), ("MILA", "mila"), ("stra\u00dfe", "STRASSE")],
)
def test_shapes_know_letters_that_look_like_several(one: str, other: str) -> None:
    assert shape_of(one) == shape_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("pine", "vine"), ("anna", "hanna"), ("rater-2", "rater-3"), ("bob", "rob")]
)
def test_names_that_look_different_have_two_shapes(one: str, other: str) -> None:
    assert shape_of(one) != shape_of(other)


def test_capitals_of_another_script_look_like_ours() -> None:
    cyrillic = "\u0412\u041e\u0412"
    assert shape_of("BOB") in shapes_of(cyrillic)


def test_shape_of_the_longest_name_is_bounded() -> None:
    assert len(shape_of("\u1e9e" * 150 + "\ufdfa" * 150)) == LONGEST_SHAPE


@pytest.mark.parametrize(
    "name",
    [
        "m\u00fcller",
        "\u0438\u0432\u0430\u043d",
        "\u65e5\u672c\u306e\u30ab\u30bf",
        "visitors",
        "\u03bd\u03af\u03ba\u03bf\u03c2",
        "a.b+c@d-e_1",
    ],
)
def test_names_of_one_script_are_good(name: str) -> None:
    require_good_name(name)


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("p\u0430ul", MIXED),
        ("\u03a9mega", MIXED),
        ("moss\u3164", UNSEEN),
        ("mo\u200dss", UNSEEN),
        ("mo\u0336ss", UNSEEN),
        ("visitor-12ab", VISITOR),
        ("Visitor", VISITOR),
        ("v1s1tor_7", VISITOR),
    ],
)
def test_other_names_are_refused(name: str, refusal: str) -> None:
    with pytest.raises(ValidationError) as refused:
        require_good_name(name)
    assert refused.value.messages == [refusal]


@pytest.fixture
def pauline(db: None) -> User:
    return make_user("pauline")


@pytest.mark.parametrize("name", [*ALIKE, "visitor-1"])
def test_no_member_is_made_with_such_a_name(pauline: User, name: str) -> None:
    with pytest.raises(ValidationError):
        create_member(campaign=make_campaign(), username=name, role="rater")
    assert User.objects.get() == pauline


def test_command_says_what_is_wrong_with_a_name(pauline: User) -> None:
    campaign = make_campaign()
    with pytest.raises(CommandError, match=TAKEN):
        call_command("create_member", "PAULINE", campaign=campaign.slug, role="rater")
    with pytest.raises(CommandError, match=TAKEN):
        call_command(
            createsuperuser.Command(),
            interactive=False,
            username="PAULINE",
            email="pauline@example.org",
            stdout=StringIO(),
        )
    assert User.objects.get() == pauline


def test_page_and_call_refuse_a_name(operating_admin: Membership) -> None:
    """Of operators, who give exact names."""
    make_user("pauline")
    browser, slug = signed_in(operating_admin), operating_admin.campaign.slug
    body = {"username": "pauIine", "role": "rater"}
    page = browser.post(f"/c/{slug}/settings/members/new/", body)
    assert page.context["new_form"].errors == {"username": [TAKEN]}
    call = browser.post(f"/api/v1/campaigns/{slug}/members", body, content_type="application/json")
    assert (call.status_code, call.json()) == (400, {"detail": TAKEN, "field": "username"})


@pytest.mark.parametrize(("name", "refusal"), [("p\u0430ul", MIXED), ("visitor-1", VISITOR)])
def test_invitation_refuses_a_name(db: None, name: str, refusal: str) -> None:
    _invitation, secret = invite(campaign=make_campaign())
    browser = Client()
    browser.get(f"/join/{secret}/")
    refused = browser.post("/join/", {"name": name})
    assert refused.context["form"].errors == {"name": [refusal]}


def test_name_that_is_taken_a_moment_ago_is_refused_in_words(
    pauline: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    invitation, _secret = invite(campaign=make_campaign())
    monkeypatch.setattr(User, "full_clean", lambda user: None)  # looked before pauline was there
    with pytest.raises(ValidationError, match=TAKEN):
        accept_with_new_account(invitation=invitation, username="PAULINE", password=PASSWORD)


def test_database_refuses_a_name_that_looks_the_same(pauline: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User(username="PAULINE").save()


def test_visitors_of_a_crowd_come_in(db: None) -> None:
    invitation, _secret = invite(campaign=make_campaign(), kind=InvitationKind.CROWD)
    visitor = enter(invitation=invitation, participant="p1").user
    assert visitor is not None
    assert visitor.username.startswith("visitor-")


def test_names_of_before_stay_valid(pauline: User) -> None:
    """As after the migration: the oldest has the shape."""
    User(username="PAULINE", name_shape="-").save()
    User.objects.update(name_shape=None)
    import_module("tasks.migrations.0011_accounts").give_shapes(apps, connection.schema_editor())
    old, twin = User.objects.order_by("pk")
    assert (old.name_shape, twin.name_shape) == (shape_of("pauline"), None)
    twin.full_clean(exclude=["password"])
    twin.email = "twin@example.org"
    twin.save()
    twin.username = "pau1ine"
    with pytest.raises(ValidationError, match=TAKEN):
        twin.full_clean(exclude=["password"])


@pytest.mark.parametrize("wished", ["ann", "\u0438\u0432\u0430\u043d", "\u65e5\u672c"])
def test_new_accounts_get_digits_behind_any_name(db: None, wished: str) -> None:
    """At the first draw: digits are of no script, so that no name mixes scripts by them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaign_workflow, "_DRAWS", 1)
        assert re.fullmatch(f"{wished}-[2-9]{{4}}", own_username(wished))


def test_name_for_which_no_digits_are_free_is_refused_and_not_drawn_for_ever(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user("ann-4827")
    monkeypatch.setattr(campaign_workflow, "drawn_digits", lambda: "4827")
    with pytest.raises(ValidationError, match="Choose another name"):
        own_username("ann")
