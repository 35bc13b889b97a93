"""Files as bodies of calls: taken in whole or not at all, and bounded before they are read."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tasks.models import (
    Adjudication,
    Campaign,
    Candidate,
    Item,
    Membership,
    Question,
    Rating,
    Suggestion,
    System,
)
from tasks.storing.import_run import ImportRefused
from tests.tasks.api_client import ApiClient
from tests.tasks.conftest import MakeCampaign, MakeMember

AsMember = Callable[[Membership | None], ApiClient]

QUESTION = {"id": "q-1", "question": "Where?", "context": "Here.", "references": ["here"]}
ITEM = {"id": "new-1", **{k: v for k, v in QUESTION.items() if k != "id"}, "candidate": "there"}
FILES: dict[str, dict[str, Any]] = {
    "questions": QUESTION,
    "predictions": {"id": "question-1", "prediction": "elsewhere"},
    "items": ITEM,
    "ratings": {"item_id": "item-1", "rater": "ann", "label": "equivalent"},
    "adjudications": {"id": "item-1", "adjudicator": "bob", "label": "equivalent"},
    "answers": {
        "question_id": "question-1",
        "question": "Question 1?",
        "references": ["reference 1"],
        "system": "willow",
        "candidate": "Reference 1!",
        "settled": "exact",
    },
    "suggestions": {"id": "item-1", "score": 4.5},
}
QUERIES = {"predictions": "&system=willow", "suggestions": "&matcher=lerc&low=1&high=5"}


@pytest.fixture
def admin(make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(make_campaign(items=1), role="admin"))


def send(caller: ApiClient, kind: str, content: bytes, query: str = "", **extra: Any) -> Any:
    address = f"/api/v1/campaigns/campaign-1/imports/{kind}?{query}"
    return caller.client.generic("POST", address, content, **extra)


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("questions", {"documents": 1, "questions": 1, "unanswerable": 0, "references": 1}),
        ("items", {"items_created": 1, "items_existing": 0}),
        ("adjudications", None),
        ("ratings", None),
        ("predictions", None),
        ("answers", {"answers": 1, "questions_created": 0, "candidates": 1, "items_created": 0}),
        ("suggestions", {"suggestions_created": 1, "suggestions_existing": 0}),
    ],
)
def test_a_file_is_taken_in_once(
    admin: ApiClient, kind: str, counts: dict[str, int] | None
) -> None:
    line = json.dumps(FILES[kind]).encode()
    query = "format=jsonl&name=mine.jsonl" + QUERIES.get(kind, "")
    first, second = (send(admin, kind, line, query) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200), first.json()
    if counts is not None:
        nothing = {"skipped": [], "skipped_by_reason": {}, "skipped_in_all": 0}
        assert first.json() == {"counts": counts, **nothing}
    made = (Question, Rating, Adjudication, Item, Suggestion)
    before = [model.objects.count() for model in made]
    assert send(admin, kind, line, query).status_code == 200
    assert [model.objects.count() for model in made] == before


def test_what_is_skipped_is_counted_by_reason_and_named(admin: ApiClient) -> None:
    line = json.dumps(QUESTION).encode()
    send(admin, "questions", line, "format=jsonl")
    told = send(admin, "questions", line, "format=jsonl").json()
    assert told["skipped"] == [{"line": 1, "id": "q-1", "reason": "already exists"}]
    assert (told["skipped_by_reason"], told["skipped_in_all"]) == ({"already exists": 1}, 1)


def test_predictions_for_no_question_of_the_campaign_are_refused(admin: ApiClient) -> None:
    line = json.dumps({"id": "elsewhere", "prediction": "there"}).encode()
    response = send(admin, "predictions", line, "format=jsonl&system=willow")
    assert (response.status_code, response.json()["field"]) == (400, "id")
    assert (Candidate.objects.count(), System.objects.filter(name="willow").count()) == (0, 0)


def test_exact_predictions_are_rated_where_that_is_asked(admin: ApiClient) -> None:
    line = json.dumps({"id": "question-1", "prediction": "reference 1"}).encode()
    query = "format=jsonl&system=willow"
    counts = [
        send(admin, "predictions", line, f"{query}{more}").json()["counts"]
        for more in ("", "&rate_exact=true", "&rate_exact=true")
    ]
    assert [(each["exact_matches"], each["items_created"]) for each in counts] == [
        (1, 0),
        (0, 1),
        (0, 0),
    ]


def test_an_import_that_is_refused_for_now_is_a_conflict(
    admin: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_arguments: object) -> None:
        raise ImportRefused("another import into campaign-1 is running")

    monkeypatch.setattr("tasks.intake.api.take_in", refuse)
    response = send(admin, "items", json.dumps(ITEM).encode(), "format=jsonl")
    assert response.status_code == 409
    assert response.json() == {"detail": "another import into campaign-1 is running"}


def test_a_wrong_line_is_named_and_nothing_is_stored(admin: ApiClient) -> None:
    lines = [ITEM, {**ITEM, "id": "new-2", "references": True}]
    content = "\n".join(json.dumps(line) for line in lines).encode()
    response = send(admin, "items", content, "format=jsonl&name=mine/items.jsonl")
    assert response.status_code == 400
    told = response.json()
    assert (told["line"], told["field"]) == (2, "references")
    assert told["detail"].startswith("mine/items.jsonl, line 2, field references: ")
    assert Campaign.objects.get().items.count() == 1


@pytest.mark.parametrize(
    ("kind", "query", "field"),
    [
        ("items", "format=squad", "format"),
        ("items", "format=exe", "format"),
        ("predictions", "format=jsonl", "system"),
        ("suggestions", "format=jsonl", "matcher"),
        ("suggestions", "format=jsonl&matcher=lerc&low=5&high=1", "high"),
        ("suggestions", "format=jsonl&matcher=lerc&low=2", "high"),
        ("suggestions", "format=jsonl&matcher=lerc&low=-1e308&high=1e308", "high"),
        ("suggestions", "format=jsonl&matcher=lerc&threshold=2", "threshold"),
        ("suggestions", "format=jsonl&matcher=em", "matcher"),
        ("items", "colour=red", "colour"),
        ("items", "name=a%00b", "name"),
        ("items", "format=jsonl", "file"),  # it is empty
    ],
)
def test_what_is_asked_wrongly_is_400(admin: ApiClient, kind: str, query: str, field: str) -> None:
    content = b"" if field == "file" else b"{}"
    response = send(admin, kind, content, query, headers={"Content-Length": str(len(content))})
    assert (response.status_code, response.json()["field"]) == (400, field)


def test_a_file_without_length_or_too_large_is_not_read(admin: ApiClient) -> None:
    assert send(admin, "items", b"").status_code == 411
    unread = io.BytesIO(b"{}")
    for length, code in ((str(1 << 40), 413), ("9" * 5000, 413), ("-1", 411), ("²", 411)):
        extra: dict[str, Any] = {"CONTENT_LENGTH": length, "wsgi.input": unread}
        assert send(admin, "items", b"{}", **extra).status_code == code
    assert unread.tell() == 0


def test_a_file_that_was_cut_off_is_refused(admin: ApiClient) -> None:
    whole = b"\n".join(json.dumps({**ITEM, "id": f"n-{n}"}).encode() for n in range(2))
    cut = whole[: whole.index(b"\n") + 1]  # every line of it could be read
    extra: dict[str, Any] = {"CONTENT_LENGTH": str(len(whole)), "wsgi.input": io.BytesIO(cut)}
    response = send(admin, "items", whole, "format=jsonl", **extra)
    assert (response.status_code, "ended" in response.json()["detail"]) == (400, True)
    assert Campaign.objects.get().items.count() == 1


def test_there_is_no_other_kind(admin: ApiClient) -> None:
    assert send(admin, "members", b"{}").status_code == 404


def test_the_newest_annotation_is_taken_where_that_is_asked(admin: ApiClient) -> None:
    def annotation(label: str, day: int) -> dict[str, Any]:
        chosen = {"from_name": "label", "type": "choices", "value": {"choices": [label]}}
        return {"completed_by": 1, "result": [chosen], "updated_at": f"2026-03-0{day}"}

    given = [annotation("equivalent", 2), annotation("not-equivalent", 1), {"result": []}]
    data = {name: value for name, value in ITEM.items() if name != "id"}
    content = json.dumps([{"id": 5, "data": data, "annotations": given}]).encode()
    refused = send(admin, "ratings", content, "format=label-studio")
    assert (refused.status_code, Rating.objects.count()) == (400, 0)
    assert refused.json()["field"] == "[0].annotations[1].completed_by"
    told = send(admin, "ratings", content, "format=label-studio&newest=true").json()
    reasons = ("older annotation by the same rater", "empty annotation")
    assert told["skipped"] == [{"line": 1, "id": "5", "reason": reason} for reason in reasons]
    assert [rating.outcome.label for rating in Rating.objects.all()] == ["equivalent"]
