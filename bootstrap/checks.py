"""`./test`: every check, one after another, and what failed at the end."""

import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import cast

from bootstrap import environment, installers
from bootstrap.places import PRIVATE, ROOT
from bootstrap.processes import Process
from bootstrap.provision import POSTGRES_URL, REDIS_URL, provided_services

# What PostgreSQL need not repeat, below tests/. What reads or writes rows runs on both: workflow,
# queries, API, commands, workers, and servers that are broken.
SQLITE_ONLY = (
    # no database, or one of their own
    *("bootstrap", "demo", "docker", "examples", "exporters", "journeys", "security", "tomahto"),
    # sites of a ./run for which nothing is set: their database is SQLite in either run
    "docs",
    # data folders without a server
    *("tasks/management/test_first_use.py", "annotation_site/sqlite/test_power_cuts.py"),
    # commands from files to files
    *("tasks/management/test_evaluate.py", "tasks/management/test_evaluate_[!c]*.py"),
    *("tasks/management/test_evaluate_cost.py", "tasks/management/test_reproduce*.py"),
    *("tasks/management/test_make_aliases.py", "tasks/management/test_score_pairs.py"),
    *("tasks/management/test_train_[bcf]*.py", "tasks/management/test_output_file.py"),
    # the checkout's own files
    *("tasks/management/test_lint_templates.py", "tasks/management/test_static_files.py"),
    "tasks/management/test_translations.py",
    # who is let in, and what pages are called: no database decides that
    *("tasks/whole/test_routes.py", "tasks/whole/test_language.py", "tasks/handbook"),
)
# What runs in production, and what installs it; tests may do what they warn of.
ROOMS = ("annotation_site", "tasks", "exporters", "tomahto", "bootstrap")
SLOW_MARKERS = ("browser", "faults", "models", "slow")
PROCESSES = 3  # for two cores: much of the time a test waits for servers or a browser
FAST_PROCESSES = 2  # quick ones wait for nothing
MOST_FAILURES = 20  # a server that is gone fails all that need it, each after its timeout
LONG_TIMEOUT = 3600  # seconds for one test of the long form

NONE_COLLECTED = 5  # pytest's exit status
LINES_SHOWN = 15
STOP_SECONDS = 30
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
PYTEST_SUMMARY = re.compile(r"^=* ?(\d+ \w+|no tests ran).* in [\d.]+s")
PYTEST_FAILURE = re.compile(r"^(FAILED|ERROR) ")

# Settings a developer may have set for the site must not change what the tests see.
SITE_VARIABLES = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
SITE_PREFIX = "TOMAHTO_"
TEST_PREFIX = "TOMAHTO_TEST_"
LONG_FORM = "TOMAHTO_TEST_LONG"  # tests/extent.py reads it

# The checks start hundreds of Pythons. Each would compile all it imports, Django and pandas
# included, where nobody may write bytecode beside the code: so it is kept in a place of its own.
BYTECODE = PRIVATE / "bytecode"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True)
class Selection:
    """What was asked for: `arguments` for pytest switch the other checks off."""

    fast: bool = False
    long: bool = False
    arguments: tuple[str, ...] = ()

    def pytest_options(self) -> tuple[str, ...]:
        markers = " and ".join(f"not {marker}" for marker in SLOW_MARKERS)
        chosen = ("-m", markers) if self.fast else ()
        patient = ("--timeout", str(LONG_TIMEOUT)) if self.long else ()
        processes = FAST_PROCESSES if self.fast else PROCESSES
        whole = (
            # who has no more tests takes some of another's: else slow ones wait for each other
            *("-n", str(processes), "--dist", "worksteal"),
            *("--maxfail", str(MOST_FAILURES)),
        )
        return (*chosen, *patient, *(self.arguments or whole))


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


def run_checks(selection: Selection) -> int:
    """Run the checks; 0 if none failed. Raises BootstrapError if they cannot be run at all."""
    begun = time.monotonic()
    python = environment.provide(environment.testing_environment())
    with (
        provided_services(browser=not selection.fast) as services,
        tempfile.TemporaryDirectory(prefix="tomahto-test-") as data,
    ):
        variables = check_variables(installers.private(), services, Path(data))
        outcomes = [
            run_check(check, python.parent, variables) for check in checks(selection, services)
        ]
    failed = failures(outcomes, lenient=bool(selection.arguments))
    print(report(outcomes, failed, seconds=time.monotonic() - begun), flush=True)
    return 1 if failed else 0


def checks(selection: Selection, services: Mapping[str, str]) -> list[Check]:
    """What to run, quick ones first."""
    runs = pytest_runs(selection, services)
    return runs if selection.arguments else [*linters(), *site_checks(services), *runs]


def linters() -> list[Check]:
    """Checks that only read the code."""
    return [
        Check("ruff check", ("ruff", "check")),
        Check("ruff format", ("ruff", "format", "--check")),
        Check("bandit", ("bandit", "--quiet", "--configfile", "pyproject.toml", "-r", *ROOMS)),
        Check("import contracts", ("lint-imports",)),
        Check("mypy", ("mypy",)),
        Check("djLint", ("djlint", "templates", "--check", "--lint")),
    ]


def site_checks(services: Mapping[str, str]) -> list[Check]:
    """Checks that load the site."""
    manage = ("python", "manage.py")
    production = {
        "TOMAHTO_PRODUCTION": "1",
        "TOMAHTO_SECRET_KEY": secrets.token_urlsafe(50),
        "TOMAHTO_ALLOWED_HOSTS": "example.org",
        "TOMAHTO_BROKER_URL": services[REDIS_URL],
        "DATABASE_URL": services[POSTGRES_URL],
    }
    deployment = ("check", "--deploy", "--fail-level", "WARNING")
    return [
        Check("templates", (*manage, "lint_templates")),
        Check("migrations", (*manage, "makemigrations", "--check", "--dry-run")),
        Check("deployment", (*manage, *deployment), production),
    ]


def pytest_runs(selection: Selection, services: Mapping[str, str]) -> list[Check]:
    """pytest on either database; without arguments PostgreSQL gets what touches the data.

    The fast ones are for between two changes: on SQLite alone.
    """
    command = ("python", "-m", "pytest", *selection.pytest_options())
    ignored = [f"--ignore-glob=tests/{pattern}" for pattern in SQLITE_ONLY]
    left_out = [] if selection.arguments else ignored
    form = {LONG_FORM: "1"} if selection.long else {}
    postgres = {"DATABASE_URL": services[POSTGRES_URL]}
    runs = [
        Check("pytest on SQLite", command, form),
        Check("pytest on PostgreSQL", (*command, *left_out), form | postgres),
    ]
    return runs[:1] if selection.fast else runs


def check_variables(
    inherited: Mapping[str, str], services: Mapping[str, str], data: Path
) -> dict[str, str]:
    """The environment of every check: the services, a data folder of its own, no model hub."""
    kept = {
        name: value
        for name, value in inherited.items()
        if name not in (*SITE_VARIABLES, NO_BYTECODE)
        and (not name.startswith(SITE_PREFIX) or name.startswith(TEST_PREFIX))
    }
    own = {
        "TOMAHTO_DATA": str(data),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPYCACHEPREFIX": str(BYTECODE),
    }
    return kept | dict(services) | own


def run_check(check: Check, programs: Path, variables: Mapping[str, str]) -> Outcome:
    """Run one check in the checkout, showing its output while keeping it."""
    print(f"\n── {check.name}: {' '.join(check.command)}", flush=True)
    begun = time.monotonic()
    command = [str(programs / check.command[0]), *check.command[1:]]
    with _started(command, {**variables, **check.variables}) as process:
        output = b"".join(_shown(process))
        status = process.wait()
    return Outcome(check, status, time.monotonic() - begun, output.decode(errors="replace"))


@contextmanager
def _started(command: Sequence[str], variables: Mapping[str, str]) -> Iterator[Process]:
    """The running command. Interrupted, it gets the time to stop the servers that it started.

    Ctrl-C reaches it without us; any other request to stop is passed on as the same signal.
    """
    process = subprocess.Popen(
        command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
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


def failures(outcomes: Sequence[Outcome], *, lenient: bool) -> list[Outcome]:
    """The checks that failed.

    `lenient` for chosen tests: a database on which none of them run is no failure, as long as
    some run on the other one.
    """
    empty = [outcome for outcome in outcomes if outcome.status == NONE_COLLECTED]
    tolerated = empty if lenient and len(empty) < len(outcomes) else []
    return [outcome for outcome in outcomes if outcome.status and outcome not in tolerated]


def report(outcomes: Sequence[Outcome], failed: Sequence[Outcome], *, seconds: float) -> str:
    """The closing summary: durations, what failed and why, pytest's own last lines.

    `seconds` is how long all took, starting the services and stopping them included.
    """
    lines = ["", "── Summary"]
    for outcome in outcomes:
        verdict = "FAILED" if outcome in failed else "ok"
        lines.append(f"{outcome.check.name:<22} {outcome.seconds:6.1f} s  {verdict}")
    for outcome in failed:
        lines += ["", f"{outcome.check.name} failed (status {outcome.status}):"]
        lines += [f"  {line}" for line in outcome.explanation()]
    for outcome in outcomes:
        if outcome.summary:
            lines += ["", f"{outcome.check.name}:", outcome.summary]
    names = ", ".join(outcome.check.name for outcome in failed)
    verdict = f"Failed: {names}" if failed else "Everything passed"
    return "\n".join([*lines, "", f"{verdict}, in {seconds:.0f} s."])
