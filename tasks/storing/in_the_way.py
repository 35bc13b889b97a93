"""Acts that take away places, which others may be claiming at the very moment."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from django.db import IntegrityError

from tasks.storing.refusals import Refusal

_TIMES: Final = 3
_T = TypeVar("_T")


class InTheWay(Refusal):
    """Others keep working on the items at the very moment."""


def again_if_in_the_way(work: Callable[[], _T]) -> _T:
    """A place that an act takes away may be claimed before it is stored (PostgreSQL). Raises
    InTheWay if that happens again and again."""
    for _time in range(_TIMES):
        with suppress(IntegrityError):
            return work()
    raise InTheWay("others are working on these items at this very moment; try again")
