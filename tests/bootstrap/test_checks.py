import platform
import sys
from pathlib import Path

import pytest

from bootstrap import checks
from bootstrap.check_runs import Check, run_check
from bootstrap.checks import DIALECT_MATTERS, SQLITE_ONLY, Extent, Selection
from bootstrap.system import ROOT

SERVICES = {"TOMAHTO_TEST_POSTGRES_URL": "postgresql://p", "TOMAHTO_TEST_REDIS_URL": "redis://r"}
QUICK = "not browser and not faults and not models and not thorough"
HANDED_OUT = ("-n", "2", "--dist", "worksteal", "--maxfail", "20")
CLONE = Path("/new/clone")
found_python = checks.other_python  # the real one
FAST, ALL, LONG = (Selection(extent) for extent in (Extent.FAST, Extent.ALL, Extent.LONG))


@pytest.fixture(autouse=True)
def _other_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "other_python", lambda: ("/usr/bin/python3", "3.11.0"))


def names_of(selection: Selection) -> list[str]:
    wanted = [*checks.readers(selection, SERVICES), *checks.runs(selection, SERVICES, CLONE)]
    return [check.name for check in wanted]


@pytest.mark.parametrize(
    ("selection", "others"),
    [(Selection(), []), (LONG, []), (ALL, ["./test, Python 3.11.0"])],
)
def test_everything_is_checked_without_arguments(selection: Selection, others: list[str]) -> None:
    assert [check.name for check in checks.background(selection)] == ["mypy"]
    assert names_of(selection) == [
        "ruff check",
        "ruff format",
        "import contracts",
        "bandit",
        "djLint",
        "templates",
        "migrations",
        "deployment",
        "pytest on SQLite",
        "pytest on PostgreSQL",
        *others,
    ]


def test_the_fast_form_runs_on_sqlite_alone_with_what_reads_quickly() -> None:
    wanted = ["ruff check", "ruff format", "import contracts", "pytest on SQLite"]
    assert names_of(FAST) == wanted
    assert checks.background(FAST) == []


def test_arguments_run_pytest_alone_on_both_databases() -> None:
    wanted = Selection(Extent.ALL, arguments=("tests/tasks", "-k", "claim"))
    command = ("python", "-m", "pytest", "tests/tasks", "-k", "claim")
    assert checks.background(wanted) == checks.readers(wanted, SERVICES) == []
    assert checks.runs(wanted, SERVICES, CLONE) == [
        Check("pytest on SQLite", command),
        Check("pytest on PostgreSQL", command, {"DATABASE_URL": "postgresql://p"}),
    ]


@pytest.mark.parametrize(
    ("selection", "besides"),
    [
        (Selection(), DIALECT_MATTERS),
        (ALL, tuple(f"--ignore={path}" for path in SQLITE_ONLY)),
    ],
)
def test_postgres_gets_its_part(selection: Selection, besides: tuple[str, ...]) -> None:
    sqlite, postgres = checks.pytest_runs(selection, SERVICES)
    assert postgres.command == (*sqlite.command, *besides)


@pytest.mark.parametrize("path", [*DIALECT_MATTERS, *SQLITE_ONLY])
def test_parts_are_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    ("selection", "told"),
    [
        (Selection(), {"TOMAHTO_TEST_EXTENT": "usual"}),
        (ALL, {"TOMAHTO_TEST_EXTENT": "all"}),
        (LONG, {"TOMAHTO_TEST_EXTENT": "long"}),
        (Selection(Extent.LONG, ("-x",)), {"TOMAHTO_TEST_EXTENT": "long"}),
        (Selection(arguments=("-x",)), {}),
    ],
)
def test_the_extent_is_told_to_the_tests(selection: Selection, told: dict[str, str]) -> None:
    sqlite, postgres = checks.pytest_runs(selection, SERVICES)
    assert sqlite.variables == told
    assert postgres.variables == told | {"DATABASE_URL": "postgresql://p"}


@pytest.mark.parametrize(
    ("selection", "options"),
    [
        (Selection(), ("-m", f"representative or ({QUICK})", *HANDED_OUT)),
        (FAST, ("-m", f"{QUICK} and not slow", *HANDED_OUT)),
        (ALL, HANDED_OUT),
        (
            Selection(Extent.ALL, seed=7),
            ("--random-order-bucket=module", "--random-order-seed=7", *HANDED_OUT),
        ),
        (LONG, ("--timeout", "3600", *HANDED_OUT)),
        (Selection(Extent.FAST, ("-x",)), ("-m", f"{QUICK} and not slow", "-x")),
        (Selection(arguments=("-x",)), ("-x",)),
    ],
)
def test_pytest_options_follow_the_selection(
    selection: Selection, options: tuple[str, ...]
) -> None:
    assert selection.pytest_options() == options


def test_deployment_is_checked_as_in_production() -> None:
    *_, deployment = checks.site_checks(SERVICES)
    settings = dict(deployment.variables)
    assert len(settings.pop("TOMAHTO_SECRET_KEY")) > 50
    assert settings == {
        "TOMAHTO_PRODUCTION": "1",
        "TOMAHTO_ALLOWED_HOSTS": "example.org",
        "TOMAHTO_BROKER_URL": "redis://r",
        "DATABASE_URL": "postgresql://p",
    }


def test_variables_of_a_developers_site_do_not_reach_the_tests() -> None:
    inherited = {
        "PATH": "/bin",
        "DATABASE_URL": "postgresql://precious",
        "TOMAHTO_DATA": "/precious",
        "TOMAHTO_SECRET_KEY": "secret",
        "TOMAHTO_TEST_SOURCES": "debian",
    }
    assert checks.check_variables(inherited, SERVICES, Path("/new")) == {
        "PATH": "/bin",
        "TOMAHTO_TEST_SOURCES": "debian",
        "TOMAHTO_DATA": "/new",
        "TOMAHTO_TEST_FILE_TIMES": "/new/TOMAHTO_TEST_FILE_TIMES",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPYCACHEPREFIX": str(checks.BYTECODE),
        **SERVICES,
    }


def test_bytecode_is_kept_for_the_next_python_whatever_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "BYTECODE", tmp_path / "bytecode")
    (tmp_path / "imported.py").touch()
    inherited = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tmp_path)}
    variables = checks.check_variables(inherited, {}, tmp_path)
    program = Path(sys.executable)
    check = Check("example", (program.name, "-c", "import imported"))
    assert run_check(check, program.parent, variables).status == 0
    assert not (tmp_path / "__pycache__").exists()
    [kept] = (tmp_path / "bytecode").rglob("imported.*.pyc")
    assert kept.is_file()


def system_python(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stand-in where the system's programs are, which prints that version."""
    program = folder / "python3"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    monkeypatch.setattr("os.defpath", str(folder))
    return str(program)


@pytest.mark.parametrize("version", ["3.11.0", "3.14.1"])
def test_another_python_of_the_system_is_found(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = system_python(tmp_path, version, monkeypatch)
    assert found_python() == (program, version)


@pytest.mark.parametrize("version", [platform.python_version(), "3.10.13", ""])
def test_this_one_one_too_old_and_one_that_fails_are_passed_over(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system_python(tmp_path, version, monkeypatch)
    assert found_python() is None


def test_a_system_without_python_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.defpath", str(tmp_path))
    assert found_python() is None
