"""Pairs per second of every matcher on one core: `python benchmarks/matchers.py [PAIRS]`.

The pairs are generated, so nothing has to be downloaded: words are drawn from CFMatch's own
vocabulary as often as they occurred in its training data. A question has 6 to 14 words, a
reference 1 to 6; a candidate repeats the reference, leaves out words of it or adds others.
"""

import random
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from inference.matchers.cfmatch import SHIPPED_WEIGHTS
from inference.matchers.cfmatch_features import CLS, SEP
from inference.matchers.cfmatch_weights import read_weights
from inference.matchers.interface import Matcher, Pair
from inference.matchers.registry import available_matchers, load_matcher

_PAIRS = 50_000
_REPEATS = 3
_SEED = 668


def generate_pairs(count: int, *, seed: int) -> list[Pair]:
    """Pairs of one reference each; the same seed gives the same pairs."""
    generator = random.Random(seed)
    weights = read_weights(SHIPPED_WEIGHTS)
    often = dict(zip(weights.words, weights.document_frequencies, strict=True))
    often = {word: count for word, count in often.items() if word not in {CLS, SEP}}
    draw = partial(generator.choices, list(often), weights=list(often.values()))
    return [_pair(generator, draw(k=26)) for _ in range(count)]


def pairs_per_second(matcher: Matcher, pairs: Sequence[Pair]) -> float:
    """The fastest of a few runs: the others measure what else the machine was doing."""
    seconds = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        matcher.score(pairs)
        seconds.append(time.perf_counter() - start)
    return len(pairs) / min(seconds)


def main() -> None:
    pairs = generate_pairs(int(sys.argv[1]) if len(sys.argv) > 1 else _PAIRS, seed=_SEED)
    print(f"{len(pairs)} generated pairs, one reference each, best of {_REPEATS} runs")
    for name in available_matchers():
        print(f"{name:10} {pairs_per_second(load_matcher(name), pairs):>10,.0f} pairs/s")


def _pair(generator: random.Random, words: Sequence[str]) -> Pair:
    question = words[: generator.randint(6, 14)]
    reference = words[14 : 14 + generator.randint(1, 6)]
    kept = reference[generator.randint(0, len(reference)) :]
    candidate = [*kept, *words[20 : 20 + generator.randint(0, 6)]]
    return Pair(
        question=f"{' '.join(question).capitalize()}?",
        context="",
        references=(" ".join(reference),),
        candidate=f"{' '.join(candidate).capitalize()}.",
    )


if __name__ == "__main__":
    main()
