"""The broker of a site without Redis: a folder of messages that survives the death of whoever
writes into it.

kombu's own shows a message before it has been written, and a worker that reads half a message
ends. What is lost here is sent again: the job table says what there is to do.
"""

import uuid
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """kombu's own, but that a message appears whole, and that what was cut off is left out."""

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
            raise ChannelError(f"cannot write the message {name}") from error

    def _get(self, queue: str) -> Any:  # type: ignore[override]  # as above
        try:
            return super()._get(queue)
        except ValueError:
            raise Empty from None

    def get_table(self, exchange: str) -> Any:
        try:
            return super().get_table(exchange)
        except ValueError:
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        try:
            super()._queue_bind(exchange, routing_key, pattern, queue)
        except ValueError:
            Path(self.control_folder, f"{exchange}.exchange").unlink(missing_ok=True)
            super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):
    Channel = Channel
