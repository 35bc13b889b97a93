"""Which libraries a process whose database is SQLite opens it with, and which it does without."""

import sys
from importlib import import_module
from importlib.util import find_spec


def use_newest() -> None:
    """Put the package `pysqlite3`, where it is installed, in the place of Python's own `sqlite3`.

    Python is often built with a SQLite whose write-ahead log cannot be trusted (`options`). Called
    before Django is imported, so that everybody in the process has the same library: two of them
    would not see each other's locks.
    """
    if find_spec("pysqlite3") is None:
        return
    for name in ("sqlite3", "sqlite3.dbapi2"):
        sys.modules[name] = import_module(name.replace("sqlite3", "pysqlite3"))


def leave_out_psycopg() -> None:
    """Make REST framework believe that PostgreSQL's client is not installed.

    It imports that for columns that no model of ours has, a tenth of what all pages need.
    """
    sys.modules.setdefault("django.contrib.postgres.fields", None)  # type: ignore[arg-type]  # as documented
