"""The cost of a matcher: time, memory and disk (CFMatch paper, Tab. 3).

Every matcher is measured in a fresh process on one core (`tomahto/matching/cost_probe.py`), so
that none profits from what another has loaded.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tomahto.matching.interface import Pair
from tomahto.matching.own_weights import place_of

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
        [sys.executable, "-m", "tomahto.matching.cost_probe"],
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
