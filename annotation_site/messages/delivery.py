"""What both brokers have in common: whatever cannot be delivered is put aside instead."""

from collections.abc import Callable, Iterable
from typing import Any

from annotation_site.messages.envelopes import envelope_fault

KEPT = 100
"""How many messages stay put aside, the newest."""


def delivered_or_put_aside(
    deliver: Callable[[Any, str], None], message: Any, queue: str, channels: Iterable[Any]
) -> None:
    """Deliver it, or have one of the channels put it aside if that would end the worker."""
    if why := envelope_fault(message):
        next(channel for channel in channels if channel).put_aside(message, why)
    else:
        deliver(message, queue)


def unreadable(error: ValueError) -> bytes:
    """What a decoder stumbled over, of JSON or of UTF-8."""
    document = getattr(error, "doc", None) or getattr(error, "object", b"")
    return document if isinstance(document, bytes) else str(document).encode()
