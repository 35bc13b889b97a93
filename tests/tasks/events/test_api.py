"""Webhooks over the API."""

from collections.abc import Callable
from typing import Any

import pytest

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import Campaign, EventKind, Webhook
from tests.factories import make_campaign, make_member
from tests.tasks.api_client import ApiClient

ALL = "/api/v1/campaigns/rivers/webhooks"
NEW = {"url": "https://receiver.example.org/hook", "events": ["job.done", "rating.stored"]}


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


Call = Callable[..., tuple[int, Any]]


@pytest.fixture
def call(campaign: Campaign) -> Call:
    """Status and body of an admin's call."""
    client = ApiClient(make_member(campaign, "admin")).client

    def made(method: str, path: str = "", body: object = None) -> tuple[int, Any]:
        send = getattr(client, method)
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = send(ALL + path, **given)
        return answer.status_code, answer.json() if answer.content else None

    return made


def test_webhook_is_registered_listed_changed_and_deleted(call: Call) -> None:
    status, made = call("post", body=NEW)
    number = made["id"]
    secret = made.pop("secret")
    assert status == 201
    assert made | {"created_at": ""} == {
        "id": number,
        "url": NEW["url"],
        "events": ["rating.stored", "job.done"],
        "is_active": True,
        "failures": 0,
        "failing_since": None,
        "switched_off_because": "",
        "created_at": "",
    }
    assert Webhook.objects.get().secret == secret
    assert call("get") == (200, {"next": None, "previous": None, "results": [made]})
    assert call("get", f"/{number}") == (200, made)
    changes = {"events": ["job.failed"], "is_active": False, "secret": "s" * 16}
    changed = made | {"events": ["job.failed"], "is_active": False}
    assert call("patch", f"/{number}", changes) == (200, changed)
    assert Webhook.objects.get().secret == "s" * 16
    assert call("patch", f"/{number}", {"is_active": True})[1]["is_active"]
    assert call("delete", f"/{number}") == (204, None)
    assert call("get", f"/{number}")[0] == 404
    assert call("get")[1]["results"] == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"url": "ftp://receiver.example.org"}, "url"),
        ({"url": "https://a]b"}, "url"),
        ({"events": []}, "events"),
        ({"events": ["webhook.tried"]}, "events"),
        ({"events": ["rating__item"]}, "events"),
        ({"secret": "short"}, "secret"),
    ],
)
def test_wrong_field_is_named(call: Call, wrong: dict[str, object], field: str) -> None:
    status, answer = call("post", body={**NEW, **wrong})
    assert (status, answer["field"].partition(".")[0]) == (400, field)
    assert not Webhook.objects.exists()


def test_counts_and_reasons_are_not_set_from_outside(call: Call, campaign: Campaign) -> None:
    number = call("post", body=NEW)[1]["id"]
    call("patch", f"/{number}", {"failures": 9, "campaign": 1, "switched_off_because": "x"})
    found = Webhook.objects.get()
    assert (found.failures, found.campaign, found.switched_off_because) == (0, campaign, "")


def test_deliveries_say_what_became_of_each_event(call: Call, campaign: Campaign) -> None:
    number = call("post", body=NEW)[1]["id"]
    note_events(campaign.pk, NewEvent(EventKind.JOB_DONE, {"job": 1, "kind": "suggest"}))
    status, tried = call("post", f"/{number}/trial")
    assert (status, tried["kind"], tried["state"]) == (202, "webhook.tried", "waiting")
    status, page = call("get", f"/{number}/deliveries?limit=1")
    assert [each["kind"] for each in page["results"]] == ["webhook.tried"]
    cursor = page["next"].partition("?")[2]
    [event] = call("get", f"/{number}/deliveries?{cursor}")[1]["results"]
    assert (event["kind"], event["attempts"], event["error"]) == ("job.done", 0, "")
    assert call("get", f"/{number}/deliveries?ordering=-sent_at")[0] == 400
