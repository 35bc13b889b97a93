"""Messages that no worker can use, and how they get into the broker of a site."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from redis import Redis

from annotation_site.celery import app
from annotation_site.messages.redis_broker import ASIDE
from tasks.jobs.work import run_job
from tests.site import Site


def good_message() -> dict[str, Any]:
    """As it lies in a broker; it asks for a job that there is not."""
    with app.connection_for_write("memory://") as connection:
        run_job.apply_async((10**9,), connection=connection)  # type: ignore[call-arg]  # Celery's
        channel: Any = connection.default_channel
        raw: dict[str, Any] = channel._get("celery")
        return raw


def changed(*path: str, to: Any) -> bytes:
    """A good message with one value replaced; `...` takes it away."""
    message = good_message()
    inner: Any = message
    for name in path[:-1]:
        inner = inner[name]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(message).encode()


def spoiled_messages() -> Mapping[str, bytes]:
    """By what is wrong with them."""
    whole = json.dumps(good_message()).encode()
    named = {
        "empty": b"",
        "cut off": whole[: len(whole) // 2],
        "not UTF-8": b"\xff\xfe" + whole,
        "a list": b"[1, 2]",
        "a number": b"7",
        "null": b"null",
        "body is no JSON": changed("body", to="bm8ganNvbg=="),
        "body is another shape": changed("body", to="e30="),
        "unknown task": changed("headers", "task", to="tasks.unheard_of"),
        "old task without id": changed("headers", "task", to=...),
    }
    replaced: list[tuple[tuple[str, ...], Any]] = [
        (("body",), "%%%"),
        (("body",), 7),
        (("body",), "a"),
        (("properties",), ...),
        (("properties",), []),
        (("properties", "delivery_tag"), ...),
        (("properties", "delivery_info"), None),
        (("properties", "body_encoding"), "rot13"),
        (("headers",), ...),
        (("headers",), []),
        (("headers",), "text"),
        (("headers", "task"), ["a", "list"]),
        (("headers", "task"), None),
        (("headers", "id"), ...),
        (("headers", "id"), {}),
        (("headers", "timelimit"), "long"),
        (("headers", "timelimit"), [1]),
        (("headers", "eta"), 5),
        (("headers", "eta"), "tomorrow"),
        (("headers", "expires"), {}),
        (("headers", "retries"), "many"),
        (("headers", "root_id"), []),
        (("content-type",), "application/x-python-serialize"),
        (("content-type",), None),
        (("content-encoding",), "klingon"),
    ]
    changes = {f"{'.'.join(path)} = {to!r}": changed(*path, to=to) for path, to in replaced}
    return deepcopy(named) | changes


def put(site: Site, messages: Mapping[str, bytes]) -> None:
    """Into the broker of the site, one after the other."""
    if address := site.environment["TOMAHTO_BROKER_URL"]:
        with Redis.from_url(address) as redis:
            redis.lpush("celery", *messages.values())
        return
    folder = site.folder / "queue/messages"
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(messages.values()):
        (folder / f"{number:03}_a.celery.msg").write_bytes(content)


def put_aside(site: Site) -> list[bytes]:
    """What the site keeps of messages that it could not use."""
    if address := site.environment["TOMAHTO_BROKER_URL"]:
        with Redis.from_url(address) as redis:
            return list(redis.lrange(ASIDE, 0, -1))
    folder = Path(site.folder / "queue/aside")
    return [place.read_bytes() for place in folder.iterdir()] if folder.is_dir() else []
