"""How soon `./run` serves, and what it takes: the first page, memory at rest, commands.

    python -m benchmarks.start [--starts 3] [--rest 20]

In a data folder of its own, which a first start fills with the demo and is not counted. Prints of
every further start the seconds from the command until a browser has the first page, and until the
site says that it is ready; then the memory of all its processes together after some seconds of
rest (proportional set size: what several share counts once); then the processor's time that
commands take more than Python takes to import Django. Linux only.
"""

import argparse
import os
import resource
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.timing import fastest, timed
from bootstrap.environment import provide, serving_environment
from bootstrap.places import ROOT
from bootstrap.processes import free_port
from tests.faults.family import everybody, proportional_size

RUN = str(ROOT / "run")
COMMANDS = (["version"], ["jobs", "demo-ae"], ["agreement", "demo-ae"])
READY = "Tomahto is ready"
PATIENCE = 240  # seconds; a first start may install something


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="tomahto-start-") as folder:
        data = Path(folder) / "data"
        with _running(data):
            pass
        print("start | first page s | ready s | processes | MB at rest")
        for number in range(1, options.starts + 1):
            with _running(data) as (process, first_page, ready):
                time.sleep(options.rest)
                sizes = [proportional_size(pid) for pid in everybody(process.pid)]
            row = f"{first_page:.2f} | {ready:.2f} | {len(sizes)} | {sum(sizes):.0f}"
            print(f"{number} | {row}", flush=True)
        _measure_commands(data)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run benchmark start")
    parser.add_argument("--starts", type=int, default=3, help="default: 3")
    parser.add_argument("--rest", type=float, default=20, help="seconds; default: 20")
    return parser.parse_args()


@contextmanager
def _running(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], float, float]]:
    """./run, which is stopped at the end, and the seconds until its first page and its word."""
    port = free_port()
    said = data.with_name("run.log")
    with said.open("wb") as log:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [RUN, "--data", str(data), "--port", str(port)],
            env=_environment(),
            stdout=log,
            stderr=log,
        )
    try:
        _await(process, said, lambda: _has_page(port))
        first_page = time.perf_counter() - begun
        _await(process, said, lambda: READY in said.read_text())
        yield process, first_page, time.perf_counter() - begun
    finally:
        process.terminate()
        process.wait()


def _await(process: subprocess.Popen[bytes], said: Path, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"./run does not serve:\n{said.read_text()}")
        time.sleep(0.01)


def _has_page(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
            return bool(page.read())
    except (urllib.error.URLError, OSError):
        return False


def _environment() -> Mapping[str, str]:
    """Of somebody who has set nothing."""
    set_by_others = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONDONTWRITEBYTECODE")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in set_by_others and not name.startswith("TOMAHTO_")
    }


def _measure_commands(data: Path) -> None:
    python = str(provide(serving_environment()))
    least = _seconds([python, "-c", "import django"])
    print(f"\ncommand | s of processor time more than the {least:.2f} of `import django`")
    for command in COMMANDS:
        seconds = _seconds([RUN, "--data", str(data), "manage", *command])
        print(f"{' '.join(command)} | {seconds - least:.2f}", flush=True)


def _seconds(command: list[str]) -> float:
    """Of the processor, all processes of the command together, the least of a few runs."""
    timed(lambda: _call(command))  # what it compiles is kept
    return fastest(lambda: _call(command), _of_children)


def _call(command: list[str]) -> None:
    subprocess.run(command, env=_environment(), stdout=subprocess.DEVNULL, check=True)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
