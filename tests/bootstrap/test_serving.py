"""Serving with small programs in the place of gunicorn and Celery."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from bootstrap import BootstrapError, children, environment, serving, system
from bootstrap.children import Work
from bootstrap.serving import Site, Stopped, StopRequest
from bootstrap.system import ROOT

pytestmark = pytest.mark.slow


# Answers /readyz with the status it is given, and ends with status 0 when it is asked to.
WEB = """
import http.server, signal, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(sys.argv[2]))
        self.end_headers()

signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
WORKER = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0)); signal.pause()"
ANYWHERE = "0.0.0.0"  # noqa: S104 (a value to test, nothing listens)
FAILING = "import sys; sys.exit('no broker')"
# writes its number into a file, and ends by itself after a time that no test takes
NOTED = """
import os, sys, time
from pathlib import Path
Path(sys.argv[1]).write_text(str(os.getpid()))
time.sleep(300)
"""


def is_running(pid_file: Path) -> bool:
    """Whether the process still runs, as one does not that was never there or only awaits its
    parent's notice."""
    try:
        about = Path("/proc", pid_file.read_text(), "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return about.rpartition(") ")[2][0] != "Z"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = Site(tmp_path / "data", port=system.free_port())
    serving.make_data_folder(made)
    return made


@pytest.fixture
def request_to_stop() -> Iterator[StopRequest]:
    """The real one; what pytest does with the signals is restored afterwards."""
    before = {number: signal.getsignal(number) for number in children.STOP_SIGNALS}
    yield StopRequest()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_hangup_that_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under nohup, where the site is to outlive the terminal."""
    before = {number: signal.getsignal(number) for number in children.STOP_SIGNALS}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        StopRequest().check()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def python(script: str, *arguments: object) -> Work:
    return partial(os.execv, sys.executable, [sys.executable, "-c", script, *map(str, arguments)])


def pair(site: Site, worker: str = WORKER, status: int = 200) -> dict[str, Work]:
    return {"web": python(WEB, site.port, status), "worker": python(worker)}


def ask_to_stop_when_announced(monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    announce = serving.announcement

    def announce_and_signal(site: Site) -> str:
        os.kill(os.getpid(), number)
        return announce(site)

    monkeypatch.setattr(serving, "announcement", announce_and_signal)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_both(
    number: signal.Signals,
    site: Site,
    request_to_stop: StopRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask_to_stop_when_announced(monkeypatch, number)
    with pytest.raises(Stopped):
        serving.serve_prepared(site, pair(site), request_to_stop)
    assert f"http://127.0.0.1:{site.port}/" in capsys.readouterr().out
    assert system.is_port_free(site.host, site.port)


def test_web_server_that_ends_on_its_own_stops_the_worker(
    site: Site, request_to_stop: StopRequest
) -> None:
    works = {"web": python(FAILING), "worker": python(NOTED, site.data / "worker.pid")}
    with pytest.raises(BootstrapError) as failure:
        serving.serve_prepared(site, works, request_to_stop)
    log = site.logs / "web.log"
    how = f"the web process ended on its own (exit status 1); {log} says:\nno broker"
    assert str(failure.value) == how
    assert not is_running(site.data / "worker.pid")


SHORT_LIVED = """
import sys
with open(sys.argv[1], "a") as lives:
    lives.write("x")
sys.exit(int(sys.argv[2]))
"""


class Clock:
    """The time as the module under test sees it: it goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_worker_that_ends_is_started_again_after_pauses_that_grow(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, lives = Clock(), site.data / "lives"
    monkeypatch.setattr(children, "time", clock)
    log = serving.fresh_log(site, "worker")
    work = python(SHORT_LIVED, lives, 3)
    child = children.RestartedChild(lambda: children.launch("the worker", work, log))
    for ended in range(1, 9):
        child.process.join()
        child.check()
        pause = min(2.0 ** (ended - 1), 60.0)
        clock.now += pause - 0.1
        child.check()
        assert lives.read_text() == "x" * ended, "too early"
        clock.now += 0.1
        child.check()
    child.process.join()
    clock.now += 61
    child.check()
    assert lives.read_text() == "x" * 9
    said = "the worker ended (exit status 3); starting it again in {} s\n"
    # the last one was there for longer than the longest pause
    pauses = (1, 2, 4, 8, 16, 32, 60, 60, 1)
    assert capsys.readouterr().err == "".join(said.format(pause) for pause in pauses)


def test_worker_that_asks_for_a_successor_gets_one_soon_and_without_a_word(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, lives = Clock(), site.data / "lives"
    monkeypatch.setattr(children, "time", clock)
    work, log = python(SHORT_LIVED, lives, 0), serving.fresh_log(site, "worker")
    child = children.RestartedChild(lambda: children.launch("the worker", work, log))
    for ended in range(1, 6):
        child.process.join()
        child.check()
        clock.now += 0.9
        child.check()
        assert lives.read_text() == "x" * ended, "too early"
        clock.now += 0.1
        child.check()
    child.process.join()
    assert lives.read_text() == "xxxxxx"
    assert capsys.readouterr().err == ""


def test_worker_is_started_again_while_the_web_server_goes_on(
    site: Site, request_to_stop: StopRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives = site.data / "lives"
    monkeypatch.setattr(children, "SHORTEST_PAUSE", 0.0)
    monkeypatch.setattr(children, "LONGEST_PAUSE", 0.0)
    check = request_to_stop.check

    def stop_after_three_lives() -> None:
        if lives.exists() and len(lives.read_text()) >= 3:
            raise Stopped
        check()

    monkeypatch.setattr(request_to_stop, "check", stop_after_three_lives)
    with pytest.raises(Stopped):
        serving.serve_prepared(
            site, {**pair(site), "worker": python(SHORT_LIVED, lives, 3)}, request_to_stop
        )
    assert system.is_port_free(site.host, site.port)


def test_server_that_only_fails_is_given_up(
    site: Site, request_to_stop: StopRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "READY_SECONDS", 1)
    with pytest.raises(BootstrapError, match="no answer from the web server after 1 s"):
        serving.serve_prepared(site, pair(site, status=503), request_to_stop)


@pytest.mark.parametrize(
    ("status", "ready"), [(200, True), (301, True), (400, True), (500, False), (503, False)]
)
def test_answer_that_is_no_server_error_will_do(site: Site, status: int, ready: bool) -> None:
    child = children.launch("web", python(WEB, site.port, status), serving.fresh_log(site, "web"))
    try:
        while system.is_port_free(site.host, site.port):
            child.check()
        assert serving.is_answering(site) is ready
    finally:
        children.stop_all([child])


def test_nobody_answering_is_not_ready(site: Site) -> None:
    assert not serving.is_answering(site)


def test_prepare_failure_shows_its_output(site: Site, request_to_stop: StopRequest) -> None:
    with pytest.raises(BootstrapError) as failure:
        serving.prepare(site, python("import sys; sys.exit('cannot migrate')"), request_to_stop)
    assert str(failure.value) == "manage.py prepare failed:\ncannot migrate"


def test_process_ends_with_the_one_that_divided(site: Site) -> None:
    """Even if that had no time to ask for it: kill -9 leaves nothing behind."""
    note = site.data / "child.pid"
    script = f"""
import os, signal, subprocess, sys, time
from pathlib import Path
from bootstrap import children

def work():
    subprocess.Popen([sys.executable, "-c", {NOTED!r}, {str(note)!r}])
    time.sleep(300)

child = children.launch("one", work, Path(os.devnull))
while not Path({str(note)!r}).exists():
    child.check()
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    assert ended.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 30
    while is_running(note):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_process_that_is_asked_to_stop_before_it_is_ready_ends(
    site: Site, request_to_stop: StopRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_apart, done = children._run_apart, site.data / "done"

    def run_late(work: Work, log: Path) -> None:
        time.sleep(0.3)
        run_apart(work, log)

    monkeypatch.setattr(children, "_run_apart", run_late)
    child = children.launch("late", done.touch, serving.fresh_log(site, "late"))
    child.process.terminate()
    child.process.join(30)
    assert (child.process.exitcode, done.exists()) == (-signal.SIGTERM, False)


def test_last_log_is_kept_once(site: Site) -> None:
    for text in ("first", "second", "third"):
        log = serving.fresh_log(site, "web")
        for _life in range(2):  # a process that is started again goes on where the last one ended
            children.launch("web", partial(os.write, 1, text.encode()), log).process.join()
    assert log.read_text() == "thirdthird"
    assert {path.name: path.read_text() for path in site.logs.iterdir() if path != log} == {
        "web.log.previous": "secondsecond"
    }


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


def test_site_is_served_by_its_own_python(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[tuple[object, ...]] = []

    def become(*called: object) -> NoReturn:
        became.append(called)
        raise Stopped

    monkeypatch.setattr(environment, "provide", lambda _: Path("/env/bin/python"))
    monkeypatch.setattr(os, "chdir", became.append)
    monkeypatch.setattr(os, "execve", become)
    monkeypatch.setenv("MALLOC_ARENA_MAX", "7")
    with pytest.raises(Stopped):
        serving.serve(site)
    line = ["/env/bin/python", "-m", "annotation_site.embedded", str(site.data), "127.0.0.1"]
    variables = {"OPENBLAS_NUM_THREADS": "1", **site.variables()}
    assert variables["MALLOC_ARENA_MAX"] == "7"
    assert became == [ROOT, (Path(line[0]), [*line, str(site.port)], variables)]
