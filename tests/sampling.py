"""The extent of a test: every place in the long form (`./test --long`), some in the short one, and
of a matrix its edges alone where all behaviour is run once (`./test`)."""

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

import pytest
from _pytest.mark.structures import ParameterSet

T = TypeVar("T")

_EXTENT = os.environ.get("TOMAHTO_TEST_EXTENT", "all")
IS_LONG = _EXTENT == "long"
IS_WHOLE = _EXTENT in ("all", "long")


def sample(places: Sequence[T], short: int) -> Sequence[T]:
    """All of them; in the short form that many, evenly spread, with the first and the last."""
    return places if IS_LONG else _spread(places, short)


def mostly(values: Iterable[T], *usual: T) -> list[ParameterSet]:
    """Values of a parameter, of which `./test` tries those named alone."""
    more = pytest.mark.thorough
    return [pytest.param(value, marks=() if value in usual else more) for value in values]


def some_of(values: Iterable[T], count: int) -> list[ParameterSet]:
    """Values of a parameter, of which `./test` tries that many, evenly spread."""
    every = list(values)
    return mostly(every, *_spread(every, count))


def _spread(places: Sequence[T], count: int) -> Sequence[T]:
    if count >= len(places):
        return places
    return [places[round(number * (len(places) - 1) / (count - 1))] for number in range(count)]
