"""Threads and inboxes over the API."""

from collections.abc import Callable
from typing import Any

import pytest

from tasks.access.workflow import make_token
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Membership, OpenedAnswer, Thread
from tasks.votes.workflow import show_votes
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.api_client import ApiClient
from tests.tasks.talk.conversations import REASON, flagged_by, hold, inbox_of, say, thread

__all__ = ["thread"]

As = Callable[[Membership | None], ApiClient]


def results(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200
    found: list[dict[str, Any]] = response.json()["results"]
    return found


def post(client: ApiClient, path: str, body: object, key: str = "key-1") -> Any:
    return client.send("POST", f"rivers/{path}", body, **{"Idempotency-Key": key})


def test_thread_as_both_sides_see_it(
    thread: Thread, rater: Membership, admin: Membership, as_member: As
) -> None:
    path = f"threads/{thread.pk}/messages"
    sent = post(as_member(admin), path, {"text": " Which one? "})
    assert sent.status_code == 201
    assert sent.json() | {"id": 0, "created_at": ""} == {
        "id": 0,
        "author": "oak",
        "own": True,
        "kind": "words",
        "text": "Which one?",
        "created_at": "",
        "shared": False,
    }
    [seen] = results(as_member(rater).get("rivers/threads"))
    assert seen["item"].startswith("i-")  # what the item is called is not for raters
    assert (seen["unread"], seen["has_open_flag"]) == (1, True)
    found = results(as_member(rater).get(f"rivers/{path}"))
    assert [(row["author"], row["text"], row["own"]) for row in found] == [
        ("oak", "Which one?", False),
        (rater.pseudonym, REASON, True),
    ]
    assert inbox_of(rater) == []
    [seen] = results(as_member(admin).get("rivers/threads?flagged=true"))
    assert (seen["item"], seen["rater"]) == (thread.item.key, rater.pseudonym)
    assert results(as_member(admin).get("rivers/threads?unread=false")) == []


def test_repeated_message_is_stored_once(thread: Thread, rater: Membership, as_member: As) -> None:
    client, path = as_member(rater), f"threads/{thread.pk}/messages"
    first, again = (post(client, path, {"text": "The last."}) for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    other = post(client, path, {"text": "The first."})
    assert (other.status_code, other.json()) == (
        409,
        {"detail": "this idempotency key was used for another message"},
    )
    assert thread.messages.count() == 2


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "  "}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"text": 3}, None),
        ({}, "text"),
        ({"text": "x", "to": "oak"}, "to"),
    ],
)
def test_what_is_no_message_is_refused_by_its_field(
    thread: Thread, rater: Membership, as_member: As, body: object, field: str | None
) -> None:
    response = post(as_member(rater), f"threads/{thread.pk}/messages", body)
    if field is None:  # a number is the text that it is written as
        assert response.status_code == 201
        return
    assert (response.status_code, response.json()["field"]) == (400, field)
    assert thread.messages.count() == 1


def test_threads_of_others_are_not_there(
    thread: Thread, researcher: Membership, as_member: As
) -> None:
    fellow = make_member(thread.item.campaign, "rater")
    for who in (fellow, researcher):
        client = as_member(who)
        assert results(client.get("rivers/threads")) == []
        assert client.get(f"rivers/threads/{thread.pk}/messages").status_code == 404
        sent = post(client, f"threads/{thread.pk}/messages", {"text": "Hello"})
        assert sent.status_code == 404


def test_who_is_to_rate_the_item_waits(rater: Membership, admin: Membership, as_member: As) -> None:
    flag = flagged_by(rater)
    hold(admin, flag.item_id)
    path = f"threads/{Thread.objects.get().pk}/messages"
    client = as_member(admin)
    for response in (client.get(f"rivers/{path}"), post(client, path, {"text": "Hello"})):
        assert response.status_code == 404
    assert results(client.client.get("/api/v1/inbox")) == []
    for kind in ("threads", "flags"):
        assert results(client.get(f"rivers/{kind}")) == []


def test_admin_starts_a_thread(rater: Membership, admin: Membership, as_member: As) -> None:
    flag = flagged_by(rater)
    client = as_member(admin)
    body = {"item": flag.item.key, "rater": rater.pseudonym, "text": "Why?"}
    assert post(client, "threads", body).status_code == 409  # not before its votes may be seen
    show_votes(member=admin, items=[flag.item_id])
    assert post(client, "threads", body).status_code == 201
    assert post(client, "threads", body).status_code == 200
    assert inbox_of(rater) == ["Why?"]
    for field, value in (("item", "nothing"), ("rater", "nobody")):
        refused = post(client, "threads", {**body, field: value}, key="key-2")
        assert (refused.status_code, refused.json()["field"]) == (400, field)
    assert post(as_member(rater), "threads", body).status_code == 403


def test_inbox_is_read_and_marked(
    thread: Thread, rater: Membership, admin: Membership, as_member: As
) -> None:
    say(thread, rater, "Hello, @oak?")
    client = as_member(admin).client
    [entry] = client.get("/api/v1/inbox?unread=true").json()["results"]
    assert entry | {"id": 0, "created_at": ""} == {
        "id": 0,
        "campaign": "rivers",
        "thread": thread.pk,
        "unread": 2,
        "author": rater.pseudonym,
        "kind": "words",
        "text": "Hello, @oak?",
        "created_at": "",
        "mentions_you": True,
    }
    marked = client.post("/api/v1/inbox/read", content_type="application/json")
    assert marked.json() == {"marked": 2}
    assert client.get("/api/v1/inbox?unread=true").json()["results"] == []
    [entry] = client.get("/api/v1/inbox?unread=false").json()["results"]
    assert entry["unread"] == 0


def test_answer_is_shown_to_everybody_who_rates_the_item(
    thread: Thread, rater: Membership, admin: Membership, as_member: As
) -> None:
    message = say(thread, admin, "The last sentence counts.")
    fellow = as_member(other := make_member(rater.campaign))
    mine = f"/api/v1/assignments/{hold(other, thread.item_id).pk}"
    assert fellow.client.get(mine).json()["has_answers"] is False
    assert results(fellow.client.get(f"{mine}/answers")) == []
    share = f"rivers/threads/{thread.pk}/messages/{message.pk}/share"
    for _time in range(2):
        shared = as_member(admin).send("POST", share, {})
        assert (shared.status_code, shared.json()["shared"]) == (200, True)
    assert as_member(rater).send("POST", share, {}).status_code == 403
    question = thread.messages.get(kind="flag")
    others = f"rivers/threads/{thread.pk}/messages/{question.pk}/share"
    assert as_member(admin).send("POST", others, {}).status_code == 409
    assert fellow.client.get(mine).json()["has_answers"] is True
    [found] = results(fellow.client.get(f"{mine}/answers"))
    assert found | {"id": 0, "shared_at": ""} == {
        "id": 0,
        "text": "The last sentence counts.",
        "shared_at": "",
    }
    assert OpenedAnswer.objects.get().rater == other


def test_token_of_one_campaign_sees_the_inbox_of_that_one(
    thread: Thread, admin: Membership, as_member: As
) -> None:
    lakes = make_campaign("lakes")
    make_item(lakes)
    assert admin.user is not None
    add_member(campaign=lakes, user=admin.user, role="admin")
    flagged_by(make_member(lakes, "rater", "fern"), "elsewhere")
    _token, key = make_token(user=admin.user, campaign=lakes)
    client = as_member(None).client
    headers = {"Authorization": f"Token {key}"}
    found = client.get("/api/v1/inbox", headers=headers).json()["results"]
    assert [row["text"] for row in found] == ["elsewhere"]
    assert client.post(
        "/api/v1/inbox/read", content_type="application/json", headers=headers
    ).json() == {"marked": 1}
    assert inbox_of(admin) == [REASON]
