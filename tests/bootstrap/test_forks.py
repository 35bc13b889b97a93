"""What is forked, as its log and its exit status show it: each test starts a program that forks."""

import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap import forks
from bootstrap.places import ROOT

pytestmark = pytest.mark.slow

PREAMBLE = """
import os, signal, sys, time
from pathlib import Path
from bootstrap import forks
log = Path(sys.argv[1])

def run(action):
    fork = forks.start(action, name="child", log=log)
    while not fork.has_ended():
        time.sleep(0.001)
    return fork
"""


def parent(script: str, log: Path) -> str:
    """What a program that forks prints; it must end well."""
    command = [sys.executable, "-c", PREAMBLE + script, str(log)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return done.stdout


def test_child_writes_to_its_log_and_leaves_the_parent_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    printed = parent(
        """
def action():
    print("out")
    print("err", file=sys.stderr)
    sys.stdout.flush()
    os.system("echo program")
    print("input", repr(sys.stdin.read()))

try:
    print("kept for later", end=" ")
    fork = run(action)
    print(fork.status, fork.ending)
finally:
    print("once")
""",
        log,
    )
    assert printed == "kept for later 0 exit status 0\nonce\n"
    assert sorted(log.read_text().splitlines()) == ["before", "err", "input ''", "out", "program"]


@pytest.mark.parametrize(
    ("action", "ending", "said"),
    [
        ("sys.exit()", "exit status 0", ""),
        ("sys.exit(7)", "exit status 7", ""),
        ("sys.exit('no broker')", "exit status 1", "no broker"),
        ("1 / 0", "exit status 1", "ZeroDivisionError: division by zero"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL", ""),
        ("signal.raise_signal(signal.SIGTERM)", "signal SIGTERM", ""),
    ],
)
def test_ending_is_that_of_a_program(action: str, ending: str, said: str, tmp_path: Path) -> None:
    """The handlers that the parent has set are not the child's."""
    script = f"""
signal.signal(signal.SIGTERM, lambda *_: None)

def action():
    {action}

print(run(action).ending)
"""
    assert parent(script, tmp_path / "log") == f"{ending}\n"
    assert (tmp_path / "log").read_text().strip().rpartition("\n")[2] == said


def test_hangup_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """As under nohup, where the site is to outlive the terminal."""
    script = """
signal.signal(signal.SIGHUP, signal.SIG_IGN)
print(run(lambda: signal.raise_signal(signal.SIGHUP)).ending)
"""
    assert parent(script, tmp_path / "log") == "exit status 0\n"


def test_child_ends_after_its_threads_and_what_is_registered_for_its_end(tmp_path: Path) -> None:
    """A mail that is being sent, say."""
    script = """
import atexit, threading

def action():
    atexit.register(print, "registered")
    threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()
    print("action")

print(run(action).ending)
"""
    assert parent(script, tmp_path / "log") == "exit status 0\n"
    assert (tmp_path / "log").read_text() == "action\nthread\nregistered\n"


def test_child_leads_a_group_that_is_killed_with_it(tmp_path: Path) -> None:
    """A grandchild keeps the writing end of a pipe open until it ends."""
    script = """
reader, writer = os.pipe()

def action():
    os.fork()
    os.write(writer, b"x")
    time.sleep(60)

fork = forks.start(action, name="child", log=log)
os.close(writer)
print(os.read(reader, 1), os.read(reader, 1))
fork.await_end(time.monotonic())
print(os.read(reader, 1), fork.ending)
"""
    assert parent(script, tmp_path / "log") == "b'x' b'x'\nb'' signal SIGKILL\n"


def test_child_that_is_asked_to_end_has_time_to(tmp_path: Path) -> None:
    script = """
reader, writer = os.pipe()

def action():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
    os.write(writer, b"x")
    time.sleep(60)

fork = forks.start(action, name="child", log=log)
os.read(reader, 1)
fork.ask_to_end()
fork.await_end(time.monotonic() + 30)
print(fork.ending)
"""
    assert parent(script, tmp_path / "log") == "exit status 5\n"


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for it")
def test_child_ends_with_its_parent_and_has_a_name(tmp_path: Path) -> None:
    """It holds the pipe that is read here, which ends when nobody has it any more."""
    script = """
def action():
    os.write(writer, Path("/proc/self/comm").read_bytes())
    time.sleep(60)

writer = os.dup(1)
forks.start(action, name="child", log=log)
time.sleep(60)
"""
    command = [sys.executable, "-c", PREAMBLE + script, str(tmp_path / "log")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as output:
        assert output.readline() == "tomahto-child\n"
        process.kill()
        assert output.read() == ""
    process.wait()


def test_last_log_is_kept_once(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    for text in ("first", "second", "third"):
        forks.keep_last(log)
        log.write_text(text)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "web.log": "third",
        "web.log.previous": "second",
    }
