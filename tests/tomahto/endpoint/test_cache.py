"""Replies on disk: whole, checked, and never a reason to fail."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chat_server import completion
from tests.sampling import IS_WHOLE
from tomahto.endpoint.reply import ReplyCache

REQUEST = {"url": "http://a.example/v1", "draw": 0, "payload": {"model": "finch", "é": "\ud800"}}
BODY = json.dumps(completion("yes"))


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    cache = ReplyCache(tmp_path / "replies")
    cache.put(REQUEST, BODY)
    return cache


@pytest.fixture
def entry(cache: ReplyCache, tmp_path: Path) -> Path:
    [path] = tmp_path.rglob("*.json")
    return path


def test_a_reply_comes_back_as_it_was(cache: ReplyCache) -> None:
    reply = cache.get(REQUEST)
    assert reply is not None
    assert (reply.text, reply.body, reply.from_cache) == ("yes", BODY, True)
    assert cache.get(dict(reversed(REQUEST.items()))) == reply
    assert cache.get({**REQUEST, "draw": 1}) is None


def test_an_entry_is_plain_json_and_nothing_else_is_left(entry: Path, tmp_path: Path) -> None:
    assert json.loads(entry.read_text())["request"] == REQUEST
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [entry]


DAMAGES: dict[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "cut": lambda text: text[: len(text) // 2],
    "not an object": lambda text: "[]",
    "without body": lambda text: '{"request": {}}',
    "other body": lambda text: text.replace("yes", "no!"),
    "other request": lambda text: text.replace("finch", "wren!"),
    "body of another type": lambda text: json.dumps({**json.loads(text), "body": 7}),
    "nonsense": lambda text: "\ufffd\x00",
    "no text": lambda text: "\udcff",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_counts_as_none_and_is_written_anew(
    cache: ReplyCache, entry: Path, damage: Callable[[str], str]
) -> None:
    entry.write_text(damage(entry.read_text()), errors="surrogateescape")
    assert cache.get(REQUEST) is None
    cache.put(REQUEST, BODY)
    assert cache.get(REQUEST) is not None


def test_every_flipped_byte_is_noticed_or_harmless(cache: ReplyCache, entry: Path) -> None:
    whole = entry.read_bytes()
    for place in range(0, len(whole), 1 if IS_WHOLE else 8):
        entry.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        found = cache.get(REQUEST)
        assert found is None or found.body == BODY


def test_a_file_too_large_to_be_a_reply_is_not_read(cache: ReplyCache, entry: Path) -> None:
    with entry.open("ab") as file:
        file.truncate(17 * 2**20)
    assert cache.get(REQUEST) is None


def test_a_folder_that_cannot_be_written_to_is_only_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    cache = ReplyCache(tmp_path / "file")
    for _ in range(3):
        cache.put(REQUEST, BODY)
    assert cache.get(REQUEST) is None
    assert [record.getMessage().partition(" in ")[0] for record in caplog.records] == [
        "replies cannot be kept"
    ]
