"""Where one is logged in: the list under My account and over the API, and the end of sessions."""

import json
from http import HTTPStatus

import pytest
from django.test import Client

from tasks.models import ApiToken, AuditAction, AuditEntry, Membership, OpenSession, User
from tests.factories import PASSWORD
from tests.tasks.browsers import compact, confirmed

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"


@pytest.fixture
def user(rater: Membership) -> User:
    assert rater.user is not None
    return rater.user


@pytest.fixture
def here(user: User) -> Client:
    return logged_in("pine")


def logged_in(username: str, agent: str = FIREFOX) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post("/login/", {"username": username, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/").status_code == HTTPStatus.OK


def session_of(client: Client) -> OpenSession:
    return OpenSession.objects.get(digest=OpenSession.digest_of(client.session["open_session"]))


def acts() -> list[tuple[str, str, dict[str, object]]]:
    """What the log has of ended sessions."""
    actions = (AuditAction.SESSION_ENDED, AuditAction.SESSIONS_ENDED)
    found = AuditEntry.objects.filter(action__in=actions).order_by("sequence")
    return [(each.action, each.subject, json.loads(each.details)) for each in found]


def test_the_page_lists_ones_own_sessions_and_says_which_is_this(
    here: Client, admin: Membership
) -> None:
    logged_in("pine", "")
    logged_in("oak")
    html = compact(here.get("/account/").content.decode())
    part = html.partition('id="sessions">')[2].partition("</section>")[0]
    assert (part.count("Firefox on Linux"), part.count("<strong>Unknown browser</strong>")) == (
        1,
        1,
    )
    assert part.count("<code>127.0.0.x</code>") == 2
    assert '<strong>Firefox on Linux</strong><span class="hint">this browser</span>' in part
    assert f"/account/sessions/{session_of(here).pk}/end/" not in part


def test_one_of_ones_own_is_ended(here: Client) -> None:
    there = logged_in("pine")
    answer = here.post(f"/account/sessions/{session_of(there).pk}/end/", follow=True)
    assert "The session has been ended." in answer.content.decode()
    assert (is_in(here), is_in(there)) == (True, False)
    details = {"browser": "Firefox", "system": "Linux"}
    assert acts() == [("session.ended", "pine", details)]


def test_nobody_ends_anothers_session(here: Client, admin: Membership) -> None:
    other = logged_in("oak")
    pk = session_of(other).pk
    assert here.post(f"/account/sessions/{pk}/end/").status_code == HTTPStatus.NOT_FOUND
    assert here.delete(f"/api/v1/sessions/{pk}").status_code == HTTPStatus.NOT_FOUND
    here.post("/account/sessions/end/", {"which": "all"})
    assert is_in(other)


@pytest.mark.parametrize(
    ("which", "leads_to", "stays"), [("others", "/account/", True), ("all", "/login/", False)]
)
def test_all_others_or_all_are_ended(here: Client, which: str, leads_to: str, stays: bool) -> None:
    others = [logged_in("pine"), logged_in("pine")]
    assert here.post("/account/sessions/end/", {"which": which})["Location"] == leads_to
    assert [is_in(each) for each in others] == [False, False]
    assert is_in(here) is stays
    ended = {"sessions": 2 if stays else 3, "but_this": stays}
    assert acts() == [("sessions.ended", "pine", ended)]


def test_anything_else_ends_nothing(here: Client) -> None:
    there = logged_in("pine")
    assert here.post("/account/sessions/end/").status_code == HTTPStatus.BAD_REQUEST
    assert is_in(there)


def test_another_password_leaves_only_this_one_in_the_list(here: Client, user: User) -> None:
    logged_in("pine")
    new = "quite another horse"
    body = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    here.post("/password/", body)
    assert [*OpenSession.objects.all()] == [session_of(here)]
    assert is_in(here)


def test_a_password_that_an_operator_sets_leaves_none(here: Client, operator: User) -> None:
    client, user = confirmed(operator), session_of(here).user
    body = {"password1": "quite another horse", "password2": "quite another horse"}
    client.post(f"/admin/tasks/user/{user.pk}/password/", {**body, "usable_password": "true"})
    assert [each.user for each in OpenSession.objects.all()] == [operator]


def test_the_api_lists_and_ends_them(here: Client) -> None:
    there = logged_in("pine", "")
    first, second = session_of(here), session_of(there)
    body = here.get("/api/v1/sessions").json()["results"]
    assert [(each["id"], each["browser"], each["system"], each["is_this"]) for each in body] == [
        (second.pk, "", "", False),
        (first.pk, "Firefox", "Linux", True),
    ]
    assert here.delete(f"/api/v1/sessions/{second.pk}").status_code == HTTPStatus.NO_CONTENT
    assert (is_in(here), is_in(there)) == (True, False)
    there = logged_in("pine")
    assert here.delete("/api/v1/sessions").status_code == HTTPStatus.NO_CONTENT
    assert (is_in(here), is_in(there)) == (True, False)


def test_a_program_ends_all_sessions_of_its_owner(here: Client, user: User) -> None:
    program = Client(headers={"Authorization": f"Token {ApiToken.issue(user)}"})
    [found] = program.get("/api/v1/sessions").json()["results"]
    assert found["is_this"] is False
    assert program.delete("/api/v1/sessions").status_code == HTTPStatus.NO_CONTENT
    assert not is_in(here)
