"""What many figures are made of is read once for all of them, where a worker makes them together.

    with one_reading():
        for figures in FIGURES.values():
            figures(campaign)

Outside of it every call reads anew. What is kept is shared: nobody changes it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from tasks.models import Campaign

T = TypeVar("T")
_kept: ContextVar[dict[tuple[str, int], Any] | None] = ContextVar("one_reading", default=None)


@contextmanager
def one_reading() -> Iterator[None]:
    """What functions that are `read_once` have read is kept until this ends."""
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def read_once(read: Callable[[Campaign], T]) -> Callable[[Campaign], T]:
    """The function reads once in one reading, however often it is called for the campaign."""

    @wraps(read)
    def kept_or_read(campaign: Campaign) -> T:
        kept = _kept.get()
        if kept is None:
            return read(campaign)
        key = read.__qualname__, campaign.pk
        if key not in kept:
            kept[key] = read(campaign)
        found: T = kept[key]
        return found

    return kept_or_read
