"""What a piece of work takes of the processor, and of memory, as Linux counts both."""

import os
import time
from pathlib import Path


class Spent:
    """Since it was made: seconds of this process, and of PostgreSQL's that serves it."""

    def __init__(self) -> None:
        self._database, self._own = _of_database(), time.process_time()

    @property
    def own(self) -> float:
        return time.process_time() - self._own

    def __str__(self) -> str:
        own, database = self.own, _of_database() - self._database
        return f"{own:.1f} s" + (f" and {database:.1f} s of the database" if database else "")


def _of_database() -> float:
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # user and system


def peak() -> float:
    """The most memory this process has had, in MiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
