"""`./test`: how much of it runs, of which tests on which database, and all of it run.

The tree that a run of all checks saw pass is kept for whoever hands it on: `.tomahto/green` names
it after `./test`, `.tomahto/green-all` after `./test --all`.
"""

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
from enum import StrEnum
from pathlib import Path

from bootstrap import environment
from bootstrap.check_runs import Check, beside, failures, report, run_check
from bootstrap.services import POSTGRES_URL, REDIS_URL, provided_services
from bootstrap.system import PRIVATE, ROOT


class Extent(StrEnum):
    """From what is tried between two changes to what takes as long as it takes."""

    FAST = "fast"  # quick tests on SQLite
    USUAL = "usual"  # all behaviour once, PostgreSQL where the dialect matters
    ALL = "all"  # every test on both databases, modules in an order drawn anew
    LONG = "long"  # the same, with every place where a release can be cut off or damaged

    @property
    def has_every_test(self) -> bool:
        return self in (Extent.ALL, Extent.LONG)


# Kinds of tests that are slow whatever they try: markers of pyproject.toml.
SLOW_KINDS = ("browser", "faults", "models", "thorough")
REPRESENTATIVE = "representative"  # the one of its slow kind that runs nevertheless

# Where SQL is written for one of the databases, or their locks, types and triggers are relied on.
DIALECT_MATTERS = (
    "tests/annotation_site/test_postgres.py",
    "tests/faults/test_kills.py",  # the database is one of what it kills
    "tests/faults/test_races.py",
    "tests/tasks/adjudication/queries",
    "tests/tasks/audit",
    "tests/tasks/events",
    "tests/tasks/intake/workflow",
    "tests/tasks/jobs",
    "tests/tasks/models",
    "tests/tasks/rating/workflow",
    "tests/tasks/releases/queries",
    "tests/tasks/storing",
    "tests/tasks/talk",
    "tests/tasks/votes",
    "tests/tasks/whole/test_misled_planner.py",
    "tests/tasks/whole/test_queries.py",
)

# What never touches the database, or brings its own, need not run on PostgreSQL again.
SQLITE_ONLY = (
    "tests/bootstrap",
    "tests/demo",
    "tests/docker",
    "tests/docs",
    "tests/examples",
    "tests/exporters",
    "tests/faults/test_disk.py",
    "tests/faults/test_power_cuts.py",  # PostgreSQL sees to its disk itself
    "tests/journeys",
    "tests/security",
    "tests/tomahto",
)


def chosen_markers(extent: Extent) -> tuple[str, ...]:
    if extent.has_every_test:
        return ()
    quick = " and ".join(f"not {kind}" for kind in SLOW_KINDS)
    if extent is Extent.FAST:
        return ("-m", f"{quick} and not slow")
    return ("-m", f"{REPRESENTATIVE} or ({quick})")


def postgres_paths(extent: Extent) -> tuple[str, ...]:
    """Further arguments of pytest by which PostgreSQL gets its part of the tests."""
    if extent.has_every_test:
        return tuple(f"--ignore={path}" for path in SQLITE_ONLY)
    return DIALECT_MATTERS


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
EXTENT = "TOMAHTO_TEST_EXTENT"  # tests/sampling.py reads it
FILE_TIMES = "TOMAHTO_TEST_FILE_TIMES"  # tests/file_times.py writes there

# The checks start hundreds of Pythons. Each would compile all it imports, Django and pandas
# included, where nobody may write bytecode beside the code: so it is kept in a place of its own.
BYTECODE = PRIVATE / "bytecode"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


@dataclass(frozen=True)
class Selection:
    """The options of a run: `arguments` for pytest switch the other checks off.

    With a `seed` the modules of tests run in the order that is drawn by it.
    """

    extent: Extent = Extent.USUAL
    arguments: tuple[str, ...] = ()
    seed: int | None = None

    def pytest_options(self) -> tuple[str, ...]:
        chosen = chosen_markers(self.extent)
        if self.arguments:
            return (*(chosen if self.extent is Extent.FAST else ()), *self.arguments)
        options = [*chosen]
        if self.seed is not None:
            options += ["--random-order-bucket=module", f"--random-order-seed={self.seed}"]
        if self.extent is Extent.LONG:
            options += ["--timeout", str(LONG_TIMEOUT)]
        # who has no more tests takes some of another's: else slow ones wait for each other
        options += ["-n", str(PROCESSES), "--dist", "worksteal", "--maxfail", str(MOST_FAILURES)]
        return tuple(options)


def run_checks(selection: Selection) -> int:
    """Run the checks; 0 if none failed. Raises BootstrapError if they cannot be run at all."""
    begun, tree = time.monotonic(), committed_tree()
    python = environment.provide(environment.testing_environment())
    with (
        provided_services(browser=selection.extent is not Extent.FAST) as services,
        tempfile.TemporaryDirectory(prefix="tomahto-test-") as folder,
    ):
        data = Path(folder)
        variables = check_variables(environment.own_variables(), services, data)
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
    """Checks that take one processor for a minute, while all others and the first tests run."""
    is_left_out = selection.arguments or selection.extent is Extent.FAST
    return [] if is_left_out else [Check("mypy", ("mypy",))]


def readers(selection: Selection, services: Mapping[str, str]) -> list[Check]:
    if selection.arguments:
        return []
    if selection.extent is Extent.FAST:
        return [*QUICK_LINTERS]
    return [*QUICK_LINTERS, *SLOW_LINTERS, *site_checks(services)]


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


QUICK_LINTERS = (
    Check("ruff check", ("ruff", "check")),
    Check("ruff format", ("ruff", "format", "--check")),
    Check("import contracts", ("lint-imports",)),
)
SLOW_LINTERS = (
    Check("bandit", ("bandit", "--quiet", "--configfile", "pyproject.toml", "-r", *ROOMS)),
    Check("djLint", ("djlint", "templates", "--check", "--lint")),
)


def site_checks(services: Mapping[str, str]) -> list[Check]:
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
    return random.SystemRandom().randrange(SEEDS)


def check_variables(
    inherited: Mapping[str, str], services: Mapping[str, str], data: Path
) -> dict[str, str]:
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


_FILES = {Extent.USUAL: "green", Extent.ALL: "green-all"}


def verdict_file(extent: Extent) -> Path | None:
    """The file of an extent's verdict, if it is one that says all is well."""
    name = _FILES.get(extent)
    return PRIVATE / name if name else None


def committed_tree() -> str | None:
    """The hash of HEAD's tree; None where files differ from it, or where there is no history."""
    if _git("status", "--porcelain") != "":
        return None
    return _git("rev-parse", "HEAD^{tree}")


def keep_verdict(file: Path, *, before: str | None, passed: bool) -> str:
    """Write down the tree that passed, or take back what stood there; a sentence that says which.

    `before` is the tree when the checks began.
    """
    if not passed:
        file.unlink(missing_ok=True)
        return ""
    if before is None or before != committed_tree():
        return "No verdict was recorded: the files are not those of a commit."
    file.write_text(f"{before}\n")
    return f"{file.relative_to(ROOT)} names the tree that passed, {before[:12]}."


def _git(*arguments: str) -> str | None:
    """The output of git; None if it refuses or is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.decode().strip()
