"""A process whose clock is wrong by `CLOCK_IS_WRONG_BY` seconds, as Python tells the time.

Python loads it at its start where this folder is on its path. The clock of the database, which
SQLite asks the system for, stays right: so only what asks the database is right.
"""

import ctypes
import datetime
import gc
import os
import time

_SECONDS = float(os.environ["CLOCK_IS_WRONG_BY"])
_time, _time_ns = time.time, time.time_ns
_datetime = gc.get_referents(datetime.datetime.__dict__)[0]
_now = _datetime["now"]


def _wrong_now(
    cls: type[datetime.datetime], tz: datetime.tzinfo | None = None
) -> datetime.datetime:
    right: datetime.datetime = _now.__get__(None, cls)(tz)
    return right + datetime.timedelta(seconds=_SECONDS)


time.time = lambda: _time() + _SECONDS
time.time_ns = lambda: _time_ns() + int(_SECONDS * 1e9)
_datetime["now"] = classmethod(_wrong_now)
ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime.datetime))
