"""Leaderboards and submissions over HTTP."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tasks.models import Membership, Release, Submission
from tasks.releases.workflow.listing import withdraw_release
from tests.factories import make_member
from tests.tasks.api_client import ApiClient
from tests.tasks.evaluations.leaderboards import answers, as_file, make_release, submit, work

pytestmark = pytest.mark.slow


ADDRESS = "/api/v1/campaigns/lakes/releases/1.0.0"
BOARD = "lakes/releases/1.0.0/leaderboard"
AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def release(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setattr("tasks.evaluations.work.suggesting_matchers", lambda: ("em", "f1"))
    return make_release(tmp_path)


@pytest.fixture
def researcher(release: Release, as_member: AsMember) -> ApiClient:
    return as_member(make_member(release.campaign, "researcher"))


def send(client: ApiClient, body: object, address: str = "submissions") -> tuple[int, Any]:
    response = client.client.post(
        f"{ADDRESS}/{address}", json.dumps(body), content_type="application/json"
    )
    return response.status_code, json.loads(response.content)


def upload(client: ApiClient, content: bytes, **fields: str) -> tuple[int, Any]:
    file = SimpleUploadedFile("answers.json", content)
    response = client.client.post(
        f"{ADDRESS}/submissions", {"system": "cedar", "file": file, **fields}
    )
    return response.status_code, json.loads(response.content)


def test_a_file_and_a_body_say_the_same(release: Release, researcher: ApiClient) -> None:
    status, made = upload(researcher, as_file(answers(9)), description="A large one.")
    assert status == 201
    assert (made["system"], made["split"], made["predictions"]) == ("cedar", "test", 12)
    status, other = send(
        researcher, {"system": "birch", "predictions": answers(9), "split": "test"}
    )
    assert status == 201
    assert researcher.get(BOARD).status_code == 202
    work()
    found = researcher.get(BOARD)
    assert found.status_code == 200
    document = found.json()
    assert (document["digest"], document["split"], document["is_current"]) == (
        *(release.digest, "test", True),
    )
    rows = {row["system"]: row for row in document["rows"]}
    assert rows["cedar"]["description"] == "A large one."
    assert rows["cedar"]["file_sha256"] == made["file_sha256"] != other["file_sha256"]
    assert {name: row["scores"]["em"]["ranks"] for name, row in rows.items()} == {
        "cedar": [1, 2],
        "birch": [1, 2],
    }
    assert rows["cedar"]["scores"]["em"]["value"] == rows["birch"]["scores"]["em"]["value"] == 0.75


@pytest.mark.parametrize(
    ("body", "status", "answer"),
    [
        ({"predictions": {}}, 400, {"detail": "This field is required.", "field": "system"}),
        (
            {"system": "cedar", "predictions": {"elsewhere": "b"}},
            400,
            {
                "detail": "predictions.json: question 'elsewhere' and all others are not among "
                "those asked, such as 'question-1'",
                "field": "file",
            },
        ),
        (
            {"system": "cedar", "predictions": {"question-1": ["a"]}},
            400,
            {
                "detail": "predictions.json, line 2, field question-1[0]: must be an "
                "object, not text",
                "field": "file",
            },
        ),
        (
            {"system": "cedar", "predictions": {"question-1": "a"}, "split": "dev"},
            400,
            {"detail": "no split 'dev'; the splits are test, *", "field": "split"},
        ),
    ],
)
def test_wrong_bodies_are_refused(
    release: Release, researcher: ApiClient, body: object, status: int, answer: object
) -> None:
    assert send(researcher, body) == (status, answer)
    assert not Submission.objects.exists()


def test_wrong_files_are_refused_with_the_line(release: Release, researcher: ApiClient) -> None:
    status, answer = upload(researcher, b'{"question-1": "a",\n"question-2": }')
    assert (status, answer["field"]) == (400, "file")
    assert answer["detail"].startswith("answers.json, line 2")
    assert upload(researcher, b"{}", format="parquet")[1]["field"] == "format"


def test_more_than_is_read_is_refused_before_it_is_read(
    release: Release, researcher: ApiClient
) -> None:
    body, kind = b" " * (18 << 20), "application/json"
    response = researcher.client.post(f"{ADDRESS}/submissions", body, content_type=kind)
    said: dict[str, Any] = {"CONTENT_LENGTH": "9" * 5000}
    again = researcher.client.post(f"{ADDRESS}/submissions", b"{}", content_type=kind, **said)
    assert again.json() == response.json()
    assert (response.status_code, response.json()["detail"]) == (
        *(413, "at most 16,777,216 bytes of predictions are accepted"),
    )


def test_a_withdrawn_release_refuses_and_says_why(release: Release, researcher: ApiClient) -> None:
    withdraw_release(release=release, reason="Names are in it.")
    assert send(researcher, {"system": "cedar", "predictions": answers(1)}) == (
        *(409, {"detail": "release 1.0.0 was withdrawn: Names are in it."}),
    )


def test_withdrawing_is_for_who_submitted_and_for_admins(
    release: Release, researcher: ApiClient, as_member: AsMember
) -> None:
    made = submit(release, "cedar", answers(2))
    address, body = f"submissions/{made.pk}/withdrawal", {"reason": "Wrong file."}
    assert send(researcher, body, address) == (
        *(409, {"detail": "only its submitter and admins can withdraw a submission"}),
    )
    admin = as_member(make_member(release.campaign, "admin"))
    assert send(admin, {"reason": ""}, address)[0] == 400
    assert send(admin, body, address) == (
        *(201, {"id": made.pk, "reason": "Wrong file.", "role": "admin"}),
    )
    assert send(admin, body, "submissions/0/withdrawal")[0] == 404
    row = researcher.get(BOARD).json()["rows"][0]
    assert (row["state"], row["withdrawn"]["reason"]) == ("withdrawn", "Wrong file.")


def test_what_there_is_not_is_not_found(release: Release, researcher: ApiClient) -> None:
    assert researcher.get("lakes/releases/9.9.9/leaderboard").status_code == 404
    assert researcher.get(f"{BOARD}?split=dev").status_code == 404
