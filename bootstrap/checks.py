"""`./test`: which checks there are, and all of them run."""

import os
import platform
import random
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bootstrap import environment, installers
from bootstrap.check_report import failures, report
from bootstrap.check_runs import Check, beside, run_check
from bootstrap.extents import Extent, chosen_markers, postgres_paths
from bootstrap.places import PRIVATE, ROOT
from bootstrap.provision import POSTGRES_URL, REDIS_URL, provided_services
from bootstrap.verdict import committed_tree, keep_verdict, verdict_file

# What runs in production, and what installs it; tests may do what they warn of.
ROOMS = ("annotation_site", "tasks", "exporters", "tomahto", "bootstrap")
PROCESSES = 2  # of pytest, for two cores: a third one costs more than it does
MOST_FAILURES = 20  # a server that is gone fails all that need it, each after its timeout
OLDEST_PYTHON = (3, 11)
LONG_TIMEOUT = 3600  # seconds for one test of the long form
SEEDS = 2**31  # that an order of modules is drawn by

# Settings a developer may have set for the site must not change what the tests see.
SITE_VARIABLES = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
SITE_PREFIX = "TOMAHTO_"
TEST_PREFIX = "TOMAHTO_TEST_"
EXTENT = "TOMAHTO_TEST_EXTENT"  # tests/extent.py reads it
FILE_TIMES = "TOMAHTO_TEST_FILE_TIMES"  # tests/file_times.py writes there

# The checks start hundreds of Pythons. Each would compile all it imports, Django and pandas
# included, where nobody may write bytecode beside the code: so it is kept in a place of its own.
BYTECODE = PRIVATE / "bytecode"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True)
class Selection:
    """What was asked for: `arguments` for pytest switch the other checks off.

    With a `seed` the modules of tests run in the order that is drawn by it.
    """

    extent: Extent = Extent.USUAL
    arguments: tuple[str, ...] = ()
    seed: int | None = None

    def pytest_options(self) -> tuple[str, ...]:
        chosen = chosen_markers(self.extent)
        if self.arguments:
            return (*(chosen if self.extent is Extent.FAST else ()), *self.arguments)
        return (*chosen, *self._order(), *self._patience(), *_WHOLE)

    def _order(self) -> tuple[str, ...]:
        if self.seed is None:
            return ()
        return ("--random-order-bucket=module", f"--random-order-seed={self.seed}")

    def _patience(self) -> tuple[str, ...]:
        return ("--timeout", str(LONG_TIMEOUT)) if self.extent is Extent.LONG else ()


_WHOLE = (
    # who has no more tests takes some of another's: else slow ones wait for each other
    *("-n", str(PROCESSES), "--dist", "worksteal"),
    *("--maxfail", str(MOST_FAILURES)),
)


def run_checks(selection: Selection) -> int:
    """Run the checks; 0 if none failed. Raises BootstrapError if they cannot be run at all."""
    begun, tree = time.monotonic(), committed_tree()
    python = environment.provide(environment.testing_environment())
    with (
        provided_services(browser=selection.extent is not Extent.FAST) as services,
        tempfile.TemporaryDirectory(prefix="tomahto-test-") as folder,
    ):
        data = Path(folder)
        variables = check_variables(installers.private(), services, data)
        wanted = [*readers(selection, services), *runs(selection, services, data / "clone")]
        with beside(background(selection), python.parent, variables) as ended:
            outcomes = [run_check(check, python.parent, variables) for check in wanted]
            outcomes += ended()
        failed = failures(outcomes, lenient=bool(selection.arguments))
        seconds = time.monotonic() - begun
        print(report(outcomes, failed, data / FILE_TIMES, seconds=seconds), flush=True)
    file = None if selection.arguments else verdict_file(selection.extent)
    if file and (sentence := keep_verdict(file, before=tree, passed=not failed)):
        print(sentence, flush=True)
    return 1 if failed else 0


def background(selection: Selection) -> list[Check]:
    """What takes one processor for a minute, while all others and the first tests run."""
    is_left_out = selection.arguments or selection.extent is Extent.FAST
    return [] if is_left_out else [Check("mypy", ("mypy",))]


def readers(selection: Selection, services: Mapping[str, str]) -> list[Check]:
    """The other checks that are no tests, quick ones first."""
    if selection.arguments:
        return []
    if selection.extent is Extent.FAST:
        return quick_linters()
    return [*quick_linters(), *slow_linters(), *site_checks(services)]


def runs(selection: Selection, services: Mapping[str, str], clone: Path) -> list[Check]:
    """pytest's runs, and at the greatest extent `./test` under another Python, in a clone."""
    tests = pytest_runs(selection, services)
    other = other_python() if selection.extent is Extent.ALL else None
    if other is None or selection.arguments:
        return tests
    program, version = other
    script = 'git clone --quiet "$0" "$1" && cd "$1" && exec "$2" test'
    command = ("/bin/sh", "-c", script, str(ROOT), str(clone), program)
    return [*tests, Check(f"./test, Python {version}", command)]


def quick_linters() -> list[Check]:
    """Checks that only read the code, in seconds."""
    return [
        Check("ruff check", ("ruff", "check")),
        Check("ruff format", ("ruff", "format", "--check")),
        Check("import contracts", ("lint-imports",)),
    ]


def slow_linters() -> list[Check]:
    """Checks that only read the code and the templates, and take their time."""
    return [
        Check("bandit", ("bandit", "--quiet", "--configfile", "pyproject.toml", "-r", *ROOMS)),
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
    """pytest on either database; without arguments PostgreSQL gets its part of the extent.

    The fast ones are for between two changes: on SQLite alone.
    """
    command = ("python", "-m", "pytest", *selection.pytest_options())
    paths = () if selection.arguments else postgres_paths(selection.extent)
    is_long = selection.extent is Extent.LONG
    form = {EXTENT: selection.extent.value} if is_long or not selection.arguments else {}
    postgres = {"DATABASE_URL": services[POSTGRES_URL]}
    both = [
        Check("pytest on SQLite", command, form),
        Check("pytest on PostgreSQL", (*command, *paths), form | postgres),
    ]
    return both[:1] if selection.extent is Extent.FAST else both


def other_python() -> tuple[str, str] | None:
    """Path and version of the Python that the system came with, if it is another one.

    `python3` is often that of a version manager, some patches newer than what most people have.
    """
    program = shutil.which("python3", path=os.defpath)
    if program is None:
        return None
    print_version = "import platform; print(platform.python_version())"
    done = subprocess.run(
        [program, "-c", print_version], capture_output=True, text=True, check=False
    )
    version = done.stdout.strip()
    if not version or version == platform.python_version():
        return None
    is_new_enough = tuple(map(int, version.split(".")[:2])) >= OLDEST_PYTHON
    return (program, version) if is_new_enough else None


def drawn_seed() -> int:
    """A number to draw an order by."""
    return random.SystemRandom().randrange(SEEDS)


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
        FILE_TIMES: str(data / FILE_TIMES),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPYCACHEPREFIX": str(BYTECODE),
    }
    return kept | dict(services) | own
