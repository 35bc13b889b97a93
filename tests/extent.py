"""How many places a test tries: all in the long form (`./test --long`), some in the short one."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

IS_LONG = os.environ.get("TOMAHTO_TEST_LONG") == "1"


def tried(places: Sequence[T], short: int) -> Sequence[T]:
    """All of them; in the short form that many, evenly spread, with the first and the last."""
    if IS_LONG or short >= len(places):
        return places
    return [places[round(number * (len(places) - 1) / (short - 1))] for number in range(short)]
