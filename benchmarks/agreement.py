"""Agreement of a million items with four ratings each: `python -m benchmarks.agreement`.

    python -m benchmarks.agreement [--items 1000000] [--protocol ae] [--data DIR]

Counting the vote patterns in the database and all figures of the page; it is SQLite in a temporary
folder below DIR, or an empty one that DATABASE_URL names, and takes some 2 GB at full size. Then,
without it and for the protocol and for `cap` with its eight ordered labels, side by side: alpha
with 2,000 bootstrap replicates from the patterns, and `krippendorff.alpha` without an interval on
the same ratings. Each is computed in a process of its own: the fastest of five calls, and the peak
of what one more call allocates, as tracemalloc sees it (NumPy's arrays included; the package's
input, which it is handed, is not).

Last the worst case: ten votes an item, each any of the eight labels by chance, of items alone and
of four items a question, so that hardly two questions are alike. It is processor time, from the
votes as arrays to all figures that come of vote patterns.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from resource import RUSAGE_SELF, getrusage
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.campaigns.outcomes import random_outcomes
from benchmarks.timing import timed
from tasks.protocols import get_protocol
from tasks.protocols.definition import Outcome
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.raters.confused_class import confusions
from tomahto.reliability.alpha import alpha_with_interval, label_disagreement
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns, Ballots
from tomahto.votes.scheme import question_parts

_OVERLAP, _WORST_OVERLAP, _REPLICATES, _REPEATS = 4, 10, 2000, 5
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
        print(f"{given.items:,} items x {_OVERLAP} ratings, protocol {given.protocol}", flush=True)
        for name in ("make", "count", "page"):
            _run(name, given.items, given.protocol)
    for protocol in dict.fromkeys((given.protocol, "cap")):
        print(f"from arrays, protocol {protocol}", flush=True)
        ours, package = (_run(name, given.items, protocol) for name in ("ours", "package"))
        share = ours["megabytes"] / package["megabytes"]
        times = package["seconds"] / ours["seconds"]
        print(f"{times:.1f} times as fast, {share:.3f} of the memory")
        difference = abs(ours["alpha"] - package["alpha"])
        print(f"alpha {ours['alpha']:.12f}, difference {difference:.1e}")
    print(f"{given.items:,} items x {_WORST_OVERLAP} ratings by chance, protocol cap", flush=True)
    for name in ("alone", "together"):
        _run(name, given.items, "cap")


def _run(part: str, items: int, protocol: str) -> _Figures:
    command = [sys.executable, "-m", "benchmarks.agreement", "--part", part]
    done = subprocess.run(
        [*command, "--items", str(items), "--protocol", protocol],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    figures: _Figures = json.loads(done.stdout)
    memory = f" {figures['megabytes']:8.1f} MB" if "megabytes" in figures else ""
    print(f"{_TITLES[part]:50} {figures['seconds']:10.4f} s{memory}", flush=True)
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
    return {"seconds": timed(lambda: vote_patterns(campaign))[0]}


def _page(_items: int, _protocol: str) -> _Figures:
    """The whole report: label, every question, kappa of every two raters."""
    import django

    django.setup()
    from tasks.agreement.figures.agreement_figures import agreement_of
    from tasks.models import Campaign

    campaign = Campaign.objects.get(slug="big")
    return {"seconds": timed(lambda: agreement_of(campaign))[0]}


def _ours(items: int, protocol: str) -> _Figures:
    outcomes = len(_answered(protocol))
    ballots, columns = _ballots(protocol, random_outcomes(outcomes, items, _OVERLAP), 1)
    patterns = ballots.patterns(columns).labels.without_questions()

    def run() -> float:
        value = alpha_with_interval(patterns, seed=1, replicates=_REPLICATES).value
        assert value is not None
        return value

    return _measured(run)


def _package(items: int, protocol: str) -> _Figures:
    """From how often each item got each value, one row per item: the least the package takes."""
    import krippendorff

    known, outcomes = get_protocol(protocol), _answered(protocol)
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


def _worst(per_question: int, items: int, protocol: str) -> _Figures:
    """The agreement report, disagreement by label and the test of confused labels."""
    labels = [each.label for each in _answered(protocol)]
    first = np.array([labels.index(label) for label in dict.fromkeys(labels)])
    drawn = np.random.default_rng(1).integers(0, len(first), (items, _WORST_OVERLAP))
    ballots, columns = _ballots(protocol, first[drawn], per_question)

    def run() -> None:
        patterns = ballots.by_item().patterns(columns)
        pairs = ballots.pair_tables({rater: f"rater {rater}" for rater in range(_WORST_OVERLAP)})
        agreement_report(protocol, patterns, pairs, seed=1, replicates=_REPLICATES)
        draws = Bootstrap(_REPLICATES, seed=1)
        label_disagreement(patterns.labels, bootstrap=draws)
        confusions(patterns.labels, bootstrap=draws)

    seconds = timed(run, time.process_time)[0]
    return {"seconds": seconds, "megabytes": getrusage(RUSAGE_SELF).ru_maxrss / 1024}


def _answered(protocol: str) -> list[Outcome]:
    return [each for each in get_protocol(protocol).outcomes if each.answers]


def _ballots(
    protocol: str, outcomes: NDArray[Any], per_question: int
) -> tuple[Ballots, AnswerColumns]:
    """Votes with so many outcomes (items, overlap), by raters who rate all items."""
    known, answered = get_protocol(protocol), _answered(protocol)
    columns = AnswerColumns(known.scheme, question_parts(known.question_schemes))
    items = np.repeat(np.arange(len(outcomes)), outcomes.shape[1])
    ballots = Ballots(
        items,
        items // per_question,
        np.tile(np.arange(outcomes.shape[1]), len(outcomes)),
        outcomes.ravel(),
        [columns.counts_of(each.label, each.answers) for each in answered],
        [each.label for each in answered],
    )
    return ballots, columns


_PARTS: dict[str, Callable[[int, str], _Figures]] = {
    "make": _make,
    "count": _count,
    "page": _page,
    "ours": _ours,
    "package": _package,
    "alone": partial(_worst, 1),
    "together": partial(_worst, 4),
}
_TITLES = {
    "make": "storing the ratings",
    "count": "counting the vote patterns",
    "page": "all figures of the agreement page",
    "ours": f"alpha with {_REPLICATES:,} replicates, from the patterns",
    "package": "krippendorff.alpha, no interval",
    "alone": "all figures, items alone",
    "together": "all figures, four items a question",
}


if __name__ == "__main__":
    main()
