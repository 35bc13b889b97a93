"""Messages as files, some of whose writers were killed."""

import errno
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.transport import filesystem
from kombu.utils.json import dumps

from annotation_site import file_broker
from annotation_site.celery import app

MESSAGE = {"body": "wake up"}


def folders(place: Path) -> dict[str, str]:
    for name in ("messages", "control"):
        (place / name).mkdir()
    messages = str(place / "messages")
    return {
        "data_folder_in": messages,
        "data_folder_out": messages,
        "control_folder": str(place / "control"),
    }


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    options = folders(tmp_path)
    with Connection(transport=file_broker.Transport, transport_options=options) as connection:
        yield connection.channel()


def test_site_without_redis_uses_it() -> None:
    with app.connection_for_write() as connection:
        assert isinstance(connection.transport, file_broker.Transport) == (
            connection.transport_cls == "filesystem"
        )


def test_a_message_is_got_once(channel: Any, tmp_path: Path) -> None:
    channel._put("celery", MESSAGE)
    assert [name.suffix for name in (tmp_path / "messages").iterdir()] == [".msg"]
    assert channel._get("celery") == MESSAGE
    with pytest.raises(Empty):
        channel._get("celery")


def test_a_message_cut_at_any_byte_is_put_aside(channel: Any, tmp_path: Path) -> None:
    whole = dumps(MESSAGE).encode()
    for length in range(len(whole)):
        (tmp_path / "messages/0_a.celery.msg").write_bytes(whole[:length])
        channel._put("celery", MESSAGE)
        assert channel._get("celery") == MESSAGE
    aside = [place.read_bytes() for place in (tmp_path / "aside").iterdir()]
    assert sorted(aside) == [whole[:length] for length in range(len(whole))]


def test_a_message_that_is_not_whole_yet_is_left_alone(channel: Any, tmp_path: Path) -> None:
    unfinished = tmp_path / "messages/1_a.celery.msg.partial"
    unfinished.write_text("{")
    with pytest.raises(Empty):
        channel._get("celery")
    assert unfinished.read_text() == "{"


def test_a_folder_that_is_gone_holds_nothing(channel: Any, tmp_path: Path) -> None:
    (tmp_path / "messages").rmdir()
    with pytest.raises(Empty):
        channel._get("celery")


def test_a_message_that_cannot_be_removed_is_not_got(
    channel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk that has become read-only it would be got again and again."""
    channel._put("celery", MESSAGE)

    def refuse(self: Path, **_options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        with pytest.raises(Empty):
            channel._get("celery")
    assert channel._get("celery") == MESSAGE


def test_a_message_that_was_cut_off_ends_a_worker_without_the_guard(tmp_path: Path) -> None:
    options = folders(tmp_path)
    (tmp_path / "messages/1_a.celery.msg").write_text("")
    with Connection(transport=filesystem.Transport, transport_options=options) as connection:
        channel: Any = connection.channel()
        with pytest.raises(ValueError, match="Expecting value"):
            channel._get("celery")


def test_a_table_of_queues_cut_at_any_byte_is_made_again(channel: Any, tmp_path: Path) -> None:
    table, rows = tmp_path / "control/celery.exchange", [("celery", "", "celery")]
    channel._queue_bind("celery", "celery", "", "celery")
    whole = table.read_bytes()
    for length in range(len(whole)):
        table.write_bytes(whole[:length])
        assert channel.get_table("celery") == []
        channel._queue_bind("celery", "celery", "", "celery")
        assert [tuple(row) for row in channel.get_table("celery")] == rows
        table.write_bytes(whole[:length])
        channel._delete("celery", "celery", "celery", "")
