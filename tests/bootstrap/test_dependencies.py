"""The commands run before anything is installed."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from bootstrap.system import ROOT

ALLOWED = sys.stdlib_module_names | {"bootstrap"}


def imported_packages(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield str(node.module).partition(".")[0]


def test_commands_import_the_standard_library_only() -> None:
    files = [ROOT / "run", ROOT / "test", *(ROOT / "bootstrap").glob("*.py")]
    foreign = {
        (path.name, package)
        for path in files
        for package in imported_packages(path)
        if package not in ALLOWED
    }
    assert len(files) > 10
    assert foreign == set()
