"""The processes of a site: one that everything is loaded in, and what it forks and keeps running.

The first one opens no connection to the database and starts no thread, so that each of its forks
begins as a program does that has just imported all that it needs.
"""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from annotation_site.env import SettingError
from bootstrap import BootstrapError, forks
from bootstrap.forks import Fork
from bootstrap.processes import log_tail
from bootstrap.serving import Site, announcement, is_answering
from bootstrap.supervision import Child, StopRequest, await_done, stop_all

READY_SECONDS = 60
# as what a command says begins when it has understood what is wrong
_REFUSALS = frozenset({"CommandError", "DatabaseError", "OperationalError"})
SOON = 0.01  # seconds between two looks while somebody waits for the site


def serve(site: Site, request: StopRequest) -> None:
    """Serve until Stopped. Raises BootstrapError if the site cannot be made ready."""
    with loading():
        set_up_django()
    preparing = fork_anew(site, "prepare", _prepare)
    children: list[Child] = []
    is_prepared = False
    try:
        with loading():  # while the other process prepares
            from annotation_site.embedded import web
        await_prepared(site, preparing, request)
        is_prepared = True
        children.append(keep(site, "web", partial(web.serve_pages, site.bind)))

        with loading():  # while the web server starts
            from annotation_site.embedded import background

            background.load()
        children.append(keep(site, "worker", background.work))
        schedule = site.data / "beat-schedule"
        children.append(keep(site, "scheduler", partial(background.schedule, schedule)))
        await_answer(site, children, request)
        print(announcement(site), flush=True)
        await_done(lambda: False, children, request)
    finally:
        stop_all([preparing, *(child.fork for child in children)])
        _note_end(is_prepared)


@contextmanager
def loading() -> Iterator[None]:
    """What is made within stays for good, and is left alone by the garbage collector.

    So all forks go on sharing its memory; and to look for garbage meanwhile would take a tenth of
    the time.
    """
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def set_up_django() -> None:
    """Raises BootstrapError for settings that cannot be used."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    # numpy's would start threads as it is imported; a process with threads is not to be forked
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        django.setup()
    except (ImproperlyConfigured, SettingError) as error:
        raise BootstrapError(f"{type(error).__name__}: {error}") from error


def fork(site: Site, name: str, action: Callable[[], object]) -> Fork:
    """A child that writes to the end of the log of its name."""
    return forks.start(action, name=name, log=site.log(name))


def fork_anew(site: Site, name: str, action: Callable[[], object]) -> Fork:
    """The first child of that name; the log of the last ./run is kept once."""
    forks.keep_last(site.log(name))
    return fork(site, name, action)


def keep(site: Site, name: str, action: Callable[[], object]) -> Child:
    """A child that is started again when it ends."""
    first = fork_anew(site, name, action)
    return Child(f"the {name} process", first, partial(fork, site, name, action))


def _prepare() -> None:
    from manage import main

    if isinstance(database := settings.EMBEDDED_DATABASE, Path):
        _look_through(database)
    main(["manage.py", "prepare"])


def _look_through(database: Path) -> None:
    """Leaves by SystemExit, as a command does, if the database is damaged."""
    from tasks.management import endings, integrity

    try:
        integrity.require_intact(database, settings.BACKUPS_URL or str(settings.BACKUPS_DIR))
    except integrity.Damaged as error:
        sys.exit(f"CommandError: {error}")
    endings.note_start(database)


def _note_end(is_prepared: bool) -> None:
    """A database that was not found whole keeps having to be looked through."""
    database = settings.EMBEDDED_DATABASE
    if is_prepared and isinstance(database, Path):
        from tasks.management import endings

        endings.note_end(database)


def await_prepared(site: Site, preparing: Fork, request: StopRequest) -> None:
    """Raises BootstrapError if the database or the static files could not be made ready."""
    await_done(preparing.has_ended, [], request, poll=SOON)
    if preparing.status:
        raise BootstrapError(why_unprepared(log_tail(site.log("prepare"))))


def why_unprepared(log: str) -> str:
    """The one line of a refusal; of anything else what the log ends with."""
    last = log.rpartition("\n")[2]
    kind, _, said = last.partition(": ")
    if "Traceback" not in log and kind in _REFUSALS and said:
        return said
    return f"manage.py prepare failed:\n{log}"


def await_answer(site: Site, children: Sequence[Child], request: StopRequest) -> None:
    """Raises BootstrapError if the web server gives none in time."""
    deadline = time.monotonic() + READY_SECONDS

    def has_answered() -> bool:
        if time.monotonic() > deadline:
            log = site.log("web")
            raise BootstrapError(
                f"no answer from the web server after {READY_SECONDS} s; {log} says:\n"
                f"{log_tail(log)}"
            )
        return is_answering(site)

    await_done(has_answered, children, request, poll=SOON)
