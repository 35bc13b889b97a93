"""`./run`: a web server, a worker and the scheduler over one data folder, started and stopped
together. The scheduler is started again when it ends; without the others there is no site."""

import http.client
import math
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bootstrap import BootstrapError, environment, system
from bootstrap.system import ROOT, Process, note, only_holder

READY_SECONDS = 60
STOP_SECONDS = 15  # a Celery worker without work takes up to 7
POLL_SECONDS = 0.1
SCHEDULER = "scheduler"
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before the scheduler is started again
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (compared with, not bound)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Site:
    """The address to serve at, the data folder, and whether models can run there."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    with_models: bool = False

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def logins(self) -> Path:
        return self.data / "logins.txt"

    @property
    def nearest_host(self) -> str:
        """The name under which this machine reaches the server."""
        return "127.0.0.1" if self.host in EVERYWHERE else self.host

    @property
    def bind(self) -> str:
        return f"{_in_url(self.host)}:{self.port}"

    @property
    def address(self) -> str:
        return f"{_in_url(self.nearest_host)}:{self.port}"

    def variables(self) -> dict[str, str]:
        variables = environment.own_variables() | {"TOMAHTO_DATA": str(self.data)}
        if self.host not in LOOPBACK:
            named = () if self.host in EVERYWHERE else (self.host,)
            names = map(_in_url, (*LOOPBACK, socket.gethostname(), *named))
            variables.setdefault("TOMAHTO_ALLOWED_HOSTS", ",".join(names))
        return variables


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Stopped(Exception):
    """A signal asked the command to stop."""


class StopRequest:
    """Remembers that a signal came, instead of interrupting whatever is going on.

    So no child can be started without being noted down for its end.
    """

    def __init__(self) -> None:
        self._came = False
        for number in STOP_SIGNALS:
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._note)

    def _note(self, *_: object) -> None:
        self._came = True

    def check(self) -> None:
        """Raise Stopped once a signal has come."""
        if self._came:
            raise Stopped


@dataclass(frozen=True)
class Child:
    """A process of ours and what to call it."""

    name: str
    process: Process
    log: Path

    def check(self) -> None:
        """BootstrapError if the process has ended without being asked to."""
        if self.process.poll() is not None:
            system.kill_group(self.process)
            how = system.ending(self.process)
            end = system.log_tail(self.log)
            raise BootstrapError(f"{self.name} ended on its own ({how}); {self.log} says:\n{end}")


class RestartedChild:
    """A process of ours that is started again whenever it has ended, after pauses that grow.

    One that ran for the longest pause counts as well again.
    """

    def __init__(self, start: Callable[[], Child]) -> None:
        self._start = start
        self._pause = SHORTEST_PAUSE
        self._due: float | None = None  # when to start it again
        self._begin()

    @property
    def process(self) -> Process:
        return self._child.process

    def check(self) -> None:
        """Notice the end of the process, and start it again when it is time."""
        now = time.monotonic()
        if self._due is None and self.process.poll() is not None:
            system.kill_group(self.process)
            if now - self._began > LONGEST_PAUSE:
                self._pause = SHORTEST_PAUSE
            how = system.ending(self.process)
            note(f"{self._child.name} ended ({how}); starting it again in {self._pause:.0f} s")
            self._due = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        elif self._due is not None and now >= self._due:
            self._begin()

    def _begin(self) -> None:
        self._child = self._start()
        self._began = time.monotonic()
        self._due = None


AnyChild = Child | RestartedChild


def serve(site: Site) -> int:
    """Serve until a signal comes (status 0). Raises BootstrapError if that cannot go on."""
    check_port(site)
    python = environment.provide(environment.serving_environment(with_models=site.with_models))
    make_data_folder(site)
    refusal = f"another ./run is serving {site.data} already: stop it, or choose another --data"
    with only_holder(site.data / "serving.lock", refusal=refusal):
        request = StopRequest()
        try:
            prepare(site, python, request)
            serve_prepared(site, commands(site, python), request)
        except Stopped:
            note("Stopped.")
    return 0


def check_port(site: Site) -> None:
    try:
        if system.is_port_free(site.host, site.port):
            return
    except OSError as error:
        raise BootstrapError(f"cannot listen on {site.bind}: {error.strerror}") from None
    raise BootstrapError(f"port {site.port} is taken: choose another one with --port")


def make_data_folder(site: Site) -> None:
    """Only for our own account: the database and the logins are in it.

    Raises BootstrapError if it cannot be made or written to.
    """
    try:
        site.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        site.logs.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BootstrapError(f"the data folder {site.data} cannot be used: {error}") from None
    if not os.access(site.data, os.W_OK):
        raise BootstrapError(f"the data folder {site.data} cannot be written to")


def prepare(site: Site, python: Path, request: StopRequest) -> None:
    """Migrate the database and, the first time, fill it with the demonstration."""
    command = [str(python), "manage.py", "prepare"]
    child = launch("manage.py prepare", command, site.logs / "prepare.log", site.variables())
    try:
        await_done(lambda: child.process.poll() is not None, [], request)
    finally:
        system.stop(child.process, patience=STOP_SECONDS)
    if child.process.returncode:
        raise BootstrapError(f"{child.name} failed:\n{system.log_tail(child.log)}")


def commands(site: Site, python: Path) -> dict[str, list[str]]:
    web = "--worker-class gthread --workers 1 --threads 8 --timeout 120 --graceful-timeout 5"
    worker = "--concurrency 1 --loglevel warning --without-gossip --without-mingle"
    return {
        "web": [
            *(str(python), "-m", "gunicorn", "annotation_site.wsgi:application"),
            *(*web.split(), "--no-control-socket", "--bind", site.bind),
        ],
        "worker": [
            *(str(python), "-m", "celery", "--app", "annotation_site", "worker"),
            *worker.split(),
        ],
        SCHEDULER: [
            *(str(python), "-m", "celery", "--app", "annotation_site", "beat", "--pidfile="),
            *("--loglevel", "warning", "--schedule", str(site.data / "beat-schedule")),
        ],
    }


def serve_prepared(site: Site, wanted: Mapping[str, list[str]], request: StopRequest) -> None:
    """Run the commands side by side until Stopped, or until one that is not started again ends."""
    children: list[AnyChild] = []
    try:
        for name, command in wanted.items():
            start = partial(
                launch,
                f"the {name} process",
                command,
                site.logs / f"{name}.log",
                site.variables(),
            )
            children.append(RestartedChild(start) if name == SCHEDULER else start())
        await_done(lambda: is_answering(site), children, request, seconds=READY_SECONDS)
        print(announcement(site), flush=True)
        await_done(lambda: False, children, request)
    finally:
        stop_all(children)


def launch(name: str, command: Sequence[str], log: Path, variables: Mapping[str, str]) -> Child:
    """Start one of the site's processes in the checkout; the log of the last time is kept once."""
    if log.exists():
        log.replace(log.with_suffix(".log.previous"))
    return Child(name, system.start(command, log=log, folder=ROOT, environment=variables), log)


def await_done(
    is_done: Callable[[], bool],
    children: Sequence[AnyChild],
    request: StopRequest,
    *,
    seconds: float = math.inf,
) -> None:
    """Wait, while all children run. Raises Stopped, or BootstrapError for a child or the time."""
    deadline = time.monotonic() + seconds
    while not is_done():
        request.check()
        for child in children:
            child.check()
        if time.monotonic() > deadline:
            raise BootstrapError(f"no answer from the web server after {seconds:.0f} s")
        time.sleep(POLL_SECONDS)


def is_answering(site: Site) -> bool:
    """Whether /readyz gives an answer that is no server error.

    A redirection or a refused host name will do: a site behind a proxy accepts only its own.
    """
    connection = http.client.HTTPConnection(site.nearest_host, site.port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def announcement(site: Site) -> str:
    lines = [f"Tomahto is ready at http://{site.address}/"]
    if site.logins.exists():
        lines += ["", *site.logins.read_text().splitlines(), ""]
    lines += [f"Data and logs are in {site.data}. Stop with Ctrl-C."]
    return "\n".join(lines)


def stop_all(children: Sequence[AnyChild]) -> None:
    """Ask all children to end at once, then wait for them together, a bounded time."""
    note("Stopping …")
    # the number of one that is known to have ended may be somebody else's by now
    running = [child.process for child in children if child.process.returncode is None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for process in running:
        system.await_end(process, deadline)
