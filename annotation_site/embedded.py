"""The processes of `./run`: everything is loaded once, by one that then divides into the web server
and the worker with its scheduler, so that they share the memory of what is loaded.

`bootstrap/serving.py` starts this with the address, and keeps the processes going.
"""

import gc
import os
import resource
import runpy
import signal
import sys
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ImproperlyConfigured
from gunicorn.app.base import BaseApplication

from annotation_site.env import SettingError
from bootstrap import BootstrapError
from bootstrap.serving import Parts, Site, keep_serving
from bootstrap.system import guarded

if TYPE_CHECKING:
    from celery.beat import Service

WEB: Final = {
    "worker_class": "gthread",
    "workers": 1,
    "threads": 8,
    "timeout": 120,
    "graceful_timeout": 5,
    "control_socket_disable": True,
    "preload_app": True,
}
_LOADED_EARLY: Final = (
    "annotation_site.celery",
    "annotation_site.urls",
    "celery.apps.worker",
    "celery.beat",
    "celery.concurrency.solo",
    "gunicorn.workers.gthread",
)
_MOST_GROWTH: Final = 40  # MB
_IDLE: Final = 30.0  # seconds since the last job
_WITHOUT_SCHEDULER: Final = 1


def load(site: Site) -> Parts:
    """Import all that requests and jobs need, before there are threads and connections to share.

    Raises BootstrapError if the settings cannot be used.
    """
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "annotation_site.settings"
    try:
        django.setup()
        for name in _LOADED_EARLY:
            import_module(name)
    except (ImproperlyConfigured, SettingError) as error:
        raise BootstrapError(f"{type(error).__name__}: {error}") from None

    from tasks.jobs.registry import load_work

    load_work()
    # what stays for good is left alone by the garbage collector: processes go on sharing it
    gc.collect()
    gc.freeze()
    return Parts(prepare, Server(site.bind).run, partial(work, site.data / "beat-schedule"))


def prepare() -> None:
    sys.argv = ["manage.py", "prepare"]
    runpy.run_path(sys.argv[0], run_name="__main__")


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """The web server, whose process alone has the limits of requests."""

    def __init__(self, bind: str) -> None:
        self._bind = bind
        super().__init__()

    def load_config(self) -> None:
        for name, value in {**WEB, "bind": self._bind}.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from annotation_site.wsgi import application

        return application


def work(schedule: Path) -> None:
    """Do jobs one after another, and beside them send what is due."""
    from celery.beat import Service
    from celery.signals import task_postrun

    from annotation_site.celery import app

    os.environ["CELERY_SKIP_CHECKS"] = "1"  # they take as long as all else here
    scheduler = Service(app, max_interval=1, schedule_filename=str(schedule))
    thread = Thread(target=keep_schedule, args=[scheduler], daemon=True)
    thread.start()
    task_postrun.connect(Growth().look, weak=False)
    worker = app.Worker(
        pool="solo",
        concurrency=1,
        loglevel="WARNING",
        quiet=True,
        without_gossip=True,
        without_mingle=True,
    )
    worker.start()
    status = worker.exitcode if thread.is_alive() else _WITHOUT_SCHEDULER
    scheduler.stop()
    thread.join()
    sys.exit(status)


def keep_schedule(scheduler: "Service") -> None:
    """Until it is asked to stop. If it fails, the worker ends too, and both are started again."""
    try:
        scheduler.start()
    except Exception:  # whatever it was, nothing is sent any more; its traceback is logged
        _end_worker()
        raise


class Growth:
    """A worker keeps the memory that a job has loaded: when it has grown by that and has had no job
    for a while, a new process goes on."""

    def __init__(self) -> None:
        self._at_first = most_memory()
        self._last_job = 0.0

    def look(self, *, task: Any, **_signal: Any) -> None:
        """After every task, such as the sweeps that come every few seconds."""
        from tasks.jobs.workflow.jobs import RUN_JOB  # once the apps are loaded

        if task.name == RUN_JOB:
            self._last_job = time.monotonic()
        elif (
            most_memory() > self._at_first + _MOST_GROWTH
            and time.monotonic() > self._last_job + _IDLE
        ):
            _end_worker()


def _end_worker() -> None:
    """After the job that it is at."""
    os.kill(os.getpid(), signal.SIGTERM)


def most_memory() -> int:
    """The most that this process has had, in MB."""
    kept = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kept >> (20 if sys.platform == "darwin" else 10)


def main(data: str, host: str, port: str) -> int:
    site = Site(Path(data), host, int(port))
    return guarded("run", lambda: keep_serving(site, partial(load, site)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
