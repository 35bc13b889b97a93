"""The Celery app. It only wakes workers: the job table says what there is to do.

Loaded by `tasks.jobs` and by the worker: a command that queues nothing starts without Celery.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")

app = Celery("tomahto")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(related_name="jobs")
