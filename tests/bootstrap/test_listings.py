"""Lists of programs, as the sources have them."""

import ast
import subprocess
import sys
from collections.abc import Callable

import pytest
from django.core.management import get_commands, load_command_class

from bootstrap import commands
from bootstrap.system import ROOT


def test_every_command_of_tomahto_is_listed_with_what_it_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    rows = commands.manage_help().splitlines()
    ours = sorted(name for name, app in get_commands().items() if app == "tasks")
    assert [row.split()[0] for row in rows if row.startswith("  ")] == ours
    for name in ours:
        (said,) = (row.split(maxsplit=1)[1] for row in rows if row.startswith(f"  {name} "))
        assert load_command_class("tasks", name).help.startswith(said)


def test_measurements_are_the_programs_of_their_folder() -> None:
    found = commands.programs(commands.BENCHMARKS)
    assert {"load", "exports", "house"} <= set(found)
    assert not {"__init__", "timing", "open_campaign"} & set(found)
    for name, what in found.items():
        text = ast.get_docstring(ast.parse((commands.BENCHMARKS / f"{name}.py").read_text()))
        assert what
        assert "ArgumentParser(" in (commands.BENCHMARKS / f"{name}.py").read_text()
        assert " ".join((text or "").split()).startswith(what)


@pytest.mark.thorough
def test_every_measurement_says_how_it_is_used() -> None:
    for name in commands.programs(commands.BENCHMARKS):
        command = [sys.executable, "-m", f"benchmarks.{name}", "--help"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("usage: ")


@pytest.mark.parametrize(
    "listing", [commands.manage_help, commands.benchmark_help, commands.python_help]
)
def test_listings_fit_a_narrow_terminal(
    listing: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, listing().splitlines())) <= 80
