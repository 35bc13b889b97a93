"""`./run`: from the command to the process that serves the site, `annotation_site.embedded`."""

import errno
import http.client
import os
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from bootstrap import BootstrapError, environment, installers, processes
from bootstrap.mutex import take_for_family
from bootstrap.places import ROOT

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (compared with, not bound)
ROOM = 1 << 20  # bytes
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Site:
    """Where to serve, from which data folder, and whether models can run there."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8000
    with_models: bool = False

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    def log(self, process: str) -> Path:
        """Where one of the site's processes writes."""
        return self.logs / f"{process}.log"

    @property
    def logins(self) -> Path:
        return self.data / "logins.txt"

    @property
    def nearest_host(self) -> str:
        """The name under which this machine reaches the server."""
        return "127.0.0.1" if self.host in EVERYWHERE else self.host

    @property
    def bind(self) -> str:
        """Address and port as gunicorn wants them."""
        return f"{_in_url(self.host)}:{self.port}"

    @property
    def address(self) -> str:
        """Address and port for a browser on this machine."""
        return f"{_in_url(self.nearest_host)}:{self.port}"

    def variables(self) -> dict[str, str]:
        """The environment of manage.py, the web server and the worker."""
        variables = installers.private() | {"TOMAHTO_DATA": str(self.data)}
        if self.host not in LOOPBACK:
            named = () if self.host in EVERYWHERE else (self.host,)
            names = map(_in_url, (*LOOPBACK, socket.gethostname(), *named))
            variables.setdefault("TOMAHTO_ALLOWED_HOSTS", ",".join(names))
        return variables

    def serving_variables(self) -> dict[str, str]:
        """The environment of what is served: with static files that `prepare` has collected."""
        return {"TOMAHTO_STATIC": str(self.data / "static")} | self.variables()


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def serve(site: Site) -> NoReturn:
    """Serve until a signal comes. Raises BootstrapError if that cannot begin."""
    make_data_folder(site)
    require_room(site)
    lock = take_data_folder(site)
    check_port(site)
    tools = environment.serving_environment(with_models=site.with_models)
    become_family(site, environment.provide(tools), lock)


def take_data_folder(site: Site) -> int:
    """A lock that this process and what it starts hold: no other ./run works on the folder."""
    refusal = f"another ./run is serving {site.data} already: stop it, or choose another --data"
    return take_for_family(site.data / "serving.lock", refusal=refusal)


def become_family(site: Site, python: Path, lock: int) -> NoReturn:
    """Become the process of which all others of the site are forked."""
    place = ("--host", site.host, "--port", str(site.port), "--lock", str(lock))
    line = [str(python), "-m", "annotation_site.embedded", *place]
    os.chdir(ROOT)
    os.execve(line[0], line, site.serving_variables())


def check_port(site: Site) -> None:
    """BootstrapError unless the site's address can be listened on."""
    try:
        if processes.is_port_free(site.host, site.port):
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
        why = ": its disk is read-only" if os.statvfs(site.data).f_flag & os.ST_RDONLY else ""
        raise BootstrapError(f"the data folder {site.data} cannot be written to{why}")


def require_room(site: Site) -> None:
    """Raises BootstrapError if the data folder has no room for what a start writes into it."""
    try:
        with tempfile.TemporaryFile(dir=site.data) as file:
            file.write(bytes(ROOM))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            why = "its disk is full; make room and start again"
        refusal = f"the data folder {site.data} cannot be written to: {why}"
        raise BootstrapError(refusal) from None


def is_answering(site: Site) -> bool:
    """Whether the web server gives an answer that is no server error.

    A redirection or a refused host name will do: a site behind a proxy accepts only its own.
    """
    connection = http.client.HTTPConnection(site.nearest_host, site.port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def announcement(site: Site) -> str:
    """What a person needs to begin: address, logins, and where things are kept."""
    lines = [f"Tomahto is ready at http://{site.address}/"]
    if site.logins.exists():
        lines += ["", *site.logins.read_text().splitlines(), ""]
    lines += [f"Data and logs are in {site.data}. Stop with Ctrl-C."]
    return "\n".join(lines)
