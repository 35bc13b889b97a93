"""A rating as one row of plain numbers; what is not known has a number of its own."""

from datetime import UTC, datetime, timedelta
from math import isnan

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.void]  # (N,) of ROW
ROW = np.dtype(
    [
        ("item", "i4"),
        ("rater", "i4"),
        ("label", "i2"),
        ("answers", "i4"),
        ("is_counted", "?"),
        ("seconds", "f8"),
        ("rated_at", "i8"),  # microseconds since 1970
        ("guideline", "i4"),
        ("shown", "i1"),
        ("comment", "i4"),
        ("wording", "i4"),
        ("is_set_aside", "?"),
    ]
)

_NO_NUMBER, _NO_TIME, _NO_VERSION, _NO_FLAG = float("nan"), -(2**63), -(2**31), -1
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def packed_number(value: float | None) -> float:
    """The value must be finite."""
    return _NO_NUMBER if value is None else value


def packed_time(time: datetime | None) -> int:
    """The time must have a zone."""
    return _NO_TIME if time is None else (time - _EPOCH) // _MICROSECOND


def packed_version(version: int | None) -> int:
    return _NO_VERSION if version is None else version


def packed_flag(flag: bool | None) -> int:
    return _NO_FLAG if flag is None else int(flag)


def number(packed: float) -> float | None:
    return None if isnan(packed) else packed


def time(packed: int) -> datetime | None:
    """In UTC."""
    return None if packed == _NO_TIME else _EPOCH + packed * _MICROSECOND


def microseconds(packed: int) -> int | None:
    """The time in microseconds since 1970."""
    return None if packed == _NO_TIME else packed


def version(packed: int) -> int | None:
    return None if packed == _NO_VERSION else packed


def flag(packed: int) -> bool | None:
    return None if packed == _NO_FLAG else bool(packed)
