"""The web application for a WSGI server."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.urls import get_resolver

from annotation_site.postgres import of_requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")

application = get_wsgi_application()
# before this process first asks: whoever opens a page does not wait for ever
connection.settings_dict["LIMITS"] = of_requests(settings.STATEMENT_SECONDS)
# All that requests need is imported before the first one comes, and before a server that loads
# the application first divides into processes. What stays for good is left alone by the garbage
# collector: it takes no time, and processes go on sharing its memory.
_ = get_resolver().url_patterns
gc.collect()
gc.freeze()
