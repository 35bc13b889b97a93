"""The commands of the scripts `run` and `test` at the top of the checkout."""

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, NoReturn

from bootstrap import checks, environment, serving
from bootstrap.checks import Extent
from bootstrap.environment import Environment
from bootstrap.serving import Site
from bootstrap.system import ROOT, guarded

COMMANDS = ROOT / "tasks" / "management" / "commands"
BENCHMARKS = ROOT / "benchmarks"
EXAMPLES = ROOT / "examples"


def manage_help() -> str:
    return _listing(
        "./run manage COMMAND …",
        "Run a management command on the data folder. Those of Tomahto:",
        {path.stem: _first_clause(_command_help(path)) for path in _modules(COMMANDS)},
        "./run manage COMMAND --help shows what a command takes; ./run manage help lists\n"
        "Django's commands too, such as migrate, shell and changepassword.",
    )


def benchmark_help() -> str:
    return _listing(
        "./run benchmark NAME …",
        "Repeat a measurement, in the environment of ./test. There are:",
        programs(BENCHMARKS),
        "./run benchmark NAME --help shows what a measurement takes.",
    )


def python_help() -> str:
    """Help on the environment's Python, with the scripts of the checkout."""
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


RUN_OPTIONS_WITH_VALUE = ("--data", "--host", "--port")

RUN_EPILOG = """\
commands:
  manage COMMAND …   run a management command on the data folder, in the environment of ./run
  python …           start the Python of that environment: a script, -m MODULE, or nothing
  benchmark NAME …   repeat a measurement of benchmarks/, in the environment of ./test
  lock [--upgrade]   rewrite requirements/*.lock; --upgrade updates every version
  translations       update and compile the translations, list what is left to translate

./run manage, ./run benchmark and ./run python --help list what there is.

Without a command, serves until Ctrl-C. DATABASE_URL, TOMAHTO_BROKER_URL and the other variables
of the site are passed on.
"""

TEST_EPILOG = """\
Everything else is passed on to pytest, which then runs alone: ./test tests/tasks -k claim

Programs come from the first place that has them; these variables name them instead:
  TOMAHTO_TEST_POSTGRES_URL, TOMAHTO_TEST_REDIS_URL         servers that run already
  TOMAHTO_TEST_POSTGRES_BIN, TOMAHTO_TEST_REDIS_SERVER      programs to start private ones with
  TOMAHTO_TEST_RCLONE                                       the object store that tests start
  TOMAHTO_TEST_CHROMIUM                                     the browser
  TOMAHTO_TEST_STRACE                                       shows that ratings are synced
  TOMAHTO_TEST_SOURCES=installed,debian,pypi                the places to look
"""

EXTENTS = {
    Extent.FAST: "quick tests on SQLite and quick linters: between two changes",
    Extent.ALL: "every test on both databases, modules in random order, and under the system's "
    "own Python; without a time limit",
    Extent.LONG: "every test, and every place where a release can be cut off or damaged",
}


class Split(NamedTuple):
    """A command line's own options, the command after them, and that command's arguments."""

    options: list[str]
    command: str | None
    arguments: list[str]


def run(arguments: Sequence[str]) -> int:
    return guarded("run", lambda: _run(arguments))


def test(arguments: Sequence[str]) -> int:
    return guarded("test", lambda: _test(arguments))


def _run(arguments: Sequence[str]) -> int:
    split = split_command(arguments)
    parser = run_parser()
    options = parser.parse_args(split.options)
    site = Site(data_folder(options.data), options.host, options.port, options.models)
    if listing := listing_for(split):
        print(listing)
        return 0
    start = show_help if asks_for_help(split) else become_python
    match split.command:
        case "manage":
            return start(site, [str(ROOT / "manage.py"), *split.arguments])
        case "python":
            return start(site, split.arguments)
        case "benchmark":
            module, *arguments = split.arguments
            if module not in (known := programs(BENCHMARKS)):
                parser.error(f"benchmark takes one of: {', '.join(known)}")
            tools = environment.testing_environment()
            return start(site, ["-m", f"benchmarks.{module}", *arguments], tools)
        case "lock":
            environment.write_locks(*lock_parser().parse_args(split.arguments).upgrade)
            return 0
        case "translations":
            tools = environment.testing_environment()
            command = [str(ROOT / "manage.py"), "translations", *split.arguments]
            return start(site, command, tools)
        case str() as unknown:
            commands = "manage, python, benchmark, lock or translations"
            parser.error(f"no command {unknown!r}: {commands}")
    return serving.serve(site)


def split_command(arguments: Sequence[str]) -> Split:
    """Find the command behind our own options; what follows it is never looked at."""
    position = 0
    while position < len(arguments) and arguments[position].startswith("-"):
        position += 2 if arguments[position] in RUN_OPTIONS_WITH_VALUE else 1
    command = arguments[position] if position < len(arguments) else None
    return Split(list(arguments[:position]), command, list(arguments[position + 1 :]))


def listing_for(split: Split) -> str:
    """The list of the command's programs, if its help is asked for; else nothing."""
    match split:
        case Split(command="manage", arguments=[] | ["-h" | "--help"]):
            return manage_help()
        case Split(command="benchmark", arguments=[] | ["-h" | "--help"]):
            return benchmark_help()
        case Split(command="python", arguments=["--help"]):
            return python_help()
    return ""


def asks_for_help(split: Split) -> bool:
    """Whether a program will only print how it is used; what follows `--` is for another one."""
    own = list(takewhile(lambda argument: argument != "--", split.arguments))
    if split.command == "python":
        return "--help" in own or own == ["-h"]
    return bool({"-h", "--help"} & set(own)) or own[:1] == ["help"]


def run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./run",
        usage="./run [--port N] [--host H] [--data DIR] [--models] "
        "[manage COMMAND … | python … | benchmark NAME … | lock | translations]",
        description="Serve Tomahto from this checkout, installing what it needs first.",
        epilog=RUN_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--port", type=port_number, default=8000, help="default: 8000")
    parser.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1, this machine only")
    parser.add_argument(
        "--data", type=Path, help="database, releases, logs; default: $TOMAHTO_DATA or data/"
    )
    parser.add_argument(
        "--models", action="store_true", help="with torch, which matchers and answerers may need"
    )
    return parser


def lock_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./run lock")
    parser.add_argument("--upgrade", action="store_const", const=["--upgrade"], default=[])
    return parser


def port_number(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port between 1 and 65535")


def data_folder(named: Path | None) -> Path:
    from_environment = os.environ.get("TOMAHTO_DATA")
    return (named or Path(from_environment or ROOT / "data")).expanduser().resolve()


def become_python(
    site: Site, arguments: Sequence[str], tools: Environment | None = None
) -> NoReturn:
    """Become the environment's Python, so that output, signals and exit status are its own.

    It works on the site's data, and finds the modules of the checkout wherever it is started.
    `tools` is the environment it runs in, if not the one that serves.
    """
    line = _python_line(site, arguments, tools)
    serving.make_data_folder(site)
    os.execve(line[0], line, _variables(site))


def show_help(site: Site, arguments: Sequence[str], tools: Environment | None = None) -> int:
    """Start the environment's Python without the site's data, so that nothing is left behind."""
    line = _python_line(site, arguments, tools)
    with tempfile.TemporaryDirectory(prefix="tomahto-help-") as folder:
        return subprocess.call(line, env=_variables(replace(site, data=Path(folder))))


def _python_line(site: Site, arguments: Sequence[str], tools: Environment | None) -> list[str]:
    serving_tools = environment.serving_environment(with_models=site.with_models)
    return [str(environment.provide(tools or serving_tools)), *arguments]


def _variables(site: Site) -> dict[str, str]:
    return site.variables() | {"PYTHONPATH": str(ROOT)}


def _test(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="./test",
        usage="./test [--fast | --all [--seed N] | --long] [pytest's arguments]",
        description="Run the checks, with real PostgreSQL, Redis, OpenSSH and Chromium: linters, "
        "all behaviour once, PostgreSQL where the dialect matters, one test of each slow kind.",
        epilog=TEST_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    extents = parser.add_mutually_exclusive_group()
    for extent, meaning in EXTENTS.items():
        extents.add_argument(
            f"--{extent}", dest="extent", action="store_const", const=extent, help=meaning
        )
    parser.set_defaults(extent=Extent.USUAL)
    parser.add_argument("--seed", type=int, help="the seed printed by a run of --all, to repeat it")
    options, remaining = parser.parse_known_args(list(arguments))
    # leave through every `finally`, which stops the servers that were started
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    seed = options.seed
    if seed is None and options.extent is Extent.ALL and not remaining:
        seed = checks.drawn_seed()
    return checks.run_checks(checks.Selection(options.extent, tuple(remaining), seed))
