"""Files of a release on their way out: whole, in part, or all in one archive."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import RequestFactory

from tasks.release_store.files import FolderFiles
from tasks.web.downloads import send_archive, send_file

# closing a response tells Django that a request has ended, which looks at the connection
pytestmark = pytest.mark.django_db

HUGE = "9" * 5000  # more digits than Python makes a number of
OUTSIDE = [
    *("bytes=256000-", "bytes=256000-256010", "bytes=-0"),
    *(f"bytes={HUGE}-", f"bytes={HUGE}-{HUGE}", f"bytes={2**64}-{HUGE}"),
]
NONE = [
    *("bytes=-", "lines=0-1", "bytes=0-1,4-5", "bytes=9-3", "x"),
    *("bytes=0--1", "bytes=٣-", "bytes=0-²"),
    *(f"bytes={HUGE}-5", f"bytes={HUGE}9-{HUGE}", "bytes=1e3-", "bytes=0x1-"),
]
CONTENT = bytes(range(256)) * 1000  # longer than a chunk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "release"
    (folder / "jsonl").mkdir(parents=True)
    (folder / "jsonl" / "dev.jsonl").write_bytes(CONTENT)
    (folder / "README.md").write_text("card")
    return folder


def send(folder: Path, range_: str = "") -> tuple[Any, bytes]:
    headers = {"Range": range_} if range_ else {}
    request = RequestFactory().get("/", headers=headers)
    response = send_file(request, FolderFiles(folder), "jsonl/dev.jsonl")
    body = (
        b"".join(response.streaming_content)  # type: ignore[arg-type]  # not asynchronous here
        if isinstance(response, StreamingHttpResponse)
        else response.content  # type: ignore[attr-defined]  # a plain response
    )
    response.close()
    return response, body


def test_send_file_whole(folder: Path) -> None:
    response, body = send(folder)
    assert (response.status_code, body) == (200, CONTENT)
    assert response["Content-Length"] == str(len(CONTENT))
    assert response["Content-Disposition"] == 'attachment; filename="dev.jsonl"'
    assert response["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=10-70000", 10, 70_000),
        ("bytes=255990-", 255_990, 255_999),
        ("bytes=255990-999999", 255_990, 255_999),
        ("bytes=-10", 255_990, 255_999),
        ("bytes=-999999", 0, 255_999),
        ("Bytes=0-0", 0, 0),
        (f"bytes=0-{HUGE}", 0, 255_999),
        (f"bytes={'0' * 5000}-{'0' * 5000}7", 0, 7),
        (f"bytes=-{HUGE}", 0, 255_999),
    ],
)
def test_send_file_in_part(folder: Path, asked: str, first: int, last: int) -> None:
    response, body = send(folder, asked)
    assert (response.status_code, body) == (206, CONTENT[first : last + 1])
    assert response["Content-Range"] == f"bytes {first}-{last}/256000"
    assert response["Content-Length"] == str(last - first + 1)
    assert response["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize("asked", OUTSIDE)
def test_send_file_refuses_a_range_outside_it(folder: Path, asked: str) -> None:
    response, body = send(folder, asked)
    assert (response.status_code, body) == (416, b"")
    assert response["Content-Range"] == "bytes */256000"


@pytest.mark.parametrize("asked", NONE)
def test_send_file_ignores_a_range_that_is_none(folder: Path, asked: str) -> None:
    response, body = send(folder, asked)
    assert (response.status_code, body) == (200, CONTENT)


def test_send_archive_holds_every_file_and_is_the_same_every_time(folder: Path) -> None:
    archives = []
    for _ in range(2):
        response = send_archive(FolderFiles(folder), "rivers-1.0.0")
        archives.append(b"".join(response.streaming_content))  # type: ignore[arg-type]  # not async
        response.close()
    assert archives[0] == archives[1]
    assert response["Content-Disposition"] == 'attachment; filename="rivers-1.0.0.zip"'
    with zipfile.ZipFile(io.BytesIO(archives[0])) as archive:
        assert archive.namelist() == ["rivers-1.0.0/README.md", "rivers-1.0.0/jsonl/dev.jsonl"]
        assert archive.read("rivers-1.0.0/jsonl/dev.jsonl") == CONTENT
