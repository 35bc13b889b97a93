import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import check_runs
from bootstrap.check_runs import Check, Outcome

PROGRAM = Path(sys.executable)


def outcome(name: str, status: int, output: str = "") -> Outcome:
    return Outcome(Check(name, ("program",)), status, 1.5, output)


def test_run_check_shows_and_keeps_the_output(capfd: pytest.CaptureFixture[str]) -> None:
    program = Path(sys.executable)
    script = "import os, sys; print(os.environ['WORD'] + 'é'); sys.exit('bad')"
    check = Check("example", (program.name, "-c", script), {"WORD": "caf"})
    found = check_runs.run_check(check, program.parent, {"WORD": "overridden", "PYTHONUTF8": "1"})
    assert (found.status, sorted(found.output.splitlines())) == (1, ["bad", "café"])
    assert "café" in capfd.readouterr().out


@pytest.mark.parametrize(
    "line",
    [
        "======== 412 passed, 3 warnings in 62.10s (0:01:02) ========",
        "1 passed in 0.01s",
        "==== no tests ran in 0.03s ====",
        "2 deselected in 0.46s",
    ],
)
def test_summary_is_pytests_last_line(line: str) -> None:
    assert outcome("pytest", 0, f"tests/a.py ..\n{line}\n").summary == line


def test_other_checks_have_no_summary() -> None:
    assert outcome("mypy", 0, "Success: no issues found in 120 source files\n").summary is None


def python(name: str, script: str) -> Check:
    return Check(name, (PROGRAM.name, "-c", script))


def test_checks_beside_others_are_shown_when_they_are_waited_for(
    capfd: pytest.CaptureFixture[str],
) -> None:
    wanted = [python("first", "print('one')"), python("second", "import sys; sys.exit('two')")]
    with check_runs.beside(wanted, PROGRAM.parent, {}) as ended:
        check_runs.run_check(python("other", "print('three')"), PROGRAM.parent, {})
        outcomes = ended()
    assert [(each.check.name, each.status, each.output) for each in outcomes] == [
        ("first", 0, "one\n"),
        ("second", 1, "two\n"),
    ]
    printed = capfd.readouterr().out
    places = [printed.index(text) for text in ("three", "── first", "one\n", "── second")]
    assert places == sorted(places)


def test_checks_beside_others_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits until the other has come."""
    script = """
import pathlib, sys, time
own, other = map(pathlib.Path, sys.argv[1:])
own.touch()
for _ in range(600):
    if other.exists():
        sys.exit()
    time.sleep(0.05)
sys.exit("alone")
"""
    ways = [(tmp_path / "a", tmp_path / "b"), (tmp_path / "b", tmp_path / "a")]
    first, second = (
        Check(own.name, (PROGRAM.name, "-c", script, str(own), str(other))) for own, other in ways
    )
    with check_runs.beside([first], PROGRAM.parent, {}) as ended:
        outcomes = [check_runs.run_check(second, PROGRAM.parent, {}), *ended()]
    assert [each.status for each in outcomes] == [0, 0]


@pytest.fixture
def _signal_that_stops() -> Iterator[None]:
    """As ./test sets it for SIGTERM."""
    before = signal.signal(signal.SIGUSR1, lambda *_: sys.exit(1))
    yield
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.usefixtures("_signal_that_stops")
def test_whoever_is_asked_to_stop_ends_what_runs_beside(tmp_path: Path) -> None:
    started = tmp_path / "started"
    script = f"import pathlib, time; pathlib.Path({str(started)!r}).touch(); time.sleep(600)"
    asking = threading.Thread(target=_signal_after, args=(started,))
    asking.start()
    with (
        pytest.raises(SystemExit),
        check_runs.beside([python("endless", script)], PROGRAM.parent, {}) as ended,
    ):
        ended()
    asking.join()


def _signal_after(file: Path) -> None:
    waiting = threading.Event()
    while not file.exists():
        waiting.wait(0.05)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
