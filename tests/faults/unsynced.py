"""The site with commits that are answered before they are on the disk, as `UNSYNCED` says.

Only for the test that shows that the test of durability notices.
"""

import os

from django.conf import settings

from annotation_site.postgres import base
from annotation_site.sqlite.base import DatabaseWrapper

UNSYNCED = os.environ["UNSYNCED"]
_options = settings.DATABASES["default"]["OPTIONS"]
if "init_command" in _options:
    _options["init_command"] += UNSYNCED
    setattr(DatabaseWrapper, "_set", lambda *_: None)  # noqa: B010 - nor is it set later
setattr(base, "DURABLE_COMMITS", UNSYNCED)  # noqa: B010 - as the stubs would refuse it

from annotation_site.wsgi import application  # noqa: E402 - connects as is set by now

__all__ = ["application"]
