"""./run, up to what it becomes."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bootstrap import BootstrapError, environment, processes, serving
from bootstrap.environment import Environment
from bootstrap.places import ROOT
from bootstrap.serving import Site

pytestmark = pytest.mark.slow


ANYWHERE = "0.0.0.0"  # noqa: S104 (a value to test, nothing listens)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path / "data", port=processes.free_port())
    serving.make_data_folder(made)
    return made


@contextmanager
def answering(site: Site, status: int) -> Iterator[None]:
    """A web server at the site's address that answers every request with that status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer((site.host, site.port), Handler) as server:
        thread = Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "ready"), [(200, True), (301, True), (400, True), (500, False), (503, False)]
)
def test_answer_that_is_no_server_error_will_do(site: Site, status: int, ready: bool) -> None:
    with answering(site, status):
        assert serving.is_answering(site) is ready


def test_nobody_answering_is_not_ready(site: Site) -> None:
    assert not serving.is_answering(site)


def test_run_becomes_the_family_with_the_lock_of_the_data_folder(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    became: list[tuple[str, list[str], dict[str, str]]] = []
    provided: list[Environment] = []

    def provide(wanted: Environment) -> Path:
        provided.append(wanted)
        return Path("/env/bin/python")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "provide", provide)
    monkeypatch.setattr("os.execve", lambda *given: became.append(given))
    serving.serve(replace(site, with_models=True))
    ((program, line, variables),) = became
    lock = line[-1]
    try:
        assert os.get_inheritable(int(lock))
        with pytest.raises(BootstrapError, match=f"^another ./run is serving {site.data} already"):
            other_process_takes(site)
    finally:
        os.close(int(lock))
    place = ["--host", "127.0.0.1", "--port", str(site.port), "--lock", lock]
    assert (program, line) == (
        "/env/bin/python",
        ["/env/bin/python", "-m", "annotation_site.embedded", *place],
    )
    assert variables == site.serving_variables()
    assert (variables["TOMAHTO_DATA"], variables["TOMAHTO_STATIC"]) == (
        str(site.data),
        f"{site.data}/static",
    )
    assert provided == [environment.serving_environment(with_models=True)]
    assert Path.cwd() == ROOT


def other_process_takes(site: Site) -> None:
    """The lock, as a process that is not the one which holds it."""
    lock = site.data / "serving.lock"
    lock.write_text(f"{os.getppid()}\n")
    os.close(serving.take_data_folder(site))


def test_taken_port_is_said_before_anything_is_installed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "provide", lambda _: pytest.fail("installed"))
    with (
        socket.create_server(("127.0.0.1", site.port)),
        pytest.raises(BootstrapError, match=f"^port {site.port} is taken: choose another one"),
    ):
        serving.serve(site)


def test_foreign_host_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BootstrapError, match=r"cannot listen on 203\.0\.113\.1:8000"):
        serving.check_port(Site(tmp_path, host="203.0.113.1"))


def test_data_folder_is_for_its_owner_only(site: Site) -> None:
    assert [folder.stat().st_mode & 0o777 for folder in (site.data, site.logs)] == [0o700, 0o700]


def test_data_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BootstrapError, match=r"^the data folder /.*/file/data cannot be used: "):
        serving.make_data_folder(Site(tmp_path / "file" / "data"))


def test_announcement_repeats_the_logins(site: Site) -> None:
    assert serving.announcement(site).splitlines() == [
        f"Tomahto is ready at http://127.0.0.1:{site.port}/",
        f"Data and logs are in {site.data}. Stop with Ctrl-C.",
    ]
    site.logins.write_text("admin  s3cret\nrater  other\n")
    assert serving.announcement(site).splitlines() == [
        f"Tomahto is ready at http://127.0.0.1:{site.port}/",
        "",
        "admin  s3cret",
        "rater  other",
        "",
        f"Data and logs are in {site.data}. Stop with Ctrl-C.",
    ]


@pytest.mark.parametrize(
    ("host", "bind", "address", "hosts"),
    [
        ("127.0.0.1", "127.0.0.1:80", "127.0.0.1:80", None),
        ("::1", "[::1]:80", "[::1]:80", None),
        (ANYWHERE, "0.0.0.0:80", "127.0.0.1:80", "localhost,127.0.0.1,[::1],machine"),
        ("10.0.0.5", "10.0.0.5:80", "10.0.0.5:80", "localhost,127.0.0.1,[::1],machine,10.0.0.5"),
        ("fd00::5", "[fd00::5]:80", "[fd00::5]:80", "localhost,127.0.0.1,[::1],machine,[fd00::5]"),
    ],
)
def test_site_is_reachable_under_its_host(
    host: str,
    bind: str,
    address: str,
    hosts: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TOMAHTO_ALLOWED_HOSTS", raising=False)
    monkeypatch.setattr("socket.gethostname", lambda: "machine")
    site = Site(Path("/data"), host, 80)
    assert (site.bind, site.address) == (bind, address)
    assert site.variables().get("TOMAHTO_ALLOWED_HOSTS") == hosts


def test_hosts_named_in_the_environment_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOMAHTO_ALLOWED_HOSTS", "tomahto.example")
    variables = Site(Path("/data"), ANYWHERE).variables()
    assert variables["TOMAHTO_ALLOWED_HOSTS"] == "tomahto.example"
