"""The Django project: settings, addresses and the Celery app. Nothing of the domain."""

from annotation_site.sqlite.library import use_newest

use_newest()  # before anything of Django opens a database
