"""Celery's consumer, but that a message which asks for nothing that can be done is put aside."""

import logging
from collections.abc import Callable
from typing import Any

from celery.worker.consumer import Consumer as CelerysConsumer

from annotation_site.messages.envelopes import task_fault

logger = logging.getLogger(__name__)


class Consumer(CelerysConsumer):
    # the stubs leave them out
    strategies: dict[str, Any]
    connection_errors: tuple[type[Exception], ...]

    def create_task_handler(self, *arguments: Any, **options: Any) -> Callable[[Any], None]:
        take = super().create_task_handler(*arguments, **options)

        def take_usable(message: Any) -> None:
            if why := task_fault(message, self.strategies):
                _put_aside(message, why)
                message.ack_log_error(logger, self.connection_errors)
            else:
                take(message)

        return take_usable


def _put_aside(message: Any, why: str) -> None:
    if put_aside := getattr(message.channel, "put_aside", None):
        put_aside(message._raw, why)
    else:  # a broker of the operator's choice
        logger.error("a message was dropped: %s", why)
