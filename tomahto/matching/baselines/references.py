"""Baselines compare two texts; a pair's score is that of its best reference."""

from collections.abc import Callable, Sequence

from tomahto.matching.interface import Pair
from tomahto.matching.references import require_references


def best_reference_scores(
    pairs: Sequence[Pair], compare: Callable[[str, str], float]
) -> list[float]:
    """The highest `compare(candidate, reference)` of each pair. Raises MissingReferenceError."""
    require_references(pairs)
    return [max(compare(pair.candidate, r) for r in pair.references) for pair in pairs]
