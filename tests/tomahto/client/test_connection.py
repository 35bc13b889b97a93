"""The client when a connection breaks, a server is busy, or a file is not the one it was."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import pytest

from tests.http_server import Act, LocalServer, answers, breaks_off, resets
from tomahto.client import Client, Damaged, JobEnded, Refused, Unanswered

FILE = bytes(range(256)) * 40
CLAIM = {"assignment": 7, "idempotency_key": "key", "item": {}, "form": {}, "expires_at": ""}


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def client(server: LocalServer, waited: list[float]) -> Iterator[Client]:
    with Client(f"{server.url}/behind/", "secret", wait=waited.append) as client:
        yield client


def as_json(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Act:
    return answers(json.dumps(body), status, headers)


def test_submission_is_sent_again_with_its_key_until_it_is_answered(
    server: LocalServer, client: Client, waited: list[float]
) -> None:
    stored = {"rating": 1, "assignment": 7, "label": "x", "counted": True, "supersedes": None}
    busy = answers("", 503, {"Retry-After": "7"})
    server.script.extend([resets, busy, as_json(stored, 201)])
    claim = {**CLAIM}
    assert client.campaign("rivers").submit(claim, {"q1": True}, seconds=2) == stored  # type: ignore[arg-type]  # what is asked of a claim
    assert waited == [0.25, 7.0]
    assert {(each.path, each.headers["idempotency-key"]) for each in server.received} == {
        ("/behind/api/v1/assignments/7/rating", "key")
    }
    assert [each.json for each in server.received] == [{"answers": {"q1": True}, "seconds": 2}] * 3
    assert server.received[0].headers["authorization"] == "Token secret"


def test_what_may_have_been_done_is_not_asked_for_twice(
    server: LocalServer, client: Client
) -> None:
    server.script.append(resets)
    with pytest.raises(Unanswered):
        client.campaign("rivers").acknowledge(3)
    assert len(server.received) == 1


def test_refusal_says_status_detail_and_field(server: LocalServer, client: Client) -> None:
    server.script.append(as_json({"detail": "too long", "field": "note"}, 400))
    with pytest.raises(Refused) as refused:
        client.campaign("rivers").acknowledge(3, "x")
    assert (refused.value.status, refused.value.detail, refused.value.field) == (
        *(400, "too long"),
        "note",
    )
    server.script.append(answers("<h1>Bad gateway</h1>", 502))
    with pytest.raises(Refused) as refused:
        client.campaign("rivers").claim()
    assert (refused.value.detail, refused.value.field) == ("<h1>Bad gateway</h1>", None)


def test_list_asks_for_a_page_when_it_is_wanted(server: LocalServer, client: Client) -> None:
    next_ = "http://elsewhere.example/api/v1/campaigns/rivers/alerts?cursor=a%3D%3D&state=open"
    server.script.append(as_json({"results": [{"id": 3}, {"id": 2}], "next": next_}))
    found = client.campaign("rivers").alerts(state="open")
    assert [next(found)["id"], next(found)["id"]] == [3, 2]
    assert len(server.received) == 1
    server.script.append(as_json({"results": [{"id": 1}], "next": None}))
    assert [alert["id"] for alert in found] == [1]
    assert [each.path.partition("?")[2] for each in server.received] == [
        "state=open",
        "state=open&cursor=a%3D%3D",
    ]


def test_file_is_imported_whole_after_a_break(server: LocalServer, client: Client) -> None:
    brought = {"counts": {"items_created": 2}, "skipped": [], "skipped_in_all": 0}
    server.script.extend([resets, as_json(brought)])
    assert client.campaign("rivers").import_items(BytesIO(FILE), form="jsonl") == brought
    assert [each.body for each in server.received] == [FILE, FILE]
    assert server.received[1].path == "/behind/api/v1/campaigns/rivers/imports/items?format=jsonl"


def test_job_is_waited_for_until_it_ends(
    server: LocalServer, client: Client, waited: list[float]
) -> None:
    states = ("queued", "running", "done", "failed")
    server.script.extend(as_json({"id": 4, "state": state, "error": "why"}) for state in states)
    assert client.campaign("rivers").wait_for({"job": 4, "url": ""})["state"] == "done"
    assert waited == [0.2, 0.4]
    with pytest.raises(JobEnded, match="job 4 failed: why"):
        client.campaign("rivers").wait_for(4)


def release(server: LocalServer, content: bytes = FILE, path: str = "items/test.bin") -> None:
    """The server is asked for a release with one file, which it plays as the script says."""
    sha256 = hashlib.sha256(content).hexdigest()
    manifest = {
        "version": "1.0.0",
        "digest": "d",
        "files": [{"path": path, "sha256": sha256, "bytes": len(content), "rows": None}],
    }
    text = json.dumps(manifest)
    files = [
        {"path": path, "bytes": len(content), "url": ""},
        {"path": "manifest.json", "bytes": len(text), "url": ""},
    ]
    server.script.append(as_json({"version": "1.0.0", "digest": "d", "files": files}))
    server.script.append(answers(text))


def rest(start: int) -> Act:
    return answers(FILE[start:], 206, {"Content-Range": f"bytes {start}-/{len(FILE)}"})


def test_download_goes_on_where_it_was_broken_off(
    server: LocalServer, client: Client, tmp_path: Path
) -> None:
    release(server)
    server.script.extend([breaks_off(FILE, after=1000), rest(1000)])
    assert client.campaign("rivers").download("1.0.0", tmp_path) == tmp_path
    assert (tmp_path / "items/test.bin").read_bytes() == FILE
    assert sorted(each.name for each in tmp_path.rglob("*") if each.is_file()) == [
        "manifest.json",
        "test.bin",
    ]
    assert server.received[-1].headers["range"] == "bytes=1000-"
    release(server)
    server.script.pop()  # what is there and whole is not asked for
    client.campaign("rivers").download("1.0.0", tmp_path)
    assert len(server.received) == 5


def test_leftover_of_another_file_is_thrown_away(
    server: LocalServer, client: Client, tmp_path: Path
) -> None:
    (tmp_path / "items").mkdir()
    (tmp_path / "items/test.bin.part").write_bytes(b"?" * 1000)
    release(server)
    server.script.extend([rest(1000), answers(FILE)])
    client.campaign("rivers").download("1.0.0", tmp_path)
    assert (tmp_path / "items/test.bin").read_bytes() == FILE


def test_file_that_is_not_what_the_manifest_says_is_refused(
    server: LocalServer, client: Client, tmp_path: Path
) -> None:
    release(server)
    server.script.extend([answers(FILE[::-1]), answers(FILE[::-1])])
    with pytest.raises(Damaged, match=r"items/test\.bin differs from the manifest"):
        client.campaign("rivers").download("1.0.0", tmp_path)
    assert not (tmp_path / "items/test.bin").exists()


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a\\..\\x", "C:x", ""])
def test_path_that_leaves_the_folder_is_refused(
    server: LocalServer, client: Client, tmp_path: Path, path: str
) -> None:
    release(server, path=path)
    with pytest.raises(Damaged, match="is not a path of a release"):
        client.campaign("rivers").download("1.0.0", tmp_path / "folder")
    assert list(tmp_path.iterdir()) == []
