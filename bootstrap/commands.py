"""What the scripts `run` and `test` at the top of the checkout do with their arguments."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, NoReturn

from bootstrap import BootstrapError, checks, environment, listings, requirements, serving
from bootstrap.console import note
from bootstrap.environment import Environment
from bootstrap.extents import Extent
from bootstrap.places import ROOT
from bootstrap.serving import Site

INTERRUPTED = 128 + signal.SIGINT
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
    """`./run`: the exit status."""
    return _guarded("run", lambda: _run(arguments))


def test(arguments: Sequence[str]) -> int:
    """`./test`: the exit status."""
    return _guarded("test", lambda: _test(arguments))


def _guarded(name: str, action: Callable[[], int]) -> int:
    """Do it; a BootstrapError becomes one message and status 1."""
    try:
        return action()
    except BootstrapError as error:
        note(f"{name}: {error}")
        return 1
    except KeyboardInterrupt:
        note(f"{name}: interrupted")
        return INTERRUPTED


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
            if module not in (known := listings.programs(listings.BENCHMARKS)):
                parser.error(f"benchmark takes one of: {', '.join(known)}")
            tools = environment.testing_environment()
            return start(site, ["-m", f"benchmarks.{module}", *arguments], tools)
        case "lock":
            requirements.lock(*lock_parser().parse_args(split.arguments).upgrade)
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
    """What the command has to offer, if that is what is asked for; else nothing."""
    match split:
        case Split(command="manage", arguments=[] | ["-h" | "--help"]):
            return listings.manage_help()
        case Split(command="benchmark", arguments=[] | ["-h" | "--help"]):
            return listings.benchmark_help()
        case Split(command="python", arguments=["--help"]):
            return listings.python_help()
    return ""


def asks_for_help(split: Split) -> bool:
    """Whether a program will only print how it is used; what follows `--` is for another one."""
    own = list(takewhile(lambda argument: argument != "--", split.arguments))
    if split.command == "python":
        return "--help" in own or own == ["-h"]
    return bool({"-h", "--help"} & set(own)) or own[:1] == ["help"]


def run_parser() -> argparse.ArgumentParser:
    """The options of `./run`."""
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
    """The options of `./run lock`."""
    parser = argparse.ArgumentParser(prog="./run lock")
    parser.add_argument("--upgrade", action="store_const", const=["--upgrade"], default=[])
    return parser


def port_number(text: str) -> int:
    """A port that a browser can be told."""
    if text.isascii() and text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port between 1 and 65535")


def data_folder(named: Path | None) -> Path:
    """The folder that was named here or in the environment, else `data` in the checkout."""
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
    signal.signal(signal.SIGTERM, _end)
    seed = options.seed
    if seed is None and options.extent is Extent.ALL and not remaining:
        seed = checks.drawn_seed()
    return checks.run_checks(checks.Selection(options.extent, tuple(remaining), seed))


def _end(number: int, *_: object) -> None:
    """Leave through every `finally`, which stops the servers that were started."""
    sys.exit(128 + number)
