"""Running the commands that check the project, and what became of them."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import cast

from bootstrap.places import ROOT
from bootstrap.processes import Process

LINES_SHOWN = 15
STOP_SECONDS = 30
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
PYTEST_SUMMARY = re.compile(r"^=* ?(\d+ \w+|no tests ran).* in [\d.]+s")
PYTEST_FAILURE = re.compile(r"^(FAILED|ERROR) ")


@dataclass(frozen=True)
class Check:
    """One command; its program is relative to the environment's `bin`."""

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How a check ended: exit status, seconds and everything it printed."""

    check: Check
    status: int
    seconds: float
    output: str

    @property
    def summary(self) -> str | None:
        """pytest's own last line, if this was pytest."""
        lines = [line for line in self._lines() if PYTEST_SUMMARY.match(line)]
        return lines[-1] if lines else None

    def explanation(self) -> list[str]:
        """The tests that failed, or else the end of the output."""
        tests = [line for line in self._lines() if PYTEST_FAILURE.match(line)]
        return tests or self._lines()[-LINES_SHOWN:]

    def _lines(self) -> list[str]:
        return COLOURS.sub("", self.output).splitlines()


def run_check(check: Check, programs: Path, variables: Mapping[str, str]) -> Outcome:
    """Run one check in the checkout, showing its output while keeping it."""
    print(_headline(check), flush=True)
    begun = time.monotonic()
    with _started(check, programs, variables) as process:
        output = b"".join(_shown(process))
        status = process.wait()
    return Outcome(check, status, time.monotonic() - begun, output.decode(errors="replace"))


@contextmanager
def beside(
    checks: Sequence[Check], programs: Path, variables: Mapping[str, str]
) -> Iterator[Callable[[], list[Outcome]]]:
    """Checks that run one after another while something else goes on.

    The function waits for them, shows what they printed, and says how they ended.
    """
    running: list[Process] = []

    def kept(check: Check) -> Outcome:
        begun = time.monotonic()
        process = _start(check, programs, variables)
        running.append(process)
        output, _ = process.communicate()
        text = output.decode(errors="replace")
        return Outcome(check, process.returncode, time.monotonic() - begun, text)

    def ended() -> list[Outcome]:
        outcomes = [future.result() for future in futures]
        for outcome in outcomes:
            print(_headline(outcome.check), outcome.output.rstrip(), sep="\n", flush=True)
        return outcomes

    with ThreadPoolExecutor(1) as pool:
        futures = [pool.submit(kept, check) for check in checks]
        try:
            yield ended
        except BaseException:  # asked to stop: nobody waits for what is under way
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.terminate()
            raise


def _headline(check: Check) -> str:
    return f"\n── {check.name}: {' '.join(check.command)}"


def _start(check: Check, programs: Path, variables: Mapping[str, str]) -> Process:
    return subprocess.Popen(
        [str(programs / check.command[0]), *check.command[1:]],
        cwd=ROOT,
        env={**variables, **check.variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@contextmanager
def _started(check: Check, programs: Path, variables: Mapping[str, str]) -> Iterator[Process]:
    """The running command. Interrupted, it gets the time to stop the servers that it started.

    Ctrl-C reaches it without us; any other request to stop is passed on as the same signal.
    """
    process = _start(check, programs, variables)
    try:
        yield process
    except SystemExit:
        process.send_signal(signal.SIGINT)
        raise
    finally:
        try:
            rest, _ = process.communicate(timeout=STOP_SECONDS)
            sys.stdout.buffer.write(rest)
        except subprocess.TimeoutExpired:
            process.kill()


def _shown(process: Process) -> Iterator[bytes]:
    """The command's output, passed on to the terminal as it comes."""
    output = cast("BufferedReader", process.stdout)
    while chunk := output.read1():
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        yield chunk
