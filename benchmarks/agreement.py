"""Agreement of a million items with four ratings each: `python -m benchmarks.agreement`.

    python -m benchmarks.agreement [--items 1000000] [--protocol ae] [--data DIR]

Side by side: counting the vote patterns in the database, alpha with 2,000 bootstrap replicates
from them, and `krippendorff.alpha` without an interval on the same ratings. The database is
SQLite in a temporary folder below DIR, or an empty one that DATABASE_URL names; at full size it
takes some 2 GB. Each alpha is computed in a process of its own: the fastest of five calls, and the
peak of what one more call allocates, as tracemalloc sees it (NumPy's arrays included; the package's
input, which it is handed, is not).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.campaigns.outcomes import random_outcomes
from benchmarks.timing import timed

_OVERLAP, _REPLICATES, _REPEATS = 4, 2000, 5
_Figures = dict[str, float]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=1_000_000)
    options.add_argument("--protocol", default="ae")
    options.add_argument("--data", help="where the temporary folder is made")
    options.add_argument("--part", choices=sorted(_PARTS), help=argparse.SUPPRESS)
    given = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    if given.part:
        print(json.dumps(_PARTS[given.part](given.items, given.protocol)))
        return
    with tempfile.TemporaryDirectory(dir=given.data) as folder:
        os.environ["TOMAHTO_DATA"] = folder
        _compare(given.items, given.protocol)


def _compare(items: int, protocol: str) -> None:
    print(f"{items:,} items x {_OVERLAP} ratings, protocol {protocol}", flush=True)
    for name in ("make", "count", "page", "ours", "package"):
        figures = _run(name, items, protocol)
        if name == "ours":
            ours = figures
        memory = f" {figures['megabytes']:8.1f} MB" if "megabytes" in figures else ""
        print(f"{_TITLES[name]:50} {figures['seconds']:10.4f} s{memory}", flush=True)
    times = figures["seconds"] / ours["seconds"]
    share = ours["megabytes"] / figures["megabytes"]
    print(f"{times:.1f} times as fast, {share:.3f} of the memory")
    print(f"alpha {ours['alpha']:.12f}, difference {abs(ours['alpha'] - figures['alpha']):.1e}")


def _run(part: str, items: int, protocol: str) -> _Figures:
    command = [sys.executable, "-m", "benchmarks.agreement", "--part", part]
    done = subprocess.run(
        [*command, "--items", str(items), "--protocol", protocol],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    figures: _Figures = json.loads(done.stdout)
    return figures


def _make(items: int, protocol: str) -> _Figures:
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.campaigns.rated import make_rated_campaign

    call_command("migrate", verbosity=0)
    make = partial(make_rated_campaign, "big", protocol=protocol, items=items, overlap=_OVERLAP)
    return {"seconds": timed(make)[0]}


def _count(_items: int, _protocol: str) -> _Figures:
    import django

    django.setup()
    from tasks.models import Campaign
    from tasks.votes.patterns import vote_patterns

    campaign = Campaign.objects.get(slug="big")
    seconds, patterns = timed(lambda: vote_patterns(campaign))
    rows = [[*pattern, count] for pattern, count in patterns.counts.items()]
    _patterns_file().write_text(json.dumps(rows))
    return {"seconds": seconds}


def _page(_items: int, _protocol: str) -> _Figures:
    """The whole report: label, every question, kappa of every two raters."""
    import django

    django.setup()
    from tasks.agreement.figures.agreement_figures import agreement_of
    from tasks.models import Campaign

    campaign = Campaign.objects.get(slug="big")
    return {"seconds": timed(lambda: agreement_of(campaign))[0]}


def _ours(_items: int, protocol: str) -> _Figures:
    from tasks.protocols import get_protocol
    from tomahto.reliability.alpha import alpha_with_interval
    from tomahto.votes.patterns import VotePatterns

    counts = {tuple(row[:-1]): row[-1] for row in json.loads(_patterns_file().read_text())}
    patterns = VotePatterns(get_protocol(protocol).scheme, counts)

    def run() -> float:
        value = alpha_with_interval(patterns, seed=1, replicates=_REPLICATES).value
        assert value is not None
        return value

    return _measured(run)


def _package(items: int, protocol: str) -> _Figures:
    """From how often each item got each value, one row per item: the least the package takes."""
    import krippendorff

    from tasks.protocols import get_protocol

    known = get_protocol(protocol)
    outcomes = [each for each in known.outcomes if each.answers]
    places = known.scheme.index_of if known.level == "nominal" else known.scheme.rank_of
    values = np.array([places[each.label] for each in outcomes], dtype=np.float64)
    domain = np.unique(values)
    drawn = random_outcomes(len(outcomes), items, _OVERLAP)
    counts = np.stack([(values[drawn] == value).sum(axis=1) for value in domain], axis=1)
    return _measured(
        lambda: float(
            krippendorff.alpha(
                value_counts=counts, value_domain=domain, level_of_measurement=known.level
            )
        )
    )


def _measured(run: Callable[[], float]) -> _Figures:
    runs = [timed(run) for _ in range(_REPEATS)]
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    return {"seconds": min(runs)[0], "megabytes": peak / 1e6, "alpha": runs[-1][1]}


def _patterns_file() -> Path:
    return Path(os.environ["TOMAHTO_DATA"]) / "patterns.json"


_PARTS: dict[str, Callable[[int, str], _Figures]] = {
    "make": _make,
    "count": _count,
    "page": _page,
    "ours": _ours,
    "package": _package,
}
_TITLES = {
    "make": "storing the ratings",
    "count": "counting the vote patterns",
    "page": "all figures of the agreement page",
    "ours": f"alpha with {_REPLICATES:,} replicates, from the patterns",
    "package": "krippendorff.alpha, no interval",
}


if __name__ == "__main__":
    main()
