"""How much a test tries: every place in the long form (`./test --long`), some in the short one, and
of a matrix its edges alone where all behaviour is run once (`./test`)."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_EXTENT = os.environ.get("TOMAHTO_TEST_EXTENT", "all")
IS_LONG = _EXTENT == "long"
IS_WHOLE = _EXTENT in ("all", "long")


def tried(places: Sequence[T], short: int) -> Sequence[T]:
    """All of them; in the short form that many, evenly spread, with the first and the last."""
    if IS_LONG or short >= len(places):
        return places
    return [places[round(number * (len(places) - 1) / (short - 1))] for number in range(short)]
