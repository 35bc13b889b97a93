"""The broker of a site without Redis: a folder of messages that survives the death of whoever
writes into it, and whatever lies in it.

kombu's own shows a message before it has been written, and a worker that reads half a message
ends. What is lost here is sent again: the job table says what there is to do.
"""

import logging
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

from annotation_site.messages.delivery import KEPT, delivered_or_put_aside

# no table of queues can be read from the file
_DAMAGED = (ValueError, TypeError)

logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """kombu's own, but that a message appears whole, and that what nobody can read is put aside."""

    # kombu's stubs say themselves that its file channel does not fit what it is derived from
    def _put(  # type: ignore[override]  # as above
        self, queue: str, payload: Any, **_options: Any
    ) -> None:
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        unfinished = Path(self.data_folder_out, f"{name}.partial")
        try:
            unfinished.write_text(dumps(payload))
            unfinished.rename(unfinished.with_suffix(""))
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)  # a full disk keeps nothing of it
            raise ChannelError(f"cannot write the message {name}") from error

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # as above
        """Whoever removes the file has the message: of two workers one, and after a kill nobody."""
        for place in self._waiting(queue):
            try:
                content = place.read_bytes()
                place.unlink()
            except OSError:  # another worker has it, or the disk is read-only
                continue
            try:
                return loads(content.decode())
            except ValueError as error:
                self.put_aside(content, f"{place.name}: {error}")
        raise Empty

    def _waiting(self, queue: str) -> list[Path]:
        try:
            places = sorted(Path(self.data_folder_in).iterdir())
        except OSError:
            return []
        return [place for place in places if place.name.partition(".")[2] == f"{queue}.msg"]

    def put_aside(self, content: Any, why: str) -> None:
        """Keep what nobody can use, as JSON or as the bytes that came, and say so in the log."""
        folder = Path(self.data_folder_in).parent / "aside"
        logger.error("a message was put aside in %s: %s", folder, why)
        try:
            folder.mkdir(exist_ok=True)
            kept = content if isinstance(content, bytes) else dumps(content).encode()
            Path(folder, f"{uuid.uuid4()}.msg").write_bytes(kept)
            for old in sorted(folder.iterdir(), key=_age)[KEPT:]:
                old.unlink(missing_ok=True)
        except OSError as error:
            logger.error("it could not be kept: %s", error)  # noqa: TRY400 - one line is enough

    def get_table(self, exchange: str) -> Any:
        try:
            return super().get_table(exchange)
        except _DAMAGED:
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        try:
            super()._queue_bind(exchange, routing_key, pattern, queue)
        except _DAMAGED:
            Path(self.control_folder, f"{exchange}.exchange").unlink(missing_ok=True)
            super()._queue_bind(exchange, routing_key, pattern, queue)

    def _delete(self, *arguments: Any, **options: Any) -> None:
        with suppress(*_DAMAGED):
            super()._delete(*arguments, **options)


def _age(place: Path) -> float:
    return -place.stat().st_mtime


class Transport(filesystem.Transport):
    Channel = Channel

    def _deliver(self, message: Any, queue: Any) -> None:
        delivered_or_put_aside(super()._deliver, message, queue, self.channels or ())
