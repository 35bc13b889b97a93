"""The site with a write-ahead log that is copied into the database and begun anew every fifty
pages, so that a short test sees it."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from annotation_site.wsgi import application

__all__ = ["application"]


def _begin_anew_often(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_autocheckpoint=50")


connection_created.connect(_begin_anew_often)
