"""A line of JSON for every request: who and where, and nothing of what was said."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from annotation_site import request_log
from annotation_site import urls as site_urls
from annotation_site.request_log import (
    HideSecrets,
    JsonFormatter,
    RequestLogMiddleware,
    current_request_id,
)
from tasks.models import ApiToken
from tests.factories import PASSWORD, make_campaign, make_item, make_member

NEW_ID = r"[0-9a-f]{32}"


def broken(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError("it broke")


def forbidden(_request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


urlpatterns = [*site_urls.urlpatterns, path("broken", broken), path("forbidden", forbidden)]


class Log:
    def __init__(self, stream: StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    def answered(self) -> list[dict[str, Any]]:
        """The log's line of each request, without its time."""
        found = [line for line in self.lines() if line["message"] == "answered"]
        for line in found:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
            assert 0 < line.pop("ms") < 600_000
        return found


@pytest.fixture
def log() -> Iterator[Log]:
    """All that production would write, whatever the format of this run."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(HideSecrets())
    root, level = logging.getLogger(), request_log.logger.level
    root.addHandler(handler)
    request_log.logger.setLevel(logging.INFO)
    yield Log(stream)
    root.removeHandler(handler)
    request_log.logger.setLevel(level)


def test_request_is_one_line(log: Log) -> None:
    response = Client().get("/healthz?token=abc", headers={"X-Request-ID": "proxy-0001"})
    assert response["X-Request-ID"] == "proxy-0001"
    assert log.answered() == [
        {
            "level": "INFO",
            "logger": "annotation_site.request_log",
            "message": "answered",
            "request_id": "proxy-0001",
            "method": "GET",
            "path": "/healthz",
            "status": 200,
            "user": None,
        }
    ]
    assert current_request_id.get() == ""


@pytest.mark.parametrize(
    "given", ["", "short", "a" * 65, "with space", "<script>1</script>", "é" * 9]
)
def test_id_that_is_not_valid_is_replaced(given: str) -> None:
    response = Client().get("/healthz", headers={"X-Request-ID": given})
    assert re.fullmatch(NEW_ID, response["X-Request-ID"])


def test_every_request_has_an_id_of_its_own() -> None:
    ids = {Client().get("/healthz")["X-Request-ID"] for _ in range(20)}
    assert len(ids) == 20


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "status"), [("/broken", 500), ("/forbidden", 403), ("/nowhere/", 404)]
)
@pytest.mark.django_db
def test_page_of_an_error_says_the_id_that_the_log_has(log: Log, address: str, status: int) -> None:
    response = Client(raise_request_exception=False).get(address)
    [line] = log.answered()
    assert (line["status"], line["path"]) == (status, address)
    assert re.fullmatch(NEW_ID, line["request_id"])
    assert f"<code>{line['request_id']}</code>" in response.content.decode()
    assert {each["request_id"] for each in log.lines()} == {line["request_id"]}


@pytest.mark.urls(__name__)
@pytest.mark.django_db
def test_exception_is_part_of_its_line(log: Log) -> None:
    Client(raise_request_exception=False).get("/broken")
    [failed] = [line for line in log.lines() if line["level"] == "ERROR"]
    assert (failed["logger"], failed["message"]) == (
        *("django.request", "Internal Server Error: /broken"),
    )
    assert failed["exception"].endswith("RuntimeError: it broke")


@pytest.mark.django_db
def test_log_has_the_number_of_the_reader_and_no_secret_nor_answer(log: Log) -> None:
    campaign = make_campaign("rivers", overlap=1)
    make_item(campaign)
    member = make_member(campaign, username="ann-of-the-hills")
    user = member.user
    assert user is not None
    token = ApiToken.issue(user)
    client = Client(REMOTE_ADDR="203.0.113.77", HTTP_USER_AGENT="a-browser")
    api: Any = {"HTTP_AUTHORIZATION": f"Token {token}", "content_type": "application/json"}
    work = client.post("/api/v1/campaigns/rivers/claim?q=sought", {}, **api).json()
    body = {"q1": False, "q2": True, "comment": "my-own-words"}
    address = f"/api/v1/assignments/{work['assignment']}/rating"
    key: Any = {"HTTP_IDEMPOTENCY_KEY": work["idempotency_key"]}
    assert client.post(address, body, **api, **key).status_code == 201
    client.post("/login/", {"username": "ann-of-the-hills", "password": "wrong-password"})
    client.post("/login/", {"username": "ann-of-the-hills", "password": PASSWORD})
    client.get("/join/kJh7_-sd89sdfxyz/")
    assert [(line["status"], line["path"], line["user"]) for line in log.answered()] == [
        (200, "/api/v1/campaigns/rivers/claim", user.pk),
        (201, address, user.pk),
        (200, "/login/", None),
        (302, "/login/", user.pk),
        (404, "/join/…/", None),
    ]
    for secret in (
        *(token, PASSWORD, "wrong-password", "my-own-words", "sought", "kJh7_-sd89sdfxyz"),
        *("203.0.113.77", "a-browser", client.cookies["sessionid"].value, "far from the sea"),
    ):
        assert secret not in log.text


def test_nobody_is_looked_up_for_the_log(log: Log) -> None:
    """Whoever the view did not ask for stays unknown; without the database this would fail."""
    client = Client()
    client.cookies["sessionid"] = "s" * 32
    assert client.get("/healthz").status_code == 200
    assert log.answered()[0]["user"] is None


def test_nothing_is_logged_of_requests_unless_it_is_wanted() -> None:
    assert not request_log.logger.isEnabledFor(logging.INFO)
    response = RequestLogMiddleware(lambda _request: HttpResponse())(RequestFactory().get("/"))
    assert response["X-Request-ID"]
