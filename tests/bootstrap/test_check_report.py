from pathlib import Path

import pytest

from bootstrap import check_runs
from bootstrap.check_runs import Check, Outcome

NO_TIMES = Path("/nowhere")


def outcome(name: str, status: int, output: str = "") -> Outcome:
    return Outcome(Check(name, ("program",)), status, 1.5, output)


def test_failures_are_what_ended_with_an_error() -> None:
    good, bad, empty = outcome("good", 0), outcome("bad", 1), outcome("empty", 5)
    assert check_runs.failures([good, bad, empty], lenient=False) == [bad, empty]


@pytest.mark.parametrize(
    ("sqlite", "postgres", "failed"),
    [(0, 5, []), (5, 0, []), (5, 5, ["s", "p"]), (1, 5, ["s"]), (5, 1, ["p"]), (0, 2, ["p"])],
)
def test_chosen_tests_may_all_belong_to_one_database(
    sqlite: int, postgres: int, failed: list[str]
) -> None:
    outcomes = [outcome("s", sqlite), outcome("p", postgres)]
    assert [each.check.name for each in check_runs.failures(outcomes, lenient=True)] == failed


def test_report_ends_with_what_failed_and_pytests_own_lines() -> None:
    linter = outcome("mypy", 1, "a.py:3: error: wrong\nFound 1 error\n")
    tests = outcome(
        "pytest on SQLite",
        1,
        "\x1b[31mF\x1b[0m.\nFAILED tests/test_a.py::test_b - assert 1 == 2\n"
        "\x1b[31m===== 1 failed, 1 passed in 0.12s =====\x1b[0m\n",
    )
    good = outcome("ruff check", 0, "All checks passed!\n")
    assert check_runs.report(
        [good, linter, tests], [linter, tests], NO_TIMES, seconds=61.4
    ).splitlines() == [
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


def test_slowest_files_are_those_of_all_runs_together(tmp_path: Path) -> None:
    times = tmp_path / "times"
    others = "".join(f"1.0 tests/test_{number}.py\n" for number in range(20))
    times.write_text(f"2.5 tests/test_a.py\n3.0 tests/test_b.py\n{others}4.25 tests/test_a.py\n")
    lines = check_runs.slowest_files(times)
    assert lines[:4] == [
        "",
        "Slowest files:",
        "     6.8 s  tests/test_a.py",
        "     3.0 s  tests/test_b.py",
    ]
    assert len(lines) == 2 + 15
