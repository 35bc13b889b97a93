"""The worker and the scheduler, with a Celery app that is loaded before they are forked."""

import os
import sys
from importlib import import_module
from pathlib import Path

from celery.apps.beat import Beat
from celery.apps.worker import Worker

from annotation_site.celery import app
from tasks.jobs.registry import load_work

# Celery imports them as it starts, when nobody shares them any more
_OF_A_START = (
    "annotation_site.file_broker",
    "annotation_site.messages.consumer",
    "annotation_site.messages.scheduler",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.events",
    "celery.app.log",
    "celery.concurrency.prefork",
    "celery.events.dispatcher",
    "celery.worker.autoscale",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.strategy",
    "billiard.popen_fork",
    "billiard.sharedctypes",
)


def load() -> None:
    """All that worker and scheduler would each load as they start."""
    # Django's checks are of the code: a release has passed them
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    app.loader.init_worker()
    app.finalize()
    load_work()
    for name in _OF_A_START:
        import_module(name)


def work() -> None:
    """Do what the messages ask for, until a signal comes."""
    worker = Worker(
        app=app,
        concurrency=1,
        loglevel="WARNING",
        without_gossip=True,
        without_mingle=True,
        quiet=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def schedule(path: Path) -> None:
    """Send what is due, until a signal comes; `path` is where it says what was sent last."""
    Beat(app=app, loglevel="WARNING", schedule=str(path), quiet=True).run()
