"""The Django project: settings, addresses and the Celery app. Nothing of the domain."""
