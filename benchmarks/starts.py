"""The start of ./run: seconds until its first page, and the memory of its processes at rest.

    python -m benchmarks.starts [--starts 3] [--rest 12] [--data DIR]

The first start of a new folder migrates and loads the demonstration; the later ones are like those
of every day. The memory is proportional: what processes share is counted once, divided among them.
Linux only.
"""

import argparse
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bootstrap.system import free_port
from tests.site import ROOT, STOP_SECONDS

_PAGE = "/login/"
_LOOKS_EVERY = 0.02


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--starts", type=int, default=3, help="how often it is started")
    options.add_argument("--rest", type=float, default=12.0, help="seconds until memory counts")
    options.add_argument("--data", type=Path, help="data folder; default: a new one")
    given = options.parse_args()
    print("| start | first page s | processor s | memory MB | of each process | stop s |")
    print("|" + " --- |" * 6)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, given.starts + 1):
            print(f"| {number} | {start(given.data or Path(folder), given.rest)} |", flush=True)


def start(data: Path, rest: float) -> str:
    """The cells of one start."""
    port, begun = free_port(), time.perf_counter()
    command = [str(ROOT / "run"), "--port", str(port), "--data", str(data)]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not answers(f"http://127.0.0.1:{port}{_PAGE}"):
            if run.poll() is not None:
                raise SystemExit(f"./run ended with status {run.returncode}")
            time.sleep(_LOOKS_EVERY)
        seconds, spent = time.perf_counter() - begun, sum(map(processor_seconds, family(run.pid)))
        time.sleep(rest)
        sizes = [proportional_megabytes(pid) for pid in family(run.pid)]
    finally:
        begun = time.perf_counter()
        run.send_signal(signal.SIGINT)
        run.wait(2 * STOP_SECONDS)
    stopped = time.perf_counter() - begun
    each = ", ".join(f"{size:.0f}" for size in sizes)
    return f"{seconds:.2f} | {spent:.2f} | {sum(sizes):.0f} | {each} | {stopped:.1f}"


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - of our own
            return bool(answer.read())
    except OSError:
        return False


def family(pid: int) -> Iterator[int]:
    """The process, and all that it has started."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from family(int(child))


def processor_seconds(pid: int) -> float:
    """Of the process and of those that it has started and that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def proportional_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


if __name__ == "__main__":
    main()
