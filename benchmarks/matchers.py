"""Pairs per second of every matcher on one core: `python -m benchmarks.matchers [PAIRS] [FILE …]`.

The pairs are those of benchmarks/pairs.py; with FILE, labelled pairs as JSON lines, those are
measured too. Where torch is installed, `bem` is measured in the same run (benchmarks/bem.py).

Time is the processor's, so other programs disturb little; the fastest of a few runs counts, and
the first, in which a matcher meets every word anew, is shown beside it.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.bem import print_bem_speeds
from benchmarks.pairs import generate_long_pairs, generate_pairs
from benchmarks.timing import REPEATS, timed
from tomahto.interchange.judgements.labelled_pairs import read_labelled_pairs
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.registry import load_matcher, suggesting_matchers
from tomahto.pretrained.runtime import has_torch

_PAIRS = 50_000
_LONG_SHARE = 4  # one long answer is generated for so many short ones
_BEM_PAIRS = 320
_SEED = 668


class Speed(NamedTuple):
    """Pairs per second, of the first run and of the fastest."""

    first: float
    fastest: float


def measure_speed(matcher: Matcher, pairs: Sequence[Pair]) -> Speed:
    run = partial(matcher.score, pairs)
    seconds = [timed(run, time.process_time)[0] for _ in range(REPEATS)]
    return Speed(len(pairs) / seconds[0], len(pairs) / min(seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int, nargs="?", default=_PAIRS, help="how many to generate")
    parser.add_argument("file", type=Path, nargs="*", help="labelled pairs as JSON lines")
    options = parser.parse_args()
    count: int = options.pairs
    sets: Mapping[str, list[Pair]] = {
        "generated pairs, one reference each": generate_pairs(count, seed=_SEED),
        "generated long answers, two references each": generate_long_pairs(
            max(count // _LONG_SHARE, 1), seed=_SEED
        ),
        **{
            f"pairs of {path}": [example.pair for example in read_labelled_pairs(path).rows]
            for path in options.file
        },
    }
    for title, pairs in sets.items():
        print(f"{len(pairs)} {title}: pairs/s of the fastest of {REPEATS} runs (of the first)")
        for name in suggesting_matchers():
            speed = measure_speed(load_matcher(name), pairs)
            print(f"{name:10} {speed.fastest:>10,.0f} ({speed.first:,.0f})")
    if has_torch():
        print_bem_speeds(generate_pairs(_BEM_PAIRS, seed=_SEED))


if __name__ == "__main__":
    main()
