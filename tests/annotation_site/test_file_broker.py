"""Messages as files, some of whose writers were killed."""

from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.transport import filesystem

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


@pytest.mark.parametrize("name", ["1_a.celery.msg", "1_a.celery.msg.partial"])
def test_a_message_that_was_cut_off_is_left_out(channel: Any, tmp_path: Path, name: str) -> None:
    channel._put("celery", MESSAGE)
    (tmp_path / "messages" / name).write_text("")
    got = []
    for _ in range(2):
        try:
            got.append(channel._get("celery"))
        except Empty:
            continue
    assert got == [MESSAGE]


def test_a_message_that_was_cut_off_ends_a_worker_without_the_guard(tmp_path: Path) -> None:
    options = folders(tmp_path)
    (tmp_path / "messages/1_a.celery.msg").write_text("")
    with Connection(transport=filesystem.Transport, transport_options=options) as connection:
        channel: Any = connection.channel()
        with pytest.raises(ValueError, match="Expecting value"):
            channel._get("celery")


def test_a_table_of_queues_that_was_cut_off_is_made_again(channel: Any, tmp_path: Path) -> None:
    (tmp_path / "control/celery.exchange").write_text("")
    assert channel.get_table("celery") == []
    channel._queue_bind("celery", "celery", "", "celery")
    assert [tuple(row) for row in channel.get_table("celery")] == [("celery", "", "celery")]
