"""Pairs to measure matchers on: generated, so that nothing has to be downloaded.

Words are drawn from CFMatch's own vocabulary as often as they occurred in its training data. A
question has 6 to 14 words, a reference 1 to 6; a candidate repeats the reference, leaves out words
of it or adds others. Long answers have 10 to 60 words around the reference, as those of language
models do, and two references.
"""

import random
from collections.abc import Sequence
from functools import partial

from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cfmatch.features import CLS, SEP
from tomahto.matching.cfmatch.weights import read_weights
from tomahto.matching.interface import Pair


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
