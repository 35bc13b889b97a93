"""The cost of a matcher: time, memory and disk (CFMatch paper, Tab. 3).

Every matcher is measured in a fresh process on one core (`python -m tomahto.matching.cost`), so
that none profits from what another has loaded. The process reads what to do as JSON from stdin
and prints a `MatcherCost`, or an "error", as JSON.
"""

import gc
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy  # noqa: F401 - a library, which does not count

from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.registry import configure_aliases, files_on_disk, load_matcher, matcher_names
from tomahto.matching.trainable import place_of, use_file
from tomahto.pretrained.files import configure_models

_ROOT = Path(__file__).resolve().parents[2]
_ONE_CORE = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "CUDA_VISIBLE_DEVICES": "",
}


class CostError(ValueError):
    """A matcher that could not be measured; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class MatcherCost:
    """The cost of one matcher on one core.

    `seconds` are those of the processor per 1,000 pairs, one for each run after one that does not
    count. `load_seconds` pass until it is ready. `peak_bytes` is the most memory that the process
    had beyond what it had before loading; None where the system does not tell. `disk_bytes` is the
    size of what it is made of, without libraries.
    """

    matcher: str
    version: str
    seconds: tuple[float, ...]
    load_seconds: float
    peak_bytes: int | None
    disk_bytes: int


def measure_cost(
    name: str,
    pairs: Sequence[Pair],
    *,
    runs: int,
    models: Mapping[str, str],
    aliases: Path | None,
) -> MatcherCost:
    """The cost of the matcher of that name on these pairs, with what the site has configured.

    Raises CostError if it cannot be loaded or does not score them.
    """
    weights = place_of(name)
    order = {
        "matcher": name,
        "runs": runs,
        "pairs": [asdict(pair) for pair in pairs],
        "models": dict(models),
        "aliases": str(aliases) if aliases else None,
        "weights": str(weights.resolve()) if weights else None,
    }
    done = subprocess.run(
        [sys.executable, "-m", "tomahto.matching.cost"],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=_ROOT,
        env={**os.environ, **_ONE_CORE},
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason is given"]
        raise CostError(f"{name} could not be measured: {lines[-1]}")
    # libraries may have printed lines before
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "error" in found:
        raise CostError(f"{name} could not be measured: {found['error']}")
    return MatcherCost(**{**found, "seconds": tuple(found["seconds"])})


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
    """The process's memory now, from where on its peak is counted."""
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
