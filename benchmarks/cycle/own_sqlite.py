"""The site, for gunicorn and Celery, on the SQLite that Python was built with, and so on the
journal that it can be trusted with: as where there is no wheel of `pysqlite3`."""

import sys

sys.modules["pysqlite3"] = None  # type: ignore[assignment]  # as if it were not installed

from annotation_site.celery import app  # noqa: E402, F401 - after the line above
from annotation_site.wsgi import application  # noqa: E402, F401
