"""The process in which one matcher is measured: `python -m tomahto.matching.cost_probe`.

It reads what to do as JSON from stdin and prints a `MatcherCost`, or an "error", as JSON.
"""

import gc
import json
import math
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy  # noqa: F401 - a library, which does not count

from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.own_weights import use_file
from tomahto.matching.registry import configure_aliases, files_on_disk, load_matcher, matcher_names
from tomahto.pretrained.locations import configure_models

_LEAST_SECONDS = 0.1  # a shorter run would measure the clock
_STATUS = Path("/proc/self/status")


def main() -> None:
    order = json.loads(sys.stdin.read())
    try:
        found = probe(order)
    except (ValueError, LookupError, OSError) as error:
        found = {"error": " ".join(str(error).split())}
    print(json.dumps(found))


def probe(order: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a `MatcherCost`."""
    use_one_core()
    configure_models(order["models"])
    configure_aliases(Path(order["aliases"]) if order["aliases"] else None)
    if order["weights"]:
        use_file(order["matcher"], Path(order["weights"]))
    pairs = [Pair(**{**pair, "references": tuple(pair["references"])}) for pair in order["pairs"]]
    matcher_names()  # what finds a matcher is none of its cost
    idle = idle_bytes()
    start = time.perf_counter()
    matcher = load_matcher(order["matcher"])
    load_seconds = time.perf_counter() - start
    seconds = time_runs(matcher, pairs, order["runs"])
    peak = memory("VmHWM")
    return {
        "matcher": matcher.name,
        "version": matcher.version,
        "seconds": seconds,
        "load_seconds": load_seconds,
        "peak_bytes": None if peak is None or idle is None else max(peak - idle, 0),
        "disk_bytes": sum(path.stat().st_size for path in files_on_disk(order["matcher"])),
    }


def use_one_core() -> None:
    """Stay on one of the cores that the process may use, where the system can say so."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def time_runs(matcher: Matcher, pairs: list[Pair], runs: int) -> list[float]:
    """Seconds of the processor per 1,000 pairs in each run, after one that does not count.

    A run scores the pairs as often as fills a tenth of a second.
    """
    start = time.process_time()
    matcher.score(pairs)
    warm = max(time.process_time() - start, 1e-6)
    passes = math.ceil(_LEAST_SECONDS / warm)
    seconds = []
    for _ in range(runs):
        start = time.process_time()
        for _ in range(passes):
            matcher.score(pairs)
        seconds.append((time.process_time() - start) / (passes * len(pairs)) * 1000)
    return seconds


def idle_bytes() -> int | None:
    """What the process has in memory now, from where on its peak is counted anew."""
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # VmHWM becomes VmRSS
    except OSError:
        return None
    return memory("VmRSS")


def memory(field: str) -> int | None:
    """A size of /proc/self/status in bytes, None where there is no such file."""
    if not _STATUS.exists():
        return None
    lines = (line.split() for line in _STATUS.read_text().splitlines())
    return next((int(words[1]) * 1024 for words in lines if words[0] == f"{field}:"), None)


if __name__ == "__main__":
    main()
