"""Whom a session lets in, for how long, and what that costs."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, connection
from django.db.models.functions import Now
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tasks.access.guards import sessions as guard
from tasks.access.guards.client_address import shortened
from tasks.access.guards.sessions import lets_in
from tasks.home.work import forget_sessions
from tasks.models import CrowdVisit, Membership, OpenSession, User
from tests.factories import PASSWORD
from tests.tasks.browsers import signed_in

ENGINES = ("db", "cache", "signed_cookies")
HOME, RATE = "/", "/c/rivers/rate/"


@pytest.fixture
def user(rater: Membership) -> User:
    assert rater.user is not None
    return rater.user


def is_in(client: Client) -> bool:
    return client.get(HOME).status_code == HTTPStatus.OK


def age(**times: timedelta) -> None:
    """As if the sessions had been used, or begun, so long ago."""
    OpenSession.objects.update(**{name: Now() - span for name, span in times.items()})


@pytest.mark.parametrize("engine", ENGINES)
def test_an_ended_session_lets_nobody_in_whichever_engine_keeps_it(
    user: User, settings: Settings, engine: str
) -> None:
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    here, elsewhere = signed_in(user), signed_in(user)
    stolen = elsewhere.cookies["sessionid"].value
    assert (is_in(here), is_in(elsewhere)) == (True, True)
    OpenSession.objects.latest("pk").delete()
    replayed = Client(headers={"cookie": f"sessionid={stolen}"})
    assert (is_in(here), is_in(elsewhere), is_in(replayed)) == (True, False, False)
    assert elsewhere.post("/api/v1/campaigns/rivers/claim").status_code == HTTPStatus.UNAUTHORIZED


@pytest.mark.parametrize("engine", ENGINES)
def test_logging_out_ends_the_session(user: User, settings: Settings, engine: str) -> None:
    settings.SESSION_ENGINE = f"django.contrib.sessions.backends.{engine}"
    client = signed_in(user)
    stolen = client.cookies["sessionid"].value
    client.post("/logout/")
    assert not OpenSession.objects.exists()
    assert not is_in(Client(headers={"cookie": f"sessionid={stolen}"}))


def test_ended_session_stays_open_without_the_guard(user: User, settings: Settings) -> None:
    settings.MIDDLEWARE = [
        "django.contrib.auth.middleware.AuthenticationMiddleware"
        if each.endswith("SessionGuard")
        else each
        for each in settings.MIDDLEWARE
    ]
    client = signed_in(user)
    OpenSession.objects.all().delete()
    assert is_in(client)


def test_a_session_says_whence_it_came_and_keeps_no_key(user: User) -> None:
    client = Client(headers={"user-agent": FIREFOX})
    client.post("/login/", {"username": "pine", "password": PASSWORD})
    session = OpenSession.objects.get()
    assert (session.browser, session.system, session.network) == ("Firefox", "Linux", "127.0.0.x")
    kept = " ".join(str(value) for value in vars(session).values())
    assert client.session["open_session"] not in kept
    assert (client.session.session_key or "-") not in kept


def test_another_login_in_the_same_browser_leaves_no_session_behind(
    user: User, admin: Membership
) -> None:
    client = signed_in(user)
    client.get("/login/")  # sends who is logged in home
    client.post("/logout/")
    client.post("/login/", {"username": "oak", "password": PASSWORD})
    assert [each.user.username for each in OpenSession.objects.all()] == ["oak"]


def test_a_session_from_before_there_were_rows_goes_on(user: User) -> None:
    client = signed_in(user)
    OpenSession.objects.all().delete()
    session = client.session
    del session["open_session"]
    session.save()
    assert is_in(client)
    adopted = OpenSession.objects.get()
    assert (adopted.user, is_in(client)) == (user, True)
    assert OpenSession.objects.get() == adopted
    adopted.delete()
    assert not is_in(client)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"last_used_at": timedelta(days=13, hours=23)}, True),
        ({"last_used_at": timedelta(days=14, minutes=1)}, False),
        ({"started_at": timedelta(days=89, hours=23)}, True),
        ({"started_at": timedelta(days=90, minutes=1)}, False),
    ],
)
def test_a_session_ends_after_some_time_without_use_and_in_all(
    user: User, times: dict[str, timedelta], expected: bool
) -> None:
    client = signed_in(user)
    age(**times)
    assert is_in(client) is expected
    assert is_in(client) is expected


def test_limits_are_those_of_the_settings(user: User, settings: Settings) -> None:
    settings.SESSION_IDLE = timedelta(minutes=30)
    client = signed_in(user)
    age(last_used_at=timedelta(minutes=29))
    assert is_in(client)  # and so it is used now
    age(last_used_at=timedelta(minutes=31))
    assert not is_in(client)


def test_visitors_of_a_crowd_service_are_not_sent_to_a_login_they_do_not_have(
    rater: Membership, user: User, settings: Settings
) -> None:
    CrowdVisit.objects.create(campaign=rater.campaign, membership=rater, participant="5f1e")
    settings.SESSION_IDLE = settings.SESSION_LIFE = timedelta(minutes=10)
    client = signed_in(user)
    age(last_used_at=timedelta(days=2), started_at=timedelta(days=13))
    assert client.get(RATE).status_code == HTTPStatus.OK
    age(started_at=timedelta(days=14, minutes=1))
    assert client.get(RATE).status_code == HTTPStatus.FOUND


def test_whose_session_has_ended_logs_in_and_is_back_where_they_were(user: User) -> None:
    client = signed_in(user)
    age(last_used_at=timedelta(days=15))
    sent = client.get(f"{RATE}?again=1")
    assert sent["Location"] == "/login/?next=/c/rivers/rate/%3Fagain%3D1"
    page = client.get(sent["Location"])
    assert "Your session has ended. Log in to continue." in page.content.decode()
    body = {"username": "pine", "password": PASSWORD, "next": page.context["next"]}
    assert client.post("/login/", body)["Location"] == f"{RATE}?again=1"


def test_a_script_is_told_so_and_keeps_what_was_typed(user: User) -> None:
    client = signed_in(user)
    client.get(RATE)
    assignment = user.memberships.get().assignments.get()
    age(last_used_at=timedelta(days=15))
    answer = client.post(f"{RATE}{assignment.pk}/draft/", headers={"x-requested-with": "fetch"})
    assert answer.status_code == HTTPStatus.UNAUTHORIZED


def statements(client: Client) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        client.get(RATE)
    return [q["sql"] for q in queries.captured_queries if "tasks_opensession" in q["sql"]]


def test_a_request_reads_session_and_user_in_one_statement_and_writes_nothing(user: User) -> None:
    client = signed_in(user)
    [read] = statements(client)
    assert read.lstrip().startswith("SELECT")
    assert "tasks_user" in read


def test_use_is_noted_every_five_minutes_at_most(user: User) -> None:
    client = signed_in(user)
    age(last_used_at=timedelta(minutes=4))
    assert len(statements(client)) == 1
    age(last_used_at=timedelta(minutes=6))
    assert [sql.split()[0] for sql in statements(client)] == ["SELECT", "UPDATE"]
    assert len(statements(client)) == 1
    assert OpenSession.objects.filter(last_used_at__gt=Now() - timedelta(minutes=1)).exists()


def test_who_reads_goes_on_reading_where_nothing_can_be_written(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_given: object) -> None:
        raise DatabaseError("disk is full")

    monkeypatch.setattr(guard, "note_use", full)
    client = signed_in(user)
    age(last_used_at=timedelta(minutes=6))
    assert is_in(client)


def seen_from_outside(client: Client) -> bool:
    """As the waiting room asks, before a request is read."""
    request = HttpRequest()
    request.session = SessionStore(client.cookies["sessionid"].value)
    return lets_in(request)


def test_sessions_are_known_without_changing_anything(user: User) -> None:
    client = signed_in(user)
    assert seen_from_outside(client)
    key = client.session["open_session"]
    session = client.session
    del session["open_session"]
    session.save()
    assert seen_from_outside(client)
    session["open_session"] = key
    session.save()
    OpenSession.objects.all().delete()
    assert not seen_from_outside(client)
    assert "_auth_user_id" in client.session
    assert not OpenSession.objects.exists()


def test_ended_sessions_are_forgotten(user: User, admin: Membership) -> None:
    signed_in(user)
    age(last_used_at=timedelta(days=15))
    kept = signed_in(admin)
    forget_sessions()
    assert [each.user for each in OpenSession.objects.all()] == [admin.user]
    assert is_in(kept)


def test_nobody_comes_in_by_the_session_of_another(user: User, admin: Membership) -> None:
    client = signed_in(user)
    signed_in(admin)
    OpenSession.objects.filter(user=user).delete()
    OpenSession.objects.update(digest=OpenSession.digest_of(client.session["open_session"]))
    assert not is_in(client)


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (FIREFOX, ("Firefox", "Linux")),
        (
            f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/130.0 Safari/537.36",
            ("Chrome", "Windows"),
        ),
        (
            f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/130.0 Safari/537.36 Edg/130.0",
            ("Edge", "Windows"),
        ),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) {WEBKIT} Mobile/15E Safari/604",
            ("Safari", "iOS"),
        ),
        (
            f"Mozilla/5.0 (Linux; Android 14) {WEBKIT} SamsungBrowser/25.0 Chrome/121.0 Safari/537",
            ("Samsung Internet", "Android"),
        ),
        ("curl/8.5.0", ("", "")),
        ("", ("", "")),
    ],
)
def test_browsers_are_named_as_people_know_them(
    user: User, agent: str, expected: tuple[str, str]
) -> None:
    client = Client(headers={"user-agent": agent})
    client.post("/login/", {"username": "pine", "password": PASSWORD})
    session = OpenSession.objects.get()
    assert (session.browser, session.system) == expected


@pytest.mark.parametrize(
    ("network", "shown"),
    [("192.0.2.77", "192.0.2.x"), ("2001:db8:1:2::", "2001:db8:1::/48"), (None, "")],
)
def test_addresses_are_shortened(network: str | None, shown: str) -> None:
    assert shortened(network) == shown
