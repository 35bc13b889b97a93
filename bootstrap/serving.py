"""`./run`: a web server and a worker over one data folder, started and stopped together. The worker
is started again when it ends; without the web server there is no site.

Processes are forks of the one that has loaded the site (annotation_site/embedded.py).
"""

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
from typing import Final, NamedTuple, NoReturn

from bootstrap import BootstrapError, environment, system
from bootstrap.children import STOP_SIGNALS, AnyChild, RestartedChild, Work, launch, stop_all
from bootstrap.system import ROOT, note, only_holder

READY_SECONDS = 60
POLL_SECONDS = 0.1
WORKER = "worker"
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


class Parts(NamedTuple):
    """The works of a site that is loaded."""

    prepare: Work
    web: Work
    worker: Work


# Threads of the C library that share two heaps, and of BLAS that are not many, take less memory.
FRUGAL: Final = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}


def serve(site: Site) -> NoReturn:
    """Become the site's own Python, which goes on in `annotation_site.embedded`.

    Raises BootstrapError where that cannot serve.
    """
    check_port(site)
    python = environment.provide(environment.serving_environment(with_models=site.with_models))
    make_data_folder(site)
    os.chdir(ROOT)
    line = [str(python), "-m", "annotation_site.embedded", str(site.data), site.host]
    os.execve(python, [*line, str(site.port)], FRUGAL | site.variables())


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


def keep_serving(site: Site, load: Callable[[], Parts]) -> int:
    """Serve what `load` gives until a signal comes (status 0).

    All that is loaded is shared by the processes, which are forked off this one. Raises
    BootstrapError if serving cannot go on.
    """
    refusal = f"another ./run is serving {site.data} already: stop it, or choose another --data"
    with only_holder(site.data / "serving.lock", refusal=refusal):
        request = StopRequest()
        try:
            parts = load()
            request.check()
            prepare(site, parts.prepare, request)
            serve_prepared(site, {"web": parts.web, WORKER: parts.worker}, request)
        except Stopped:
            note("Stopped.")
    return 0


def prepare(site: Site, work: Work, request: StopRequest) -> None:
    """Migrate the database and, the first time, fill it with the demonstration."""
    child = launch("manage.py prepare", work, fresh_log(site, "prepare"))
    try:
        await_done(lambda: child.process.exitcode is not None, [], request)
    finally:
        stop_all([child])
    if child.process.exitcode:
        raise BootstrapError(f"{child.name} failed:\n{system.log_tail(child.log)}")


def serve_prepared(site: Site, wanted: Mapping[str, Work], request: StopRequest) -> None:
    """Do the works side by side until Stopped, or until one that is not started again ends."""
    children: list[AnyChild] = []
    try:
        for name, work in wanted.items():
            start = partial(launch, f"the {name} process", work, fresh_log(site, name))
            children.append(RestartedChild(start) if name == WORKER else start())
        await_done(lambda: is_answering(site), children, request, seconds=READY_SECONDS)
        print(announcement(site), flush=True)
        await_done(lambda: False, children, request)
    finally:
        note("Stopping …")
        stop_all(children)


def fresh_log(site: Site, name: str) -> Path:
    """An empty one; that of the last time is kept once."""
    log = site.logs / f"{name}.log"
    if log.exists():
        log.replace(log.with_suffix(".log.previous"))
    log.touch()
    return log


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
