"""The Django project: settings, addresses and the Celery app. Nothing of the domain."""

from annotation_site.celery import app as celery_app

__all__ = ["celery_app"]
