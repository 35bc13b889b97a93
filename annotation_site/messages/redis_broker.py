"""kombu's broker on Redis, but that messages which cannot be read are put aside in a list."""

import logging
from queue import Empty
from typing import Any

from kombu.transport import redis
from kombu.utils.json import dumps

from annotation_site.messages.delivery import KEPT, delivered_or_put_aside, unreadable

ASIDE = "tomahto:aside"
"""The list of the messages put aside, the newest first."""

logger = logging.getLogger(__name__)


class Channel(redis.Channel):
    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # the stubs leave it out
        except ValueError as error:
            self.put_aside(unreadable(error), str(error))
            raise Empty from None

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002 - as the stubs
        try:
            return super()._get(queue)
        except ValueError as error:
            self.put_aside(unreadable(error), str(error))
            raise Empty from None

    def put_aside(self, content: Any, why: str) -> None:
        """Keep what nobody can use, as JSON or as the bytes that came, and say so in the log."""
        logger.error("a message was put aside in the list %s of Redis: %s", ASIDE, why)
        kept = content if isinstance(content, bytes) else dumps(content)
        with self.conn_or_acquire() as client:
            client.lpush(ASIDE, kept)
            client.ltrim(ASIDE, 0, KEPT - 1)


class Transport(redis.Transport):
    Channel = Channel

    def _deliver(self, message: Any, queue: Any) -> None:
        delivered_or_put_aside(super()._deliver, message, queue, self.channels or ())
