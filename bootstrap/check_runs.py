"""Running the commands that check the project: what became of them, and the closing summary."""

import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import cast

from bootstrap.system import ROOT, Process

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
    """The end of a check: exit status, seconds and everything it printed."""

    check: Check
    status: int
    seconds: float
    output: str

    @property
    def summary(self) -> str | None:
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
        output = b"".join(_passed_on_output(process))
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


def _passed_on_output(process: Process) -> Iterator[bytes]:
    """The command's output, passed on to the terminal as it comes."""
    output = cast("BufferedReader", process.stdout)
    while chunk := output.read1():
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        yield chunk


NONE_COLLECTED = 5  # pytest's exit status
FILES_NAMED = 15


def failures(outcomes: Sequence[Outcome], *, lenient: bool) -> list[Outcome]:
    """The checks that failed.

    `lenient` for chosen tests: a database on which none of them run is no failure, as long as
    some run on the other one.
    """
    empty = [outcome for outcome in outcomes if outcome.status == NONE_COLLECTED]
    tolerated = empty if lenient and len(empty) < len(outcomes) else []
    return [outcome for outcome in outcomes if outcome.status and outcome not in tolerated]


def report(
    outcomes: Sequence[Outcome], failed: Sequence[Outcome], file_times: Path, *, seconds: float
) -> str:
    """The closing summary: durations, slow files, what failed and why, pytest's own last lines.

    `file_times` has lines as tests/file_times.py writes them. `seconds` is how long all took,
    starting the services and stopping them included.
    """
    lines = ["", "── Summary"]
    for outcome in outcomes:
        verdict = "FAILED" if outcome in failed else "ok"
        lines.append(f"{outcome.check.name:<22} {outcome.seconds:6.1f} s  {verdict}")
    lines += slowest_files(file_times)
    for outcome in failed:
        lines += ["", f"{outcome.check.name} failed (status {outcome.status}):"]
        lines += [f"  {line}" for line in outcome.explanation()]
    for outcome in outcomes:
        if outcome.summary:
            lines += ["", f"{outcome.check.name}:", outcome.summary]
    names = ", ".join(outcome.check.name for outcome in failed)
    verdict = f"Failed: {names}" if failed else "Everything passed"
    return "\n".join([*lines, "", f"{verdict}, in {seconds:.0f} s."])


def slowest_files(file_times: Path) -> list[str]:
    """The files whose tests took longest, over all runs of pytest."""
    if not file_times.exists():
        return []
    spent = defaultdict[str, float](float)
    for line in file_times.read_text().splitlines():
        seconds, file = line.split(maxsplit=1)
        spent[file] += float(seconds)
    slowest = sorted(spent.items(), key=lambda each: -each[1])[:FILES_NAMED]
    rows = [f"{seconds:8.1f} s  {file}" for file, seconds in slowest]
    return ["", "Slowest files:", *rows]
