"""The answers of pages and of the API when nothing can be answered."""

from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client
from psycopg.errors import QueryCanceled

from tasks.models import ApiToken, Campaign, Membership
from tasks.storing import refusals
from tests.tasks.browsers import signed_in

DETAIL = "the database is busy or cannot be reached; try again in a few seconds"


def gone(*_arguments: Any, **_named: Any) -> None:
    raise OperationalError("server closed the connection unexpectedly")


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away once it is known who asks."""
    monkeypatch.setattr("tasks.access.guards.pages.membership_in", gone)
    monkeypatch.setattr("tasks.rating.api.rating.claim_item", gone)


def page(rater: Membership) -> Any:
    client = signed_in(rater)
    client.raise_request_exception = False
    return client.get("/c/rivers/rate/")


def call(rater: Membership) -> Any:
    assert rater.user is not None
    token = {"Authorization": f"Token {ApiToken.issue(rater.user)}"}
    client = Client(raise_request_exception=False)
    return client.post("/api/v1/campaigns/rivers/claim", headers=token)


@pytest.mark.usefixtures("outage")
def test_outage_of_the_database_is_503_on_pages(rater: Membership) -> None:
    response = page(rater)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "The site is unavailable at the moment" in response.content.decode()


@pytest.mark.usefixtures("outage")
def test_outage_of_the_database_is_503_in_the_api(rater: Membership) -> None:
    response = call(rater)
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert response.content.decode() == f'{{"detail":"{DETAIL}"}}'


@pytest.mark.usefixtures("outage")
def test_outage_is_500_where_nobody_asks_whether_it_is_one(
    rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "is_outage", lambda _error: False)
    responses = [page(rater), call(rater)]
    assert [response.status_code for response in responses] == [500, 500]
    assert "Something went wrong" in responses[0].content.decode()
    assert responses[1].content == b'{"detail": "something went wrong, and was recorded"}'


def test_form_without_a_csrf_token_is_refused_with_a_page(rater: Membership) -> None:
    client = Client(enforce_csrf_checks=True)
    assert rater.user is not None
    client.force_login(rater.user, backend="django.contrib.auth.backends.ModelBackend")
    response = client.post("/c/rivers/rate/1/", {"action": "submit"})
    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


def test_statement_that_is_wrong_is_no_outage(db: None) -> None:
    with pytest.raises(DatabaseError) as caught, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM there_is_no_such_table")
    assert not refusals.is_outage(caught.value)


TOO_LONG = "the database took too long and the call was stopped; try again later"


def take_too_long(*_arguments: Any, **_named: Any) -> None:
    """A statement that PostgreSQL ends at its limit, in a transaction that has changed something.

    SQLite knows no limit: there it is as if it had one.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        Campaign.objects.update(title="Streams")
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = '50ms'")
            cursor.execute("SELECT pg_sleep(60)")
        raise OperationalError from QueryCanceled()


def test_statement_that_takes_too_long_is_503_and_the_next_request_is_answered(
    rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("tasks.access.guards.pages.membership_in", take_too_long)
        patch.setattr("tasks.rating.api.rating.claim_item", take_too_long)
        responses = [page(rater), call(rater)]
    assert [(each.status_code, each["Retry-After"]) for each in responses] == [(503, "5")] * 2
    assert "took the database too long" in responses[0].content.decode()
    assert responses[1].content.decode() == f'{{"detail":"{TOO_LONG}"}}'
    assert Campaign.objects.get().title == "Rivers"
    assert (page(rater).status_code, call(rater).status_code) == (200, 200)
