"""The web server: gunicorn, with all that its application needs imported before it is forked."""

import os
from typing import Any

from django.conf import settings
from django.template import engines
from django.urls import get_resolver
from django.utils.module_loading import import_string
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from annotation_site.serving import callers
from annotation_site.serving.worker import DoorsWorker
from bootstrap import prctl

OPTIONS = {
    "worker_class": DoorsWorker,
    "logger_class": Logger,
    "workers": 1,
    "threads": 8,
    "keepalive": 75,
    "timeout": 120,
    "graceful_timeout": 5,
    "control_socket_disable": True,
}

_ = engines.all(), get_resolver().url_patterns, callers  # imports what templates and pages use
for _name in settings.MIDDLEWARE:
    import_string(_name)


def serve_pages(bind: str) -> None:
    """Serve until a signal comes."""
    _Pages(bind).run()


class _Pages(BaseApplication):  # type: ignore[misc]  # untyped
    """gunicorn with the options above, and none from elsewhere."""

    def __init__(self, bind: str) -> None:
        self._bind = bind
        super().__init__()

    def load_config(self) -> None:
        for name, value in OPTIONS.items():
            self.cfg.set(name, value)
        self.cfg.set("bind", self._bind)
        self.cfg.set("post_fork", _end_with_arbiter)

    def load(self) -> Any:
        # lists the static files as it is made, so they have to be there by then
        from annotation_site.wsgi import application

        return application


def _end_with_arbiter(_arbiter: Any, _worker: Any) -> None:
    """gunicorn's process that serves looks for the one above it only once a second."""
    prctl.end_with(os.getppid())
