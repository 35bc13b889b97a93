"""What `./run manage`, `./run benchmark` and `./run python` have to offer.

It is read from the sources, so that nothing has to be installed, made or started for it.
"""

import ast
import re
import shutil
import textwrap
from collections.abc import Mapping
from pathlib import Path

from bootstrap.places import ROOT

COMMANDS = ROOT / "tasks" / "management" / "commands"
BENCHMARKS = ROOT / "benchmarks"
EXAMPLES = ROOT / "examples"


def manage_help() -> str:
    """All commands of Tomahto with what each is for."""
    return _listing(
        "./run manage COMMAND …",
        "Run a management command on the data folder. Those of Tomahto:",
        {path.stem: _first_clause(_command_help(path)) for path in _modules(COMMANDS)},
        "./run manage COMMAND --help shows what a command takes; ./run manage help lists\n"
        "Django's commands too, such as migrate, shell and changepassword.",
    )


def benchmark_help() -> str:
    """All measurements that can be repeated."""
    return _listing(
        "./run benchmark NAME …",
        "Repeat a measurement, in the environment of ./test. There are:",
        programs(BENCHMARKS),
        "./run benchmark NAME --help shows what a measurement takes.",
    )


def python_help() -> str:
    """What the Python of the environment is for, and the scripts of the checkout."""
    return _listing(
        "./run python [FILE | -m MODULE | -c CODE] …",
        "Start the Python of the site, which finds the modules of the checkout and knows\n"
        "the data folder; without arguments an interactive one. ./run manage shell has\n"
        "the models at hand, too. Scripts of the checkout:",
        {f"examples/{name}.py": what for name, what in programs(EXAMPLES).items()},
        "./run python -h lists the options of Python itself.",
    )


def programs(folder: Path) -> dict[str, str]:
    """By name the modules of a folder that can be started, with what each is for."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in _modules(folder)}
    return {
        name: _first_clause(ast.get_docstring(ast.parse(text)) or "")
        for name, text in texts.items()
        if '__name__ == "__main__"' in text
    }


def _modules(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.py") if path.stem != "__init__")


def _command_help(path: Path) -> str:
    """The `help` of the module's command."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="help")], value=ast.Constant(value=str(text))):
                return text
    return ""


def _first_clause(text: str) -> str:
    return re.split(r"[.:;](?: |$)", " ".join(text.split()), maxsplit=1)[0]


def _listing(usage: str, about: str, entries: Mapping[str, str], more: str) -> str:
    margin = max(map(len, entries)) + 4
    columns = shutil.get_terminal_size().columns
    rows = [
        textwrap.fill(
            what,
            columns,
            initial_indent=f"  {name}".ljust(margin),
            subsequent_indent=" " * margin,
        )
        for name, what in entries.items()
    ]
    return "\n\n".join([f"usage: {usage}", about, "\n".join(rows), more])
