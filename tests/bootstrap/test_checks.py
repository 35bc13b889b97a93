import sys
from pathlib import Path

import pytest

from bootstrap import checks
from bootstrap.checks import Check, Outcome, Selection
from bootstrap.places import ROOT

SERVICES = {"TOMAHTO_TEST_POSTGRES_URL": "postgresql://p", "TOMAHTO_TEST_REDIS_URL": "redis://r"}
NOT_SLOW = "not browser and not faults and not models and not slow"
HANDED_OUT = ("--dist", "worksteal", "--maxfail", "20")


def outcome(name: str, status: int, output: str = "") -> Outcome:
    return Outcome(Check(name, ("program",)), status, 1.5, output)


def test_everything_is_checked_without_arguments() -> None:
    assert [check.name for check in checks.checks(Selection(), SERVICES)] == [
        "ruff check",
        "ruff format",
        "bandit",
        "import contracts",
        "mypy",
        "djLint",
        "templates",
        "migrations",
        "deployment",
        "pytest on SQLite",
        "pytest on PostgreSQL",
    ]


def test_arguments_run_pytest_alone_on_both_databases() -> None:
    wanted = Selection(arguments=("tests/tasks", "-k", "claim"))
    command = ("python", "-m", "pytest", "tests/tasks", "-k", "claim")
    assert checks.checks(wanted, SERVICES) == [
        Check("pytest on SQLite", command),
        Check("pytest on PostgreSQL", command, {"DATABASE_URL": "postgresql://p"}),
    ]


def test_postgres_gets_what_touches_the_data_layer() -> None:
    sqlite, postgres = checks.pytest_runs(Selection(), SERVICES)
    ignored = [f"--ignore-glob=tests/{pattern}" for pattern in checks.SQLITE_ONLY]
    assert postgres.command == (*sqlite.command, *ignored)


@pytest.mark.parametrize("pattern", checks.SQLITE_ONLY)
def test_what_postgres_does_not_get_is_there(pattern: str) -> None:
    assert any((ROOT / "tests").glob(pattern))


@pytest.mark.parametrize("folder", ["api", "figures", "queries", "workflow"])
def test_postgres_gets_every_test_of_what_reads_and_writes_rows(folder: str) -> None:
    left_out = {path for each in checks.SQLITE_ONLY for path in (ROOT / "tests").glob(each)}
    features = [*(ROOT / "tests" / "tasks").glob(f"*/{folder}"), ROOT / "tests" / "faults"]
    assert len(features) > 1
    assert not [path for each in features for path in each.rglob("*") if path in left_out]


def test_the_fast_form_runs_on_sqlite_alone() -> None:
    assert [check.name for check in checks.pytest_runs(Selection(fast=True), SERVICES)] == [
        "pytest on SQLite"
    ]


def test_the_long_form_is_told_to_the_tests() -> None:
    sqlite, postgres = checks.pytest_runs(Selection(long=True), SERVICES)
    assert sqlite.variables == {"TOMAHTO_TEST_LONG": "1"}
    assert postgres.variables == {"TOMAHTO_TEST_LONG": "1", "DATABASE_URL": "postgresql://p"}


@pytest.mark.parametrize(
    ("selection", "options"),
    [
        (Selection(), ("-n", "3", *HANDED_OUT)),
        (Selection(fast=True), ("-m", NOT_SLOW, "-n", "2", *HANDED_OUT)),
        (Selection(long=True), ("--timeout", "3600", "-n", "3", *HANDED_OUT)),
        (Selection(fast=True, arguments=("-x",)), ("-m", NOT_SLOW, "-x")),
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
    assert checks.run_check(check, program.parent, variables).status == 0
    assert not (tmp_path / "__pycache__").exists()
    [kept] = (tmp_path / "bytecode").rglob("imported.*.pyc")
    assert kept.is_file()


def test_run_check_shows_and_keeps_the_output(capfd: pytest.CaptureFixture[str]) -> None:
    program = Path(sys.executable)
    script = "import os, sys; print(os.environ['WORD'] + 'é'); sys.exit('bad')"
    check = Check("example", (program.name, "-c", script), {"WORD": "caf"})
    found = checks.run_check(check, program.parent, {"WORD": "overridden", "PYTHONUTF8": "1"})
    assert (found.status, sorted(found.output.splitlines())) == (1, ["bad", "café"])
    assert "café" in capfd.readouterr().out


def test_failures_are_what_ended_with_an_error() -> None:
    good, bad, empty = outcome("good", 0), outcome("bad", 1), outcome("empty", 5)
    assert checks.failures([good, bad, empty], lenient=False) == [bad, empty]


@pytest.mark.parametrize(
    ("sqlite", "postgres", "failed"),
    [(0, 5, []), (5, 0, []), (5, 5, ["s", "p"]), (1, 5, ["s"]), (5, 1, ["p"]), (0, 2, ["p"])],
)
def test_chosen_tests_may_all_belong_to_one_database(
    sqlite: int, postgres: int, failed: list[str]
) -> None:
    outcomes = [outcome("s", sqlite), outcome("p", postgres)]
    assert [each.check.name for each in checks.failures(outcomes, lenient=True)] == failed


def test_report_ends_with_what_failed_and_pytests_own_lines() -> None:
    linter = outcome("mypy", 1, "a.py:3: error: wrong\nFound 1 error\n")
    tests = outcome(
        "pytest on SQLite",
        1,
        "\x1b[31mF\x1b[0m.\nFAILED tests/test_a.py::test_b - assert 1 == 2\n"
        "\x1b[31m===== 1 failed, 1 passed in 0.12s =====\x1b[0m\n",
    )
    good = outcome("ruff check", 0, "All checks passed!\n")
    assert checks.report([good, linter, tests], [linter, tests], seconds=61.4).splitlines() == [
        "",
        "── Summary",
        "ruff check                1.5 s  ok",
        "mypy                      1.5 s  FAILED",
        "pytest on SQLite          1.5 s  FAILED",
        "",
        "mypy failed (status 1):",
        "  a.py:3: error: wrong",
        "  Found 1 error",
        "",
        "pytest on SQLite failed (status 1):",
        "  FAILED tests/test_a.py::test_b - assert 1 == 2",
        "",
        "pytest on SQLite:",
        "===== 1 failed, 1 passed in 0.12s =====",
        "",
        "Failed: mypy, pytest on SQLite, in 61 s.",
    ]


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
