"""The web application for a WSGI server."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")

application = get_wsgi_application()
# All that requests need is imported before the first one comes, and before a server that loads
# the application first divides into processes. What stays for good is left alone by the garbage
# collector: it takes no time, and processes go on sharing its memory.
_ = get_resolver().url_patterns
gc.collect()
gc.freeze()
