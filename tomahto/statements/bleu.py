"""BLEU of a corpus (Papineni et al. 2002, §2)."""

import math
from collections import Counter
from collections.abc import Sequence

MAX_ORDER = 4


def corpus_bleu(
    candidates: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
) -> float:
    """BLEU from 0 to 1 of tokenised candidates, each with one or several tokenised references.

        BLEU = BP · exp(Σ ln(p_n) / 4),  BP = 1 if c > r, else exp(1 - r / c)

    p_n is the share of the candidates' n-grams (n = 1 … 4) that occur in a reference, each counted
    at most as often as in the one where it is most frequent; c is the length of all candidates, r
    that of the references closest in length, of equally close ones the shorter. Nothing is
    smoothed: without any match of some length BLEU is 0. Raises ValueError without candidates, and
    for a candidate without references.
    """
    if not candidates:
        raise ValueError("the BLEU of no candidates is undefined")
    if not all(references):
        raise ValueError("every candidate needs at least one reference")
    precisions = [_precision(candidates, references, order) for order in range(1, MAX_ORDER + 1)]
    if min(precisions) == 0:
        return 0.0
    length = sum(map(len, candidates))
    closest = sum(
        _closest_length(len(candidate), several)
        for candidate, several in zip(candidates, references, strict=True)
    )
    brevity = 1.0 if length > closest else math.exp(1 - closest / length)
    return brevity * math.exp(sum(map(math.log, precisions)) / MAX_ORDER)


def _precision(
    candidates: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], order: int
) -> float:
    """The modified n-gram precision of the corpus; 0 where there are no such n-grams."""
    shared = total = 0
    for candidate, several in zip(candidates, references, strict=True):
        counts = _ngrams(candidate, order)
        most: Counter[tuple[str, ...]] = Counter()
        for reference in several:
            most |= _ngrams(reference, order)
        shared += (counts & most).total()
        total += counts.total()
    return shared / total if total else 0.0


def _closest_length(length: int, references: Sequence[Sequence[str]]) -> int:
    return min(map(len, references), key=lambda other: (abs(other - length), other))


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))
