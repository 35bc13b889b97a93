"""Pairs per second of every matcher on one core: `python benchmarks/matchers.py [PAIRS] [FILE]`.

The pairs are generated, so nothing has to be downloaded: words are drawn from CFMatch's own
vocabulary as often as they occurred in its training data. A question has 6 to 14 words, a
reference 1 to 6; a candidate repeats the reference, leaves out words of it or adds others.
Long answers have 10 to 60 words around the reference, as those of language models do, and two
references. With FILE, labelled pairs as JSON lines, those are measured too.

Time is the processor's, so other programs disturb little; the fastest of a few runs counts, and
the first, in which a matcher meets every word anew, is shown beside it.
"""

import random
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from inference.matchers.cfmatch import SHIPPED_WEIGHTS
from inference.matchers.cfmatch_features import CLS, SEP
from inference.matchers.cfmatch_weights import read_weights
from inference.matchers.interface import Matcher, Pair
from inference.matchers.labelled_pairs import read_labelled_pairs
from inference.matchers.registry import available_matchers, load_matcher

_PAIRS = 50_000
_LONG_SHARE = 4  # one long answer is generated for so many short ones
_REPEATS = 3
_SEED = 668


class Speed(NamedTuple):
    """Pairs per second, of the first run and of the fastest."""

    first: float
    fastest: float


def generate_pairs(count: int, *, seed: int) -> list[Pair]:
    """Pairs of one reference each; the same seed gives the same pairs."""
    generator = random.Random(seed)
    draw = _words_as_frequent_as_in_training(generator)
    return [_pair(generator, draw(k=26)) for _ in range(count)]


def generate_long_pairs(count: int, *, seed: int) -> list[Pair]:
    """Pairs of a long candidate and two references."""
    generator = random.Random(seed)
    draw = _words_as_frequent_as_in_training(generator)
    return [_long_pair(generator, draw(k=80)) for _ in range(count)]


def measure_speed(matcher: Matcher, pairs: Sequence[Pair]) -> Speed:
    seconds = []
    for _ in range(_REPEATS):
        start = time.process_time()
        matcher.score(pairs)
        seconds.append(time.process_time() - start)
    return Speed(len(pairs) / seconds[0], len(pairs) / min(seconds))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else _PAIRS
    sets: Mapping[str, list[Pair]] = {
        "generated pairs, one reference each": generate_pairs(count, seed=_SEED),
        "generated long answers, two references each": generate_long_pairs(
            max(count // _LONG_SHARE, 1), seed=_SEED
        ),
        **{
            f"pairs of {path}": [example.pair for example in read_labelled_pairs(Path(path))]
            for path in sys.argv[2:]
        },
    }
    for title, pairs in sets.items():
        print(f"{len(pairs)} {title}: pairs/s of the fastest of {_REPEATS} runs (of the first)")
        for name in available_matchers():
            speed = measure_speed(load_matcher(name), pairs)
            print(f"{name:10} {speed.fastest:>10,.0f} ({speed.first:,.0f})")


def _words_as_frequent_as_in_training(generator: random.Random) -> "partial[list[str]]":
    weights = read_weights(SHIPPED_WEIGHTS)
    often = dict(zip(weights.words, weights.document_frequencies, strict=True))
    often = {word: count for word, count in often.items() if word not in {CLS, SEP}}
    return partial(generator.choices, list(often), weights=list(often.values()))


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


def _long_pair(generator: random.Random, words: Sequence[str]) -> Pair:
    references = [words[place : place + generator.randint(1, 4)] for place in (14, 18)]
    around = words[20 : 20 + generator.randint(10, 60)]
    place = generator.randint(0, len(around))
    candidate = [*around[:place], *generator.choice(references), *around[place:]]
    return Pair(
        question=f"{' '.join(words[: generator.randint(6, 14)]).capitalize()}?",
        context="",
        references=tuple(" ".join(reference) for reference in references),
        candidate=f"{' '.join(candidate).capitalize()}.",
    )


if __name__ == "__main__":
    main()
