"""A release in a real object store: what is read, and what is said when it cannot be."""

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bootstrap.services import PrivateObjectStore
from tasks.release_store.bucket import Bucket, client
from tasks.release_store.files import (
    NoSuchFile,
    ObjectPlace,
    StoredFile,
    StoreError,
    chunks,
    read_whole,
)
from tasks.release_store.publication import ObjectFiles
from tests.object_store import objects

pytestmark = pytest.mark.slow


CONTENT = bytes(range(256)) * 50_000  # 12.8 MB: boto3 sends more than 8 MiB in parts


@pytest.fixture
def files(place: ObjectPlace, tmp_path: Path) -> ObjectFiles:
    bucket = Bucket(place.bucket)
    for path, content in {"jsonl/dev.jsonl": CONTENT, "README.md": b"card", "empty": b""}.items():
        (tmp_path / "file").write_bytes(content)
        bucket.put(place.key(path), tmp_path / "file")
    bucket.put((place / "beside").prefix.replace("/beside", "-beside"), tmp_path / "file")
    return ObjectFiles(place)


def test_objects_are_listed_and_read_whole_and_in_part(files: ObjectFiles) -> None:
    assert files.listed() == [
        StoredFile("README.md", 4),
        StoredFile("empty", 0),
        StoredFile("jsonl/dev.jsonl", 12_800_000),
    ]
    assert files.size("jsonl/dev.jsonl") == len(CONTENT)
    assert read_whole(files, "empty") == b""
    assert b"".join(chunks(files.open("jsonl/dev.jsonl"))) == CONTENT
    with closing(files.open("jsonl/dev.jsonl", range(1000, 1010))) as part:
        assert part.read() == CONTENT[1000:1010]


def test_only_objects_below_the_place_are_files(files: ObjectFiles) -> None:
    for path in (
        *("../README.md", "jsonl/../README.md", "jsonl", "jsonl/", "", ".", "none", "/README.md"),
        *("./README.md", "jsonl//dev.jsonl", "README.md\0"),
    ):
        for ask in (files.size, files.open):
            with pytest.raises(NoSuchFile):
                ask(path)


def calls(place: ObjectPlace, path: Path) -> Iterator[Callable[[], object]]:
    files = ObjectFiles(place)
    yield files.listed
    yield lambda: files.size("README.md")
    yield lambda: files.open("README.md")
    yield lambda: Bucket(place.bucket).put(place.key("new"), path)
    yield lambda: Bucket(place.bucket).delete([place.key("README.md")])


def said(place: ObjectPlace, path: Path) -> list[str]:
    """The message of each of the calls; each must fail."""
    texts = []
    for call in calls(place, path):
        with pytest.raises(StoreError) as failure:
            call()
        assert "\n" not in str(failure.value)
        texts.append(str(failure.value))
    return texts


def test_a_store_that_is_down_is_named(
    files: ObjectFiles, place: ObjectPlace, object_store: PrivateObjectStore, tmp_path: Path
) -> None:
    object_store.kill()
    try:
        texts = said(place, tmp_path / "file")
    finally:
        object_store.start()
    problem = f'Could not connect to the endpoint URL: "{object_store.url}'
    start = f"the store of releases s3://releases: {problem}"
    assert [text[: len(start)] for text in texts] == [start] * 5
    assert read_whole(files, "README.md") == b"card"


def test_a_store_that_goes_down_in_mid_file_is_an_error_and_no_short_file(
    files: ObjectFiles, object_store: PrivateObjectStore
) -> None:
    with closing(files.open("jsonl/dev.jsonl")) as file:
        assert file.read(10) == CONTENT[:10]
        object_store.kill()
        try:
            with pytest.raises(StoreError, match="the store of releases s3"):
                file.read()
        finally:
            object_store.start()


@pytest.mark.parametrize(
    ("name", "value"), [("AWS_ACCESS_KEY_ID", "nobody"), ("AWS_SECRET_ACCESS_KEY", "guessed")]
)
def test_wrong_credentials_are_named_and_change_nothing(
    files: ObjectFiles, place: ObjectPlace, object_store: PrivateObjectStore,
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str,
) -> None:  # fmt: skip
    before = objects(object_store, place)
    monkeypatch.setenv(name, value)
    client.cache_clear()
    texts = said(place, tmp_path / "file")
    start = "the store of releases s3://releases: the credentials are refused: "
    assert [text[: len(start)] for text in texts] == [start] * 5
    assert not [text for text in texts if object_store.password in text or value in text]
    assert objects(object_store, place) == before


def test_missing_credentials_are_named(
    place: ObjectPlace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    client.cache_clear()
    advice = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    text = f"the store of releases s3://releases: there are no credentials; {advice}"
    assert said(place, tmp_path / "file") == [text] * 5


def test_a_missing_bucket_is_named(place: ObjectPlace, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    text = "^the store of releases s3://elsewhere: there is no such bucket$"
    elsewhere = ObjectPlace("elsewhere", place.prefix)
    with pytest.raises(StoreError, match=text):
        ObjectFiles(elsewhere).listed()
    with pytest.raises(StoreError, match=text):
        ObjectFiles(elsewhere).open("README.md")
    with pytest.raises(StoreError, match=text):
        Bucket("elsewhere").put("a", tmp_path / "file")


def test_a_host_that_is_no_store_is_named(
    place: ObjectPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", address)
    client.cache_clear()
    with pytest.raises(StoreError, match=address):
        ObjectFiles(place).listed()
