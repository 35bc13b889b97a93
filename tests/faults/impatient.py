"""The site as it is, but for SQLite's patience with a lock: half a second, so that tests end."""

from django.db import connections

from annotation_site.wsgi import application

__all__ = ["application"]

connections.settings["default"]["OPTIONS"]["timeout"] = 0.5
