"""What is answered when nothing can be: by pages and by the API."""

import errno
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client

from tasks.models import ApiToken, Membership
from tasks.storing import outages
from tasks.storing.outages import Unwritable
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
    monkeypatch.setattr(outages, "is_outage", lambda _error: False)
    responses = [page(rater), call(rater)]
    assert [response.status_code for response in responses] == [500, 500]
    assert "Something went wrong" in responses[0].content.decode()
    assert responses[1].content == b'{"detail": "something went wrong, and was recorded"}'


def test_statement_that_is_wrong_is_no_outage(db: None) -> None:
    with pytest.raises(DatabaseError) as caught, connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM there_is_no_such_table")
    assert not outages.is_outage(caught.value)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), Unwritable.FULL),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), Unwritable.FULL),
        (OSError(errno.EROFS, "Read-only file system"), Unwritable.READ_ONLY),
        (OSError(errno.ENOENT, "No such file or directory"), None),
        (ValueError("No space left on device"), None),
        (None, None),
    ],
)
def test_files_that_cannot_be_written_are_an_outage(
    error: Exception | None, why: Unwritable | None
) -> None:
    assert outages.why_unwritable(error) is why
    assert outages.is_outage(error) is (why is not None)
